"""`-o table`, the default: one line per pod and request."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from dractl.api.identities import DeviceId
from dractl.api.resource import DeviceRequestAllocationResult
from dractl.planner.plan import Plan
from dractl.report.page import NOTHING, node_cell, page, verdict_cell
from dractl.report.phrases import device_name
from dractl.report.rows import Row
from dractl.report.shares import cpus_cell, has_machines, numa_cell
from dractl.report.view import View
from dractl.solution.outcomes import Verdict

_CPUS = ("CPUS", "NUMA")


class TableColumns:
    """Pod, node, claim, request and the devices by name; CPUs and NUMA nodes where machines are known."""

    def __init__(self, *, with_cpus: bool) -> None:
        self._with_cpus = with_cpus
        self.header: Sequence[str] = ("POD", "NODE", "CLAIM", "REQUEST", "DEVICES", *_CPUS[: 2 * with_cpus])

    def lines(self, row: Row) -> Iterator[Sequence[str | Text]]:
        """One line."""
        claim = row.use.entry if row.use is not None else NOTHING
        cpus = (cpus_cell(row.outcome), numa_cell(row.outcome)) if self._with_cpus else ()
        yield str(row.outcome.pod), node_cell(row), claim, row.request or NOTHING, self._devices(row), *cpus

    def _devices(self, row: Row) -> str | Text:
        if row.outcome.placement is None:
            return verdict_cell(row.outcome)
        names = " ".join(_device(result, row.node) for result in row.results) or NOTHING
        return names if row.outcome.verdict is Verdict.PLACED else f"{names} ({row.outcome.verdict})"


def render(plan: Plan, view: View) -> str:
    """The page with these columns."""
    return page(plan, view, TableColumns(with_cpus=has_machines(plan)))


def _device(result: DeviceRequestAllocationResult, node: str) -> str:
    name = device_name(DeviceId(result.driver, result.pool, result.device), node)
    return f"{name} (admin)" if result.adminAccess else name
