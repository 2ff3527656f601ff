"""`dractl pools`: a table for people, and the requests with their status as a cluster would have them."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from rich.text import Text

from dractl.api.codec import to_plain
from dractl.cluster.pools import PoolState
from dractl.observe.pool_overview import PoolShare, unusable
from dractl.phrases import counted
from dractl.planner.pools import AnsweredRequest, PoolsReport
from dractl.report.canvas import Canvas, styled
from dractl.report.findings import draw_findings
from dractl.report.gates import gate_notes
from dractl.report.holders import Holders
from dractl.report.view import View
from dractl.report.yaml import emit

_NOTHING: Final = "–"


def render_table(report: PoolsReport, view: View) -> str:
    """A line for each pool and node, then partitions by type, shared capacity, and what is wrong with pools."""
    canvas = Canvas(view)
    if report.shares:
        _draw_shares(canvas, report)
        _draw_partitions(canvas, report)
        _draw_shared(canvas, report)
    else:
        canvas.line(_nothing(report))
    _draw_troubles(canvas, report)
    for each in report.requests:
        _draw_request(canvas, each)
    _draw_notes(canvas, report, view)
    return canvas.text()


def _nothing(report: PoolsReport) -> str:
    if all(each.is_implied for each in report.requests):
        return "No pool: the input holds no ResourceSlice."
    return "No pool matches."


# --- tables ----------------------------------------------------------------------------------------------------------


def _draw_shares(canvas: Canvas, report: PoolsReport) -> None:
    holders = Holders(report.claims)
    rows = [(str(each.pool), *_share_cells(each, holders)) for each in report.shares]
    canvas.table(("POOL", "NODE", "DEVICES", "HELD", "TAINTED", "BLOCKED", "FREE", "HELD BY"), rows)


def _share_cells(share: PoolShare, holders: Holders) -> Iterator[str | Text]:
    yield share.where
    yield str(share.devices)
    yield str(share.held)
    yield styled(str(share.tainted), "yellow" if share.tainted else "")
    yield str(share.blocked)
    if share.is_open:
        yield styled(f"0 or {share.free}", "magenta")
    elif share.state is PoolState.COMPLETE:
        yield str(share.free)
    else:
        yield styled(f"{share.free} ({share.state})", "red")
    yield holders.described(share.holders, share.where) or _NOTHING


def _draw_partitions(canvas: Canvas, report: PoolsReport) -> None:
    rows = [
        (f"{pool.driver}/{pool.poolName}", each.attribute, each.type, str(each.total), str(each.allocatable))
        for request in report.requests
        for pool in request.pools
        for each in pool.partitionSummary or ()
    ]
    if rows:
        canvas.line()
        canvas.table(("POOL", "ATTRIBUTE", "PARTITION", "TOTAL", "ALLOCATABLE"), list(dict.fromkeys(rows)))


def _draw_shared(canvas: Canvas, report: PoolsReport) -> None:
    rows: list[tuple[str, ...]] = []
    for pool in (pool for request in report.requests for pool in request.pools):
        summary = pool.shareableSummary
        if summary is None:
            continue
        devices = (str(summary.fullyAvailableDevices), str(summary.partiallyAvailableDevices))
        name = f"{pool.driver}/{pool.poolName}"
        rows += [
            (name, *devices, each.name, str(each.total), str(each.consumed), str(each.available))
            for each in summary.capacity or ()
        ] or [(name, *devices, *[_NOTHING] * 4)]
    if rows:
        canvas.line()
        header = ("POOL", "UNSHARED", "SHARED", "CAPACITY", "TOTAL", "CONSUMED", "AVAILABLE")
        canvas.table(header, list(dict.fromkeys(rows)))


# --- remarks ---------------------------------------------------------------------------------------------------------


def _draw_troubles(canvas: Canvas, report: PoolsReport) -> None:
    lines = list(dict.fromkeys(_troubles(report)))
    if lines:
        canvas.line()
    for line in lines:
        canvas.paragraph(line, style="yellow")


def _troubles(report: PoolsReport) -> Iterator[str]:
    """What the controller finds wrong with a pool, and where the scheduler takes nothing from one."""
    for pool in (pool for request in report.requests for pool in request.pools):
        if pool.validationError is not None:
            yield pool.validationError
    for share in unusable(report.shares):
        where = f" on {share.where}" if share.is_node else ""
        yield f"pool {share.pool} is {share.state}{where} and gives no devices ({share.because})"


def _draw_request(canvas: Canvas, answered: AnsweredRequest) -> None:
    """How many pools there are, where a request asked for them."""
    status = answered.answer.status
    if answered.is_implied and status.poolCount <= len(answered.pools):
        return
    canvas.line()
    what = "" if answered.is_implied else f"{answered.request.ref.name}: "
    message = status.conditions[0].message if status.conditions else ""
    more = status.poolCount - len(answered.pools)
    beyond = f", {more} beyond the limit" if more else ""
    canvas.line(f"{what}{counted(status.poolCount, 'pool')} of driver {answered.request.object.spec.driver}{beyond}")
    if not answered.is_implied:
        canvas.line(f"  {message}")


def _draw_notes(canvas: Canvas, report: PoolsReport, view: View) -> None:
    notes = [note.text(report.gates.release) for note in gate_notes(report.gates)]
    if notes or report.findings:
        canvas.line()
    for note in notes:
        canvas.paragraph(f"note: {note}", style="cyan")
    draw_findings(canvas, report.findings, view)


# --- objects ---------------------------------------------------------------------------------------------------------


def render_json(report: PoolsReport, _: View) -> str:
    """The request with its status, or a `List` of several."""
    return json.dumps(_objects(report), indent=2, ensure_ascii=False) + "\n"


def render_yaml(report: PoolsReport, _: View) -> str:
    """The same as YAML."""
    return "\n".join(emit(_objects(report))) + "\n"


def _objects(report: PoolsReport) -> dict[str, Any]:
    objects = [_object(each) for each in report.requests]
    return objects[0] if len(objects) == 1 else {"apiVersion": "v1", "kind": "List", "items": objects}


def _object(answered: AnsweredRequest) -> dict[str, Any]:
    request = answered.request
    plain = to_plain(request.object)
    return {
        "apiVersion": request.version,
        "kind": request.ref.kind,
        "metadata": {**plain.get("metadata", {}), "name": request.ref.name},
        "spec": plain["spec"],
        "status": to_plain(answered.answer.status),
    }


FORMATS: Final[dict[str, Callable[[PoolsReport, View], str]]] = {
    "table": render_table,
    "yaml": render_yaml,
    "json": render_json,
}
"""The formats of `dractl pools`; the default comes first."""
