# FEATURE: D21
"""Devices whose driver skips node operations need a node that declares the feature (dra.md §11.2, scheduling.md §5)."""

from typing import Any

import pytest

from dractl.planner.settings import Settings
from dractl.solution.outcomes import PodOutcome, Verdict
from tests.planner.world import DRIVER, claim, devices, gpu_class, gpus, node, outcome, planned, pod

FEATURE = "DRAOptionalNodeOperations"


def declaring(name: str) -> dict[str, Any]:
    whole = node(name)
    whole["status"]["declaredFeatures"] = [FEATURE]
    return whole


def decided(where: dict[str, Any], settings: str | None = None, held: bool = False) -> PodOutcome:
    listed = gpus("n1", "a", skipNodeOperations=["*"])
    asked: dict[str, Any] = claim("c")
    if held:
        result = {"request": "r", "driver": DRIVER, "pool": "n1", "device": "a", "skipNodeOperations": ["*"]}
        asked["metadata"]["uid"] = "u"
        asked["status"] = {
            "allocation": {"devices": {"results": [result]}},
            "reservedFor": [{"resource": "pods", "name": "other", "uid": "other"}],
        }
    other = pod("other", nodeName="n1")
    other["metadata"]["uid"] = "other"
    plan = planned(
        *(where, gpu_class(), listed, asked, other, pod("p", "c")), settings=Settings(feature_gates=settings)
    )
    return outcome(plan, "p")


@pytest.mark.parametrize("held", [False, True])
def test_a_node_has_to_declare_the_feature(held: bool) -> None:
    refused = decided(node("n1"), held=held)
    assert refused.verdict is Verdict.DOES_NOT_FIT
    assert decided(declaring("n1"), held=held).verdict is Verdict.PLACED


def test_the_operations_go_into_the_result() -> None:
    placed = decided(declaring("n1"))
    assert placed.placement is not None
    (allocation,) = placed.placement.allocations.values()
    assert [result.skipNodeOperations for result in allocation.devices.results or ()] == [["*"]]


def test_an_allocator_that_does_not_know_the_field_allocates_and_leaves_it_out() -> None:
    placed = decided(node("n1"), settings=f"{FEATURE}=false")
    assert devices(placed) == ["a"]
    assert placed.placement is not None
    (allocation,) = placed.placement.allocations.values()
    assert [result.skipNodeOperations for result in allocation.devices.results or ()] == [None]
