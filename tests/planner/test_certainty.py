# FEATURE: A6
"""The stable allocator tries pools in random order: said where it matters (dra.md §2)."""

from typing import Any

from dractl.planner.plan import Plan
from dractl.planner.settings import Settings
from dractl.solution.outcomes import PodOutcome, Verdict
from tests.planner.world import claim, devices, gpu_class, gpus, node, outcome, planned, pod

OFF = "DRAConsumableCapacity=false,DRADeviceBindingConditions=false"


def pool(name: str, *listed: Any) -> dict[str, Any]:
    """A pool beside others on n1."""
    whole = gpus("n1", *listed)
    whole["metadata"]["name"] = f"slice-{name}"
    whole["spec"]["pool"]["name"] = name
    return whole


def stable(*objects: dict[str, Any]) -> Plan:
    return planned(*objects, settings=Settings(feature_gates=OFF))


def decided(*pools: dict[str, Any], count: int = 1, device_class: dict[str, Any] | None = None) -> PodOutcome:
    return outcome(stable(node("n1"), device_class or gpu_class(), *pools, claim("c", count), pod("p", "c")), "p")


def test_several_pools_that_could_serve_leave_the_devices_open() -> None:
    placed = decided(pool("a", "x"), pool("b", "y"))
    assert (placed.verdict, devices(placed)) == (Verdict.PLACED, ["x"])
    assert placed.uncertain == (
        "the stable allocator answers while DRAConsumableCapacity and DRADeviceBindingConditions are off, "
        "and its order of pools is not fixed: in another order of pools it gets other devices"
    )


def test_one_pool_leaves_nothing_open() -> None:
    assert decided(pool("a", "x", "y")).uncertain == ""


def test_a_pool_that_no_request_wants_does_not_count() -> None:
    other = pool("a", "z")
    other["spec"]["driver"] = "other.example.com"
    assert decided(other, pool("b", "y")).uncertain == ""


def test_the_other_allocators_have_an_order() -> None:
    plan = planned(node("n1"), gpu_class(), pool("a", "x"), pool("b", "y"), claim("c"), pod("p", "c"))
    assert outcome(plan, "p").uncertain == ""


def test_an_error_that_another_order_avoids_leaves_the_pod_undecided() -> None:
    risky = gpu_class()
    risky["spec"]["selectors"] = [{"cel": {"expression": 'device.attributes["gpu.example.com"].mode == "x"'}}]
    good = {"name": "y", "attributes": {"mode": {"string": "x"}}}
    for pools in ((pool("a", "x"), pool("b", good)), (pool("a", good), pool("b", "x"))):
        open_ = decided(*pools, device_class=risky)
        assert open_.verdict is Verdict.UNDECIDED
        assert "by the order of pools" in open_.uncertain


def test_selectors_of_the_stable_allocator_see_no_shared_devices() -> None:
    sharing = gpu_class()
    sharing["spec"]["selectors"] = [{"cel": {"expression": "device.allowMultipleAllocations"}}]
    shared = {"name": "x", "allowMultipleAllocations": True}
    assert decided(pool("a", shared), device_class=sharing).verdict is Verdict.DOES_NOT_FIT
    plan = planned(node("n1"), sharing, pool("a", shared), claim("c"), pod("p", "c"))
    assert outcome(plan, "p").verdict is Verdict.PLACED
