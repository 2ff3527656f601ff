# FEATURE: O6, D22
"""A plan says which rules and slices are about to evict pods that it leaves in place."""

import pytest

from tests.observe.taint_worlds import CLUSTER, held, pod, rule, slice_of, world
from tests.observe.world import findings, lines

EVICTING = "taints: [{key: hot, effect: NoExecute}]"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (rule(), ["DeviceTaintRule fw"]),
        (rule("NoSchedule"), []),
        (rule("None"), []),
        (rule(selector="{pool: node-b}"), []),
        (rule(name="a") + "---\n" + rule(name="b"), ["DeviceTaintRule a", "DeviceTaintRule b"]),
    ],
)
def test_rules_that_evict(more: str, expected: list[str]) -> None:
    found = findings(world(*CLUSTER, more), prefix="taints/")
    assert [finding.subject for finding in found] == expected
    for finding in found:
        assert finding.message == "1 pod would be evicted; a plan leaves it in place"


def test_slices_whose_taints_evict() -> None:
    devices = slice_of("node-a", f"[{{name: gpu-0, {EVICTING}}}, {{name: gpu-1, {EVICTING}}}]")
    text = world(devices, held("c", "p", "gpu-0"), held("d", "q", "gpu-1"), pod("p", "c"), pod("q", "d"))
    found = findings(text, prefix="taints/")
    assert [finding.message for finding in found] == [
        "2 pods would be evicted because of taints of its devices; a plan leaves them in place"
    ]
    assert lines(text, found) == [("taints/evicts", 8)]


def test_while_the_gates_are_off_nothing_is_evicted() -> None:
    text = world(*CLUSTER, rule())
    assert findings(text, prefix="taints/", settings="DRADeviceTaintRules=false") == []
    assert findings(text, prefix="taints/", settings="DRADeviceTaintRules=false,DRADeviceTaints=false") == []
