# FEATURE: D21
"""Which calls the kubelet leaves out, and allocations that their slices no longer agree with (kubelet.md §14.6)."""

import pytest

from dractl.api.resource import AllocationResult, DeviceAllocationResult, DeviceRequestAllocationResult
from dractl.observe.node_calls import PREPARE, UNPREPARE, skipped_calls
from tests.observe.world import findings, lines


def allocation(*results: tuple[str, list[str] | None]) -> AllocationResult:
    return AllocationResult(
        devices=DeviceAllocationResult(
            results=[
                DeviceRequestAllocationResult(driver=driver, device=f"d{number}", skipNodeOperations=skips)
                for number, (driver, skips) in enumerate(results)
            ]
        )
    )


@pytest.mark.parametrize(
    ("results", "skipped"),
    [
        ([("a", None)], {}),
        ([("a", ["*"])], {"a": (PREPARE, UNPREPARE)}),
        ([("a", [UNPREPARE])], {"a": (UNPREPARE,)}),
        ([("a", ["*"]), ("a", [UNPREPARE])], {"a": (UNPREPARE,)}),
        ([("a", ["*"]), ("a", None)], {}),
        ([("a", None), ("b", [PREPARE, UNPREPARE])], {"b": (PREPARE, UNPREPARE)}),
    ],
)
def test_a_call_is_skipped_if_every_device_of_the_driver_says_so(
    results: list[tuple[str, list[str] | None]], skipped: dict[str, tuple[str, ...]]
) -> None:
    assert skipped_calls(allocation(*results)) == skipped


def world(allocated: str, listed: str) -> str:
    return f"""apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: s}}
spec:
  driver: d.example.com
  nodeName: n1
  pool: {{name: n1, generation: 2, resourceSliceCount: 1}}
  devices: [{{name: a}}]
  {listed}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: c, namespace: ml, uid: u}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: x}}}}]}}}}
status:
  allocation:
    devices:
      results:
      - request: r
        driver: d.example.com
        pool: n1
        device: a
        {allocated}
"""


@pytest.mark.parametrize(
    ("allocated", "listed", "words"),
    [
        ("skipNodeOperations: ['*']", "skipNodeOperations: [NodePrepareResources, NodeUnprepareResources]", []),
        ("", "", []),
        (
            "skipNodeOperations: [NodeUnprepareResources]",
            "",
            ["skips NodeUnprepareResources for d.example.com/n1/a as the allocation has it; slice s no longer says so"],
        ),
        (
            "",
            "skipNodeOperations: [NodeUnprepareResources]",
            ["makes NodeUnprepareResources for d.example.com/n1/a as the allocation has it; slice s now says that"],
        ),
    ],
)
def test_slices_that_changed_since_allocation(allocated: str, listed: str, words: list[str]) -> None:
    text = world(allocated, listed)
    found = findings(text, prefix="node-calls/")
    assert len(found) == len(words)
    for finding, expected in zip(found, words, strict=True):
        assert expected in finding.message
        line = 23 if allocated else 19
        assert lines(text, [finding]) == [("node-calls/changed", line)]


def test_devices_that_are_no_longer_listed_are_not_compared() -> None:
    text = world("skipNodeOperations: ['*']", "").replace("{name: a}]", "{name: b}]")
    assert findings(text, prefix="node-calls/") == []
