# FEATURE: C3
"""Labels of nodes that pods ask for, and taints that they tolerate."""

import pytest

from tests.observe.lint.test_rules import remarks
from tests.observe.lint.world import NODE, together

_DUMPED = "metadata: {uid: u1, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', "
_POOL = NODE.replace("hostname: n1", "hostname: n1, pool: gpu")


def pod(spec: str) -> str:
    return (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\n"
        f"spec: {{containers: [{{name: c, image: i}}], {spec}}}\n"
    )


def required(*requirements: str) -> str:
    terms = ", ".join(f"{{matchExpressions: [{each}]}}" for each in requirements)
    selector = f"requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{terms}]}}"
    return f"affinity: {{nodeAffinity: {{{selector}}}}}"


@pytest.mark.parametrize(
    ("spec", "message", "remedy"),
    [
        ("nodeSelector: {pool: gpus}", "none has pool=gpus", "did you mean gpu?"),
        ("nodeSelector: {pools: gpu}", "none has the label pools", "did you mean pool?"),
        (required("{key: pool, operator: In, values: [gpus]}"), "none has pool=gpus", "did you mean gpu?"),
        (required("{key: pools, operator: Exists}"), "none has the label pools", "did you mean pool?"),
    ],
)
def test_a_slip_in_a_label(spec: str, message: str, remedy: str) -> None:
    expected = ("DRA210", f"no node of the input is for the pod: {message}", remedy)
    assert remarks(together(_POOL, pod(spec))) == [expected]


@pytest.mark.parametrize(
    "spec",
    [
        "nodeSelector: {pool: gpu}",
        "nodeSelector: {disk: fast}",
        required("{key: pool, operator: In, values: [gpus]}", "{key: pool, operator: In, values: [gpu]}"),
        required("{key: pool, operator: NotIn, values: [gpus]}"),
    ],
)
def test_what_a_node_has_or_may_have_elsewhere(spec: str) -> None:
    assert remarks(together(_POOL, pod(spec))) == []


def test_a_dump_has_all_nodes() -> None:
    dumped = _POOL.replace("metadata: {", _DUMPED)
    found = remarks(together(dumped, pod("nodeSelector: {pool: fpga-pool}")))
    assert [each for each in found if each[0] == "DRA210"] == [
        ("DRA210", "no node of the input is for the pod: none has pool=fpga-pool", "the nodes have gpu")
    ]


@pytest.mark.parametrize(
    ("tolerations", "is_told"),
    [
        ("{key: nvidia.com/gpus, operator: Exists}", True),
        ("{key: nvidia.com/gpus, operator: Exists}, {key: nvidia.com/gpu, operator: Exists}", False),
        ("{key: example.com/later, operator: Exists}", False),
    ],
)
def test_a_slip_in_the_key_of_a_toleration(tolerations: str, is_told: bool) -> None:
    node = f"{NODE}spec: {{taints: [{{key: nvidia.com/gpu, effect: NoSchedule}}]}}\n"
    found = remarks(together(node, pod(f"tolerations: [{tolerations}]")))
    assert [(rule, remedy) for rule, _, remedy in found] == [("DRA211", "did you mean nvidia.com/gpu?")] * is_told
