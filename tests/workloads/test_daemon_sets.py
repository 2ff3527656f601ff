# FEATURE: A3
import pytest

from dractl.api.core import PodSpec
from dractl.errors import BadInput
from tests.workloads.world import expanded, pod, pods, rules

NODES = """
{kind: Node, metadata: {name: b, labels: {gpu: "yes"}}}
---
{kind: Node, metadata: {name: a, labels: {gpu: "no"}}}
---
kind: Node
metadata: {name: c, labels: {gpu: "yes"}}
spec: {taints: [{key: lent, value: "x", effect: NoSchedule}]}
---
kind: Node
metadata: {name: d}
spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}
"""


def daemon_set(spec: str) -> str:
    return f"---\nkind: DaemonSet\nmetadata: {{name: agent}}\nspec: {{template: {{spec: {spec}}}}}\n"


def target(spec: PodSpec) -> str:
    assert spec.affinity and spec.affinity.nodeAffinity
    required = spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution
    assert required and required.nodeSelectorTerms and len(required.nodeSelectorTerms) == 1
    (term,) = required.nodeSelectorTerms
    assert term.matchFields and not term.matchExpressions
    (field,) = term.matchFields
    assert (field.key, field.operator) == ("metadata.name", "In")
    return (field.values or [])[0]


def targets(text: str) -> list[str]:
    result = expanded(NODES + text)
    return [target(pod(result, name).object.spec) for name in pods(result)]


def required(expression: str) -> str:
    inner = f"{{nodeSelectorTerms: [{{matchExpressions: [{expression}]}}]}}"
    return f"{{affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {inner}}}}}}}"


@pytest.mark.parametrize(
    ("spec", "nodes"),
    [
        ("{}", ["a", "b", "d"]),
        ("{nodeSelector: {gpu: 'yes'}}", ["b"]),
        ("{nodeName: b}", ["b"]),
        (required("{key: gpu, operator: NotIn, values: ['yes']}"), ["a", "d"]),
        ("{tolerations: [{key: lent, value: x}]}", ["a", "b", "c", "d"]),
        ("{tolerations: [{key: lent, value: y}]}", ["a", "b", "d"]),
        ("{tolerations: [{operator: Exists, effect: NoExecute}]}", ["a", "b", "d"]),
        ("{tolerations: [{operator: Exists}], nodeSelector: {gpu: 'yes'}}", ["b", "c"]),
    ],
)
def test_one_pod_for_each_node_that_it_may_run_on(spec: str, nodes: list[str]) -> None:
    assert targets(daemon_set(spec)) == nodes


def test_pods_are_numbered_by_node_name() -> None:
    assert pods(expanded(NODES + daemon_set("{}"))) == ["agent-0", "agent-1", "agent-2"]


@pytest.mark.parametrize("host_network", [False, True])
def test_tolerations_are_added(host_network: bool) -> None:
    spec = f"{{nodeName: b, hostNetwork: {str(host_network).lower()}, tolerations: [{{key: own}}]}}"
    result = expanded(NODES + daemon_set(spec))
    tolerations = pod(result, "agent-0").object.spec.tolerations or []
    assert tolerations[0].key == "own"
    added = {(each.key.removeprefix("node.kubernetes.io/"), each.operator, each.effect) for each in tolerations[1:]}
    assert added == {
        ("not-ready", "Exists", "NoExecute"),
        ("unreachable", "Exists", "NoExecute"),
        ("disk-pressure", "Exists", "NoSchedule"),
        ("memory-pressure", "Exists", "NoSchedule"),
        ("pid-pressure", "Exists", "NoSchedule"),
        ("unschedulable", "Exists", "NoSchedule"),
    } | ({("network-unavailable", "Exists", "NoSchedule")} if host_network else set())


def test_preferred_terms_stay() -> None:
    preferred = "{weight: 1, preference: {matchExpressions: [{key: gpu, operator: Exists}]}}"
    spec = f"{{affinity: {{nodeAffinity: {{preferredDuringSchedulingIgnoredDuringExecution: [{preferred}]}}}}}}"
    made = pod(expanded(NODES + daemon_set(spec)), "agent-0").object.spec
    assert made.affinity and made.affinity.nodeAffinity
    assert made.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution


@pytest.mark.parametrize(
    "placed",
    [
        "{nodeName: b}",
        "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}}",
    ],
)
def test_nodes_that_have_their_pod_get_no_other(placed: str) -> None:
    existing = f"""
---
kind: Pod
metadata:
  name: agent-x
  ownerReferences: [{{apiVersion: apps/v1, kind: DaemonSet, name: agent, controller: true}}]
spec: {placed}
"""
    result = expanded(NODES + daemon_set("{}") + existing)
    assert [target(pod(result, name).object.spec) for name in pods(result) if name != "agent-x"] == ["a", "d"]


def test_assumed_nodes_count() -> None:
    slice_ = "---\n{kind: ResourceSlice, metadata: {name: s}, spec: {nodeName: far}}\n"
    assert targets(daemon_set("{nodeSelector: {kubernetes.io/hostname: far}}") + slice_) == ["far"]


def test_a_set_without_any_node_is_named() -> None:
    assert rules(expanded(NODES + daemon_set("{nodeSelector: {no: such}}"))) == ["no-node"]


def test_an_operator_that_does_not_exist_is_bad_input() -> None:
    with pytest.raises(BadInput) as caught:
        targets(daemon_set(required("{key: gpu, operator: Near}")))
    assert caught.value.faults[0].subject == "DaemonSet ml/agent"
