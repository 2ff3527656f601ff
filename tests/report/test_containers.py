# FEATURE: D27, D21, D15
"""What each container gets, which driver is not called, and admin access, as the wide page and the JSON show them."""

from typing import Any

from dractl.report import table, wide
from dractl.report.json import report
from tests.report.worlds import claim, device_class, node, planned, request, slice_of

NODE = node().replace("status: {", "status: {declaredFeatures: [DRAOptionalNodeOperations], ")


def pod(name: str, *containers: str, claim_name: str = "gpus") -> str:
    listed = "".join(f"  - {each}\n" for each in containers)
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: ml}}
spec:
  resourceClaims: [{{name: d, resourceClaimName: {claim_name}}}]
  containers:
{listed}"""


def container(name: str, claims: str = "") -> str:
    return f"{{name: {name}, image: i, resources: {{claims: [{claims}]}}}}"


TWO = f"[{request('gpu')}, {request('card', 'card')}]"
WORLD = (
    NODE,
    device_class(),
    device_class("card", "card.example.com"),
    slice_of("g0"),
    slice_of("c0", driver="card.example.com").replace("  devices:", "  skipNodeOperations: ['*']\n  devices:"),
    claim(TWO),
    pod("a", container("main", "{name: d}"), container("side", "{name: d, request: gpu}"), container("log")),
)


def test_a_table_of_containers_and_a_line_for_a_driver_that_is_not_called() -> None:
    lines = wide.render(*planned(*WORLD)).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("POD   CONTAINER"))
    assert [line.split() for line in lines[start + 1 : start + 5]] == [
        ["ml/a", "main", "app", "d", "gpu", "g0"],
        ["ml/a", "main", "app", "d", "card", "c0", "(not", "injected)"],
        ["ml/a", "side", "app", "d", "gpu", "g0"],
        ["ml/a", "log", "app", "–", "–", "–"],
    ]
    calls = "NodePrepareResources and NodeUnprepareResources"
    assert lines[start + 5] == f"ml/a: the kubelet does not call {calls} of card.example.com for claim d"


def test_the_short_table_is_left_alone() -> None:
    assert "CONTAINER" not in table.render(*planned(*WORLD))


def test_the_same_as_data() -> None:
    data: dict[str, Any] = report(*planned(*WORLD))
    (only,) = data["prediction"]["pods"]
    main, side, log = only["containers"]
    assert [each["device"] for each in main["devices"]] == ["g0", "c0"]
    assert [each["injected"] for each in main["devices"]] == [True, False]
    assert side["devices"] == [
        {"claim": "d", "request": "gpu", "driver": "gpu.example.com", "pool": "n1", "device": "g0", "injected": True}
    ]
    assert log["devices"] == []
    assert only["claims"][0]["skippedNodeCalls"] == [
        {"driver": "card.example.com", "calls": ["NodePrepareResources", "NodeUnprepareResources"]}
    ]


ADMIN = "apiVersion: v1\nkind: Namespace\nmetadata: {name: ml, labels: {resource.kubernetes.io/admin-access: 'true'}}\n"


def test_admin_access_is_shown_and_takes_nothing_from_others() -> None:
    user = pod("user", container("c", "{name: d}"))
    watcher = pod("watcher", container("c", "{name: d}"), claim_name="watch")
    second = pod("second", container("c", "{name: d}"), claim_name="more")
    plan, view = planned(
        *(ADMIN, node(), device_class(), slice_of("g0")),
        claim(f"[{request()}]"),
        claim(f"[{request(adminAccess='true')}]", name="watch"),
        claim(f"[{request()}]", name="more"),
        *(watcher, user, second),
    )
    text = wide.render(plan, view)
    assert "g0 (admin)" in text
    assert [str(each.verdict) for each in plan.prediction.outcomes] == ["placed", "placed", "does not fit"]
    assert "g0 is held by ml/user." in text
    devices = [pod["claims"][0]["devices"] for pod in report(plan, view)["prediction"]["pods"]]
    assert [[each["adminAccess"] for each in some] for some in devices] == [[True], [False], []]
