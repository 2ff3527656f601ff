# FEATURE: D19, D22
"""What is said where binding has failed, and of taints that rules put on devices."""

from datetime import datetime

import pytest

from dractl.planner.settings import Settings
from dractl.report.explanation import Explainer
from tests.report.test_binding import DEVICE, condition, held
from tests.report.worlds import claim, device_class, node, planned, pod, request, slice_of

RULE = """apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: broken-boards}
spec: {deviceSelector: {driver: gpu.example.com}, taint: {key: broken, effect: NoSchedule}}
"""
UNSHARED = "\n  reservedFor: [{resource: pods, name: someone, uid: someone}]\n"


@pytest.mark.parametrize(
    ("conditions", "now", "because"),
    [
        (condition("no", "True"), "12:05:00", "has failed (x.example.com/no)"),
        ("", "12:15:00", "took too long: x.example.com/ok was not true by 2026-01-31T12:10:00Z"),
    ],
)
def test_a_claim_that_loses_its_allocation_says_why(conditions: str, now: str, because: str) -> None:
    before = held(conditions).replace(UNSHARED, "\n")
    settings = Settings(now=datetime.fromisoformat(f"2026-01-31T{now}+00:00"))
    plan, _ = planned(node(), device_class(), slice_of(DEVICE), before, pod(), settings=settings)
    waiting, given_up = Explainer(plan).of(plan.prediction.outcomes[0]).reasons
    assert waiting.text.startswith("binding conditions are not true yet: x.example.com/ok of gpu.example.com/n1/a")
    assert given_up.text == f"claim devices loses its earlier allocation: binding of gpu.example.com/n1/a {because}"


def test_a_taint_of_a_rule_names_the_rule_and_one_of_the_driver_does_not() -> None:
    own = "{name: g1, taints: [{key: broken, effect: NoSchedule}]}"
    plan, _ = planned(node(), device_class(), slice_of("g0", own), RULE, claim(f"[{request()}]"), pod())
    reason = Explainer(plan).of(plan.prediction.outcomes[0]).reasons[1]
    assert "g0 has the taint broken:NoSchedule of DeviceTaintRule broken-boards, which" in reason.text
    assert "g1 has the taint broken:NoSchedule, which" in reason.text
