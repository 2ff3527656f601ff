# FEATURE: D15
"""Faults that no rule can undo, and faults of older releases: what meets them is named."""

from typing import Any

import pytest

from dractl.planner.plan import Plan
from dractl.planner.settings import Settings
from tests.planner.world import DRIVER, claim, gpu_class, gpus, node, planned, pod
from tests.upstream.test_planned import board, counted, holds, user_of

GATES = ",".join(
    f"{gate}=true" for gate in ("DRAListTypeAttributes", "DRAPartitionableDevices", "DRAConsumableCapacity")
)


def said(of: Plan, issue: int) -> list[str]:
    """What findings about an issue say, with their subjects."""
    return [f"{each.subject}: {each.message}" for each in of.findings if each.rule == f"upstream/{issue}"]


# --- devices in use that slices do not list any more -----------------------------------------------------------------


def test_a_held_device_that_is_not_listed_any_more_is_named() -> None:
    plan = planned(
        node("n1"), gpu_class(), *board("n1", "2", counted("full", "2")), holds("own", "gone"), user_of("own")
    )
    (text,) = said(plan, 140802)
    assert text.startswith(f"ResourceClaim default/own: the claim holds {DRIVER}/n1/gone, which is not in any slice")
    assert "kubernetes#140802" in text


def test_so_is_one_of_which_an_older_slice_says_more() -> None:
    older = gpus("n1", counted("full", "2"))
    older["metadata"]["name"] = "older"
    current = board("n1", "2", counted("full", "1"))
    for each in current:
        each["spec"]["pool"]["generation"] = 2
    plan = planned(node("n1"), gpu_class(), older, *current, holds("own", "full"), user_of("own"))
    assert len(said(plan, 140802)) == 1


@pytest.mark.parametrize("what", ["listed", "no counters", "a slice is missing", "admin access"])
def test_nothing_is_said_without_need(what: str) -> None:
    slices = board("n1", "2", counted("full", "2"))
    held = holds("own", "full" if what == "listed" else "gone")
    if what == "no counters":
        slices = [gpus("n1", "a")]
    if what == "a slice is missing":
        for each in slices:
            each["spec"]["pool"]["resourceSliceCount"] = 3
    if what == "admin access":
        held["status"]["allocation"]["devices"]["results"][0]["adminAccess"] = True
    assert said(planned(node("n1"), gpu_class(), *slices, held, user_of("own")), 140802) == []


# --- faults of older releases ----------------------------------------------------------------------------------------


def numbered(name: str, *numbers: int) -> Any:
    return {"name": name, "attributes": {"numa": {"ints": list(numbers)}}}


def shareable(name: str) -> Any:
    capacity = {"memory": {"value": "8Gi", "requestPolicy": {"default": "1Gi"}}}
    return counted(name, "1", allowMultipleAllocations=True, capacity=capacity)


def shares(name: str, device: str, **fields: Any) -> dict[str, Any]:
    held = holds(name, device)
    result = held["status"]["allocation"]["devices"]["results"][0]
    result.update(shareID="6a3c5a52-7a2b-4f3e-9c39-0f0b2d6f7a11", **fields)
    return held


def tainted(name: str) -> Any:
    return counted(name, "1", taints=[{"key": "broken", "effect": "NoSchedule", "timeAdded": "2026-01-01T00:00:00Z"}])


def all_of_them(name: str) -> dict[str, Any]:
    asked = claim(name)
    asked["spec"]["devices"]["requests"][0]["exactly"] = {"deviceClassName": "gpu", "allocationMode": "All"}
    return asked


def two_requests(name: str) -> dict[str, Any]:
    asked = claim(name)
    first = asked["spec"]["devices"]["requests"][0]
    asked["spec"]["devices"]["requests"].append({**first, "name": "s"})
    return asked


def of_another_driver(slices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for number, each in enumerate(slices):
        each["metadata"]["name"] = f"other-{number}"
        each["spec"]["driver"] = "nic.example.com"
    return slices


MATCH = [{"matchAttribute": f"{DRIVER}/numa"}]
DISTINCT = [{"distinctAttribute": f"{DRIVER}/numa"}]
USED = {"consumedCapacity": {"memory": "1Gi"}}

MEETING: dict[int, list[Any]] = {
    140300: [gpus("n1", numbered("a", 1, 2), numbered("b", 1)), claim("c", 2, constraints=MATCH)],
    140438: [gpus("n1", numbered("a", 1), numbered("b", 2)), claim("c", 2, constraints=DISTINCT)],
    140436: [*board("n1", "4", tainted("a"), counted("b", "1")), claim("c")],
    140769: [*board("n1", "4", shareable("a")), all_of_them("c"), shares("h", "a", **USED), user_of("h")],
    139034: [*board("n1", "4", shareable("a")), claim("c"), shares("h", "a", **USED), user_of("h")],
    140433: [*board("n1", "4", shareable("a")), claim("c"), shares("h", "a"), user_of("h")],
    134100: [*board("n1", "4", shareable("a")), two_requests("c")],
    140435: [*board("n1", "4", counted("a", "1")), *of_another_driver(board("n1", "4", counted("a", "1"))), claim("c")],
}


@pytest.mark.parametrize("issue", MEETING)
def test_an_older_release_may_have_the_fault(issue: int) -> None:
    settings = Settings(release="1.36", feature_gates=GATES)
    (text,) = said(planned(node("n1"), gpu_class(), *MEETING[issue], pod("p", "c"), settings=settings), issue)
    assert f"a 1.36 without the fix of kubernetes#{issue} " in text


@pytest.mark.parametrize("issue", MEETING)
def test_v1_37_2_has_not(issue: int) -> None:
    plan = planned(node("n1"), gpu_class(), *MEETING[issue], pod("p", "c"))
    assert said(plan, issue) == []


def test_an_input_that_meets_nothing_is_told_nothing() -> None:
    settings = Settings(release="1.36", feature_gates=GATES)
    plan = planned(node("n1"), gpu_class(), gpus("n1", "a"), claim("c"), pod("p", "c"), settings=settings)
    assert [each.rule for each in plan.findings if each.rule.startswith("upstream/")] == []
