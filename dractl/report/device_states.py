"""What drivers and kubelets report about allocated devices, beside the allocation."""

from collections.abc import Iterator, Sequence
from typing import Any

from dractl.api.codec import to_plain
from dractl.observe.health import DeviceState, HealthReport, device_states
from dractl.planner.plan import Plan
from dractl.report.canvas import Canvas
from dractl.report.metadata import network_text
from dractl.report.view import View

_HEADER = ("CLAIM", "REQUEST", "DEVICE", "HEALTH", "REPORTED FOR", "CONDITIONS", "NETWORK", "MESSAGE")
_NOTHING = "–"


def states_of(plan: Plan, view: View) -> list[DeviceState]:
    """Everything that is reported, of pods and claims that the view shows."""
    states = device_states(plan.prediction.claims, plan.prediction.pods)
    return [state for ref, found in states.items() if view.namespace in (None, ref.namespace) for state in found]


def draw_states(canvas: Canvas, plan: Plan, view: View) -> None:
    """A table with a line for each device and each container that has it."""
    rows = [row for state in states_of(plan, view) for row in _rows(state)]
    if rows:
        canvas.line()
        canvas.table(_HEADER, rows)


def _rows(state: DeviceState) -> Iterator[Sequence[str]]:
    status = state.status
    conditions = [f"{each.type}={each.status}" for each in (status.conditions if status is not None else None) or ()]
    network = network_text(status.networkData) if status is not None else ""
    for report in state.health or (None,):
        yield (
            str(state.claim),
            state.result.request,
            str(state.device),
            _health(report),
            f"{report.pod} {report.container}" if report is not None else _NOTHING,
            ",".join(conditions) or _NOTHING,
            network or _NOTHING,
            report.message if report is not None and report.message else _NOTHING,
        )


def _health(report: HealthReport | None) -> str:
    """The word, with the kubelet's id where it may be about several devices."""
    if report is None:
        return _NOTHING
    return report.health if len(report.devices) == 1 else f"{report.health} ({report.resource_id})"


def plain_states(plan: Plan, view: View) -> list[dict[str, Any]]:
    """The same as `schema/plan-v1.json` has it."""
    return [
        {
            "namespace": state.claim.namespace,
            "claim": state.claim.name,
            "request": state.result.request,
            "driver": state.result.driver,
            "pool": state.result.pool,
            "device": state.result.device,
            "shareID": state.result.shareID,
            "status": to_plain(state.status) if state.status is not None else None,
            "health": [_plain_report(report) for report in state.health],
        }
        for state in states_of(plan, view)
    ]


def _plain_report(report: HealthReport) -> dict[str, Any]:
    return {
        "pod": report.pod.name,
        "container": report.container,
        "resourceID": report.resource_id,
        "health": report.health,
        "message": report.message or None,
        "certain": len(report.devices) == 1,
    }
