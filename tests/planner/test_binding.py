# FEATURE: D19
"""Claims whose devices are still being prepared: ready, waiting, failed, out of time (scheduling.md §5, §10, §11)."""

from datetime import datetime
from typing import Any

import pytest

from dractl.planner.settings import Settings
from dractl.solution.outcomes import PodOutcome, Verdict
from tests.planner.world import DRIVER, claim, gpu_class, gpus, node, outcome, planned, pod

READY, FAILED = "x.example.com/ready", "x.example.com/failed"
STAMP = "2026-01-31T12:00:00Z"
DEADLINE = "2026-01-31T12:10:00Z"
DEVICE: Any = {"name": "a", "bindingConditions": [READY], "bindingFailureConditions": [FAILED]}


def held(conditions: dict[str, str], *, stamp: str | None = STAMP, reserved: str = "someone") -> dict[str, Any]:
    """A claim that holds the device, with what its driver says about it."""
    result = {"request": "r", "driver": DRIVER, "pool": "n1", "device": "a"}
    allocation: dict[str, Any] = {
        "devices": {
            "results": [{**result, "bindingConditions": [READY], "bindingFailureConditions": [FAILED]}],
        },
        "nodeSelector": {
            "nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]
        },
    }
    if stamp is not None:
        allocation["allocationTimestamp"] = stamp
    listed = [
        {"type": kind, "status": status, "reason": "r", "message": "", "lastTransitionTime": STAMP}
        for kind, status in conditions.items()
    ]
    status: dict[str, Any] = {"allocation": allocation}
    if listed:
        status["devices"] = [{"driver": DRIVER, "pool": "n1", "device": "a", "conditions": listed}]
    if reserved:
        status["reservedFor"] = [{"resource": "pods", "name": reserved, "uid": reserved}]
    whole = claim("c")
    whole["metadata"]["uid"] = "uid-of-c"
    return {**whole, "status": status}


def running(name: str) -> dict[str, Any]:
    whole = pod(name, nodeName="n1")
    whole["metadata"]["uid"] = name
    return whole


def decided(held_claim: dict[str, Any], now: str | None = STAMP, settings: str | None = None) -> PodOutcome:
    moment = datetime.fromisoformat(now) if now is not None else None
    plan = planned(
        *(node("n1"), gpu_class(), gpus("n1", DEVICE), held_claim, running("someone"), pod("p", "c")),
        settings=Settings(now=moment, feature_gates=settings),
    )
    return outcome(plan, "p")


def test_all_conditions_true_is_ready() -> None:
    assert decided(held({READY: "True"})).verdict is Verdict.PLACED


@pytest.mark.parametrize("conditions", [{}, {READY: "False"}, {READY: "Unknown", FAILED: "False"}])
def test_a_condition_that_is_not_true_yet_is_waited_for_until_the_deadline(conditions: dict[str, str]) -> None:
    waiting = decided(held(conditions), now="2026-01-31T12:09:59Z")
    assert waiting.verdict is Verdict.WAITING
    assert waiting.placement is not None
    assert waiting.waiting_for == f"binding conditions are not true yet: {READY} of {DRIVER}/n1/a (until {DEADLINE})"


def test_behind_the_deadline_the_claim_is_not_available() -> None:
    refused = decided(held({}), now="2026-01-31T12:10:01Z")
    assert refused.verdict is Verdict.DOES_NOT_FIT
    assert "1 resourceclaim not available on the node" in refused.message
    ((reason,),) = [each.reasons for each in refused.rejections]
    assert f"took too long: {READY} was not true by {DEADLINE}" in str(reason)


@pytest.mark.parametrize("now", [None, "2036-01-01T00:00:00+02:00"])
def test_without_a_time_of_allocation_or_a_clock_it_is_never_overdue(now: str | None) -> None:
    stamp = STAMP if now is None else None
    assert decided(held({}, stamp=stamp), now=now).verdict is Verdict.WAITING


def test_a_failure_makes_the_claim_unavailable_whatever_else_is_true() -> None:
    refused = decided(held({READY: "True", FAILED: "True"}))
    assert refused.verdict is Verdict.DOES_NOT_FIT
    ((reason,),) = [each.reasons for each in refused.rejections]
    assert f"binding of {DRIVER}/n1/a has failed ({FAILED})" in str(reason)


def test_a_claim_that_nobody_else_reserves_loses_its_devices_and_gets_new_ones() -> None:
    again = decided(held({FAILED: "True"}, reserved=""))
    assert again.verdict is Verdict.WAITING
    assert again.placement is not None
    assert again.placement.allocations
    assert (
        again.waiting_for == f"binding conditions are not true yet: {READY} of {DRIVER}/n1/a (for at most 10 minutes)"
    )


def test_while_the_gate_is_off_nobody_looks_at_conditions() -> None:
    assert decided(held({FAILED: "True"}), settings="DRADeviceBindingConditions=false").verdict is Verdict.PLACED


def test_a_second_pod_of_the_claim_waits_with_the_first() -> None:
    plan = planned(node("n1"), gpu_class(), gpus("n1", DEVICE), claim("c"), pod("p", "c"), pod("q", "c"))
    assert outcome(plan, "p").verdict is Verdict.WAITING
    assert outcome(plan, "q").verdict is Verdict.WAITING


def test_the_optimum_waits_as_well() -> None:
    plan = planned(
        *(node("n1"), gpu_class(), gpus("n1", DEVICE), held({}), running("someone"), pod("p", "c")),
        settings=Settings(wants_optimum=True),
    )
    assert plan.optimum is not None
    (only,) = plan.optimum.answer.outcomes
    assert only.verdict is Verdict.WAITING
