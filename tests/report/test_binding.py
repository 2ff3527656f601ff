# FEATURE: D19
"""How far binding is, as the wide page and the JSON show it."""

from datetime import datetime
from typing import Any

import jsonschema
import pytest

from dractl.planner.settings import Settings
from dractl.report import wide
from dractl.report.json import report
from tests.cli.test_outputs import SCHEMA
from tests.report.worlds import claim, device_class, node, planned, request, slice_of

DEVICE = "{name: a, bindingConditions: [x.example.com/ok], bindingFailureConditions: [x.example.com/no]}"
POD = """apiVersion: v1
kind: Pod
metadata: {name: p, namespace: ml}
spec:
  resourceClaims: [{name: d, resourceClaimName: gpus}]
  containers: [{name: c, image: i, resources: {claims: [{name: d}]}}]
"""


def held(conditions: str) -> str:
    return f"""{claim(f"[{request()}]").replace("namespace: ml}", "namespace: ml, uid: u}")}status:
  allocation:
    allocationTimestamp: "2026-01-31T12:00:00Z"
    devices:
      results:
      - request: r
        driver: gpu.example.com
        pool: n1
        device: a
        bindingConditions: [x.example.com/ok]
        bindingFailureConditions: [x.example.com/no]
  devices:
  - {{driver: gpu.example.com, pool: n1, device: a, conditions: [{conditions}]}}
  reservedFor: [{{resource: pods, name: someone, uid: someone}}]
"""


def condition(kind: str, status: str) -> str:
    more = "lastTransitionTime: '2026-01-31T12:00:00Z', reason: r, message: ''"
    return f"{{type: x.example.com/{kind}, status: '{status}', {more}}}"


SOMEONE = POD.replace("name: p,", "name: someone, uid: someone,").replace("spec:", "spec:\n  nodeName: n1")


@pytest.mark.parametrize(
    ("conditions", "now", "binding", "shown"),
    [
        (condition("ok", "True"), "12:05:00", {"state": "ready", "until": None}, "x.example.com/ok=True"),
        ("", "12:05:00", {"state": "waiting", "until": "2026-01-31T12:10:00Z"}, "x.example.com/ok"),
        (condition("ok", "False"), "12:15:00", {"state": "overdue", "until": "2026-01-31T12:10:00Z"}, "ok=False"),
        (
            condition("no", "True"),
            "12:05:00",
            {"state": "failed", "until": "2026-01-31T12:10:00Z"},
            "x.example.com/ok,x.example.com/no=True",
        ),
    ],
)
def test_state_and_deadline(conditions: str, now: str, binding: dict[str, Any], shown: str) -> None:
    moment = datetime.fromisoformat(f"2026-01-31T{now}Z")
    world = (node(), device_class(), slice_of(DEVICE), held(conditions), SOMEONE, POD)
    plan, view = planned(*world, settings=Settings(now=moment))
    data = report(plan, view)
    jsonschema.validate(data, SCHEMA, cls=jsonschema.Draft202012Validator)
    (pod,) = data["prediction"]["pods"]
    assert pod["claims"][0]["binding"] == binding
    assert shown in wide.render(plan, view)


def test_new_allocations_wait_without_a_deadline() -> None:
    plan, view = planned(node(), device_class(), slice_of(DEVICE), claim(f"[{request()}]"), POD)
    (pod,) = report(plan, view)["prediction"]["pods"]
    assert pod["claims"][0]["binding"] == {"state": "waiting", "until": None}
