"""Names that are nearly right: lint and plan say what was probably meant, each in its own place."""

# FEATURE: D2
# FEATURE: C3

import pytest

from tests.cli.running import dractl
from tests.observe.lint.world import GPU_CLASS, NODE, claim, gpu_slice, pod, request, template, together

WORLD = (NODE, GPU_CLASS, gpu_slice())
ELSEWHERE = template("gpu-template").replace("namespace: default", "namespace: other")
USES_C = "{name: e, resourceClaimName: c}"
_CLASSES = """apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: important}
value: 1000
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: nvidia}
handler: nvidia
"""


def said(command: str, *pieces: str) -> str:
    """All that a command says, on both channels."""
    ran = dractl(command, "-", "-o", "markdown" if command == "plan" else "table", stdin=together(*pieces).encode())
    return ran.out + ran.err


@pytest.mark.parametrize("command", ["plan", "lint"])
@pytest.mark.parametrize(
    ("pieces", "hint"),
    [
        (
            (template("gpu-template"), pod("p", "{name: e, resourceClaimTemplateName: gpu-templat}")),
            "did you mean gpu-template?",
        ),
        ((claim(request(), name="gpu"), pod("p", "{name: e, resourceClaimName: gpus}")), "did you mean gpu?"),
        (
            (ELSEWHERE, pod("p", "{name: e, resourceClaimTemplateName: gpu-template}")),
            "there is one in namespace other; a pod finds only those of its own namespace, default",
        ),
        ((claim(request(device_class="gpuu")),), "did you mean gpu?"),
        (
            (
                claim(request(name="device")),
                pod("p", USES_C).replace("{name: e}]", "{name: e, request: devices}]"),
            ),
            "did you mean device?",
        ),
        (
            (
                _CLASSES,
                pod("p", USES_C, "  priorityClassName: imporant\n"),
                claim(request()),
            ),
            "did you mean important?",
        ),
        (
            (_CLASSES, pod("p", USES_C, "  runtimeClassName: nvida\n"), claim(request())),
            "did you mean nvidia?",
        ),
        (
            (
                "apiVersion: v1\nkind: Namespace\nmetadata: {name: training}\n",
                claim(request()).replace("namespace: default", "namespace: trainning"),
            ),
            "did you mean training?",
        ),
    ],
)
def test_plan_and_lint_say_what_was_meant(command: str, pieces: tuple[str, ...], hint: str) -> None:
    text = said(command, *WORLD, *pieces)
    assert hint in text.replace("\\", "")
    assert hint not in said(command, *WORLD, claim(request()))


def test_a_pod_with_its_node_hears_it_too() -> None:
    user = pod("p", "{name: e, resourceClaimName: gpus}", "  nodeName: n1\n")
    assert "claim gpus does not exist; did you mean gpu?" in said("plan", *WORLD, claim(request(), name="gpu"), user)


def test_a_claim_of_the_pod_that_a_container_misspells() -> None:
    user = pod("p", "{name: devices, resourceClaimName: c}").replace("claims: [{name: e}]", "claims: [{name: device}]")
    assert "did you mean devices?" in said("lint", *WORLD, claim(request()), user)


@pytest.mark.parametrize("name", ["training1", "inference"])
def test_a_namespace_that_may_be_in_the_cluster(name: str) -> None:
    spare = "apiVersion: v1\nkind: Namespace\nmetadata: {name: training2}\n"
    text = said("lint", *WORLD, spare, claim(request()).replace("namespace: default", f"namespace: {name}"))
    assert "has no namespace" not in text


def test_a_namespace_that_is_nearly_right_is_told_whether_or_not_something_is_there() -> None:
    spare = "apiVersion: v1\nkind: Namespace\nmetadata: {name: training}\n"
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: training}\n"
    other = claim(request()).replace("namespace: default", "namespace: trainning")
    assert "has no namespace" in said("lint", *WORLD, spare, other)
    assert "has no namespace" in said("lint", *WORLD, spare, config, other)
