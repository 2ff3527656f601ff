"""`-o tree`: by node, then by NUMA node where machines are known: what is placed there, and what is placed nowhere."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from dractl.api.identities import DeviceId
from dractl.planner.plan import Answer, Plan
from dractl.report.canvas import Canvas
from dractl.report.page import is_marked, page
from dractl.report.phrases import device_names
from dractl.report.rows import Row, rows_of
from dractl.report.shares import cpus_cell, has_machines, numa_cell
from dractl.report.table import TableColumns
from dractl.report.view import View
from dractl.solution.outcomes import PodOutcome, Verdict

_NOWHERE = "on no node"


class _Branch(Struct):
    """A line of the tree and those below it."""

    text: str
    below: list["_Branch"] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The branch with everything below it."""
        yield self.text
        for each in self.below:
            is_last = each is self.below[-1]
            first, *rest = each.lines()
            yield f"{'└── ' if is_last else '├── '}{first}"
            yield from (f"{'    ' if is_last else '│   '}{line}" for line in rest)


def render(plan: Plan, view: View) -> str:
    """The page with a tree in place of the table."""
    with_cpus = has_machines(plan)

    def draw(canvas: Canvas, answer: Answer, outcomes: Sequence[PodOutcome]) -> None:
        for node in _nodes(answer, outcomes, with_cpus=with_cpus):
            for line in node.lines():
                canvas.line(line)

    return page(plan, view, TableColumns(with_cpus=with_cpus), draw_pods=draw)


def _nodes(answer: Answer, outcomes: Sequence[PodOutcome], *, with_cpus: bool) -> Iterator[_Branch]:
    by_node: dict[str, list[PodOutcome]] = {}
    for outcome in outcomes:
        by_node.setdefault(outcome.placement.node if outcome.placement is not None else "", []).append(outcome)
    nowhere = by_node.pop("", [])
    for node, there in sorted(by_node.items()):
        yield _Branch(node, list(_by_numa(answer, there) if with_cpus else _pods(answer, there, with_cpus=False)))
    if nowhere:
        yield _Branch(_NOWHERE, list(_pods(answer, nowhere, with_cpus=False)))


def _by_numa(answer: Answer, outcomes: Iterable[PodOutcome]) -> Iterator[_Branch]:
    """The pods by the NUMA nodes of their CPUs or memory; those that have none of their own come last."""
    by_numa: dict[str, list[PodOutcome]] = {}
    for outcome in outcomes:
        share = outcome.placement.share if outcome.placement is not None else None
        by_numa.setdefault(numa_cell(outcome) if share is not None and share.numa else "", []).append(outcome)
    shared = by_numa.pop("", [])
    for numa, there in sorted(by_numa.items()):
        yield _Branch(f"NUMA {numa}", list(_pods(answer, there, with_cpus=True)))
    yield from _pods(answer, shared, with_cpus=False)


def _pods(answer: Answer, outcomes: Iterable[PodOutcome], *, with_cpus: bool) -> Iterator[_Branch]:
    for outcome in outcomes:
        mark = "*" if is_marked(outcome) else ""
        cpus = f"  CPUs {cpus_cell(outcome)}" if with_cpus else ""
        verdict = f"  {outcome.verdict}" if outcome.verdict is not Verdict.PLACED else ""
        rows = rows_of(answer, [outcome]) if outcome.placement is not None else ()
        yield _Branch(f"{outcome.pod}{mark}{cpus}{verdict}", [_request(row) for row in rows if row.use is not None])


def _request(row: Row) -> _Branch:
    name = f"{row.use.entry}/{row.request}" if row.use is not None and row.request else row.use.entry if row.use else ""
    devices = device_names((DeviceId(each.driver, each.pool, each.device) for each in row.results), row.node)
    return _Branch(f"{name}  {' '.join(devices)}".rstrip())
