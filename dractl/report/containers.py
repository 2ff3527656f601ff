"""Which devices reach which container of a pod, and which calls to drivers the kubelet leaves out."""

from collections.abc import Iterator, Sequence
from typing import Any

from dractl.api.identities import DeviceId
from dractl.observe.containers import ContainerDevice, ContainerUse, container_devices
from dractl.observe.node_calls import skipped_calls
from dractl.phrases import listed
from dractl.planner.plan import Answer
from dractl.report.canvas import Canvas
from dractl.report.phrases import device_name
from dractl.report.rows import ClaimUse, claim_uses
from dractl.report.shares import draw_shares
from dractl.solution.outcomes import PodOutcome

_HEADER = ("POD", "CONTAINER", "KIND", "CLAIM", "REQUEST", "DEVICES")
_NOTHING = "–"


def container_uses(answer: Answer, outcome: PodOutcome) -> tuple[ContainerUse, ...]:
    """What the pod's containers get, or nothing where none gets a device."""
    uses = container_devices(answer.pods[outcome.pod], answer.claims)
    return uses if any(use.devices for use in uses) else ()


def draw_containers(canvas: Canvas, answer: Answer, outcomes: Sequence[PodOutcome]) -> None:
    """Tables of the containers of all pods with devices, CPUs or memory, and a line for each driver not called."""
    rows = [row for outcome in outcomes for row in _rows(answer, outcome)]
    if rows:
        canvas.line()
        canvas.table(_HEADER, rows)
    draw_shares(canvas, outcomes)
    for outcome in outcomes:
        for use in claim_uses(answer, outcome):
            for driver, calls in _skipped(use):
                text = f"{outcome.pod}: the kubelet does not call {listed(calls)} of {driver} for claim {use.entry}"
                canvas.paragraph(text)


def _rows(answer: Answer, outcome: PodOutcome) -> Iterator[Sequence[str]]:
    """A row for each container and request."""
    node = outcome.placement.node if outcome.placement is not None else ""
    for use in container_uses(answer, outcome):
        known = (str(outcome.pod), use.name, str(use.kind))
        groups: dict[tuple[str, str], list[ContainerDevice]] = {}
        for device in use.devices:
            groups.setdefault((device.entry, device.request), []).append(device)
        if not groups:
            yield (*known, _NOTHING, _NOTHING, _NOTHING)
        for (entry, request), devices in groups.items():
            yield (*known, entry or _NOTHING, request, " ".join(_device(each, node) for each in devices))


def _device(device: ContainerDevice, node: str) -> str:
    name = device_name(device.device, node)
    return name if device.is_prepared else f"{name} (not injected)"


def _skipped(use: ClaimUse) -> Iterator[tuple[str, tuple[str, ...]]]:
    allocation = use.claim.status.allocation if use.claim is not None else None
    if allocation is not None:
        yield from skipped_calls(allocation).items()


# --- as data ---------------------------------------------------------------------------------------------------------


def plain_containers(answer: Answer, outcome: PodOutcome) -> list[dict[str, Any]]:
    """The containers as `schema/plan-v1.json` has them."""
    return [
        {"name": use.name, "kind": str(use.kind), "devices": [_plain_device(each) for each in use.devices]}
        for use in container_uses(answer, outcome)
    ]


def _plain_device(device: ContainerDevice) -> dict[str, Any]:
    return {
        "claim": device.entry or None,
        "request": device.request,
        **_plain_id(device.device),
        "injected": device.is_prepared,
    }


def _plain_id(device: DeviceId) -> dict[str, str]:
    return {"driver": device.driver, "pool": device.pool, "device": device.device}


def plain_skipped_calls(use: ClaimUse) -> list[dict[str, Any]]:
    """The calls that the kubelet leaves out for one claim."""
    return [{"driver": driver, "calls": list(calls)} for driver, calls in _skipped(use)]
