"""`-o wide`: one line per device, with its driver and pool, the claim object, shares, capacity and conditions."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from dractl.api.resource import DeviceRequestAllocationResult
from dractl.cluster.binding import device_conditions
from dractl.planner.plan import Answer, Plan
from dractl.report.canvas import Canvas
from dractl.report.containers import draw_containers
from dractl.report.device_states import draw_states
from dractl.report.metadata import draw_given
from dractl.report.page import NOTHING, node_cell, page, verdict_cell
from dractl.report.rows import Row
from dractl.report.shares import cpus_cell, has_machines, memory_cell, numa_cell
from dractl.report.view import View
from dractl.solution.outcomes import PodOutcome

_CPUS = ("CPUS", "NUMA", "MEMORY")


class WideColumns:
    """Everything that an allocation says about a device; what the pod has of its node where machines are known."""

    def __init__(self, *, with_cpus: bool) -> None:
        self._with_cpus = with_cpus
        self.header: Sequence[str] = (*self._HEADER, *_CPUS) if with_cpus else self._HEADER

    _HEADER: Sequence[str] = (
        "POD",
        "NODE",
        "CLAIM",
        "RESOURCECLAIM",
        "REQUEST",
        "OUTCOME",
        "DRIVER",
        "POOL",
        "DEVICE",
        "CAPACITY",
        "SHARE",
        "CONDITIONS",
    )

    def lines(self, row: Row) -> Iterator[Sequence[str | Text]]:
        """A line per device, one without for a request that has none."""
        claim = row.use.entry if row.use is not None else NOTHING
        name = row.use.ref.name if row.use is not None and row.use.ref is not None else NOTHING
        known = (str(row.outcome.pod), node_cell(row), claim, name, row.request or NOTHING, verdict_cell(row.outcome))
        outcome = row.outcome
        cpus = (cpus_cell(outcome), numa_cell(outcome), memory_cell(outcome)) if self._with_cpus else ()
        if not row.results:
            yield (*known, *(NOTHING,) * 6, *cpus)
        for result in row.results:
            yield (*known, *_device(result), _conditions(row, result), *cpus)


def render(plan: Plan, view: View) -> str:
    """The page with these columns, what each container gets, what is reported of devices, and given metadata."""

    def draw(canvas: Canvas, answer: Answer, outcomes: Sequence[PodOutcome]) -> None:
        draw_containers(canvas, answer, outcomes)
        draw_states(canvas, plan, view)
        draw_given(canvas, plan, view)

    return page(plan, view, WideColumns(with_cpus=has_machines(plan)), draw)


def _device(result: DeviceRequestAllocationResult) -> Iterator[str]:
    yield result.driver
    yield result.pool
    yield f"{result.device} (admin)" if result.adminAccess else result.device
    capacity = result.consumedCapacity or {}
    yield ",".join(f"{name}={amount}" for name, amount in sorted(capacity.items())) or NOTHING
    yield result.shareID or NOTHING


def _conditions(row: Row, result: DeviceRequestAllocationResult) -> str:
    """Binding conditions, each with its status if the driver has set one, and failures that have happened."""
    claim = row.use.claim if row.use is not None else None
    known = {each.type: each.status for each in device_conditions(claim, result)} if claim is not None else {}
    texts = [f"{name}={known[name]}" if name in known else name for name in result.bindingConditions or ()]
    texts += [f"{name}=True" for name in result.bindingFailureConditions or () if known.get(name) == "True"]
    return ",".join(texts) or NOTHING
