"""A request asks for more devices than any node has.

Devices match, but on each node fewer than the request's `count`, even if nobody used them. In a slice with
`perDeviceNodeSelection` each device counts for its own nodes.

Why: all devices of a claim have to be usable on one node, so the pod can never run.

Example:

    exactly: {deviceClassName: gpu.example.com, count: 16}     # the largest node has 8

Instead: a smaller count, or several pods. Partitions of one device share its counters, so that even fewer may fit.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted
from dractl.problem.demands import DEVICES_PER_CLAIM


def check(context: LintContext) -> Iterator[Remark]:
    """Exact counts from two to what a claim can hold; that a request matches nothing at all is said elsewhere."""
    for asked in context.asked:
        if (
            1 < (asked.demand.count or 0) <= DEVICES_PER_CLAIM
            and asked.demand.device_class is not None
            and context.cluster.nodes
        ):
            yield from _check(context, asked)


def _check(context: LintContext, asked: Asked) -> Iterator[Remark]:
    count = asked.demand.count or 0
    matching = context.matching(asked.demand.selectors)
    if not matching:
        return
    most, node = context.most_on_a_node(matching)
    if most < count:
        where = f"; {node} has {most}" if most else ""
        yield Remark(
            f"request {asked.demand.ref.name} asks for {counted(count, 'device')}, and no node has so many{where}",
            asked.place.at("count"),
            asked.subject,
            f"ask for {most} at most, or let several pods share the work" if most else "",
        )


RULE = Rule(
    "DRA113",
    "more-than-any-node-has",
    Severity.WARNING,
    __doc__,
    check,
    needs_slices=True,
    needs_all=("ResourceSlice", "Node"),
)
