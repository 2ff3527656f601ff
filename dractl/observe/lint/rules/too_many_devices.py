"""A claim asks for more devices than a claim can hold.

The counts of its requests add up to more than 32, of alternatives the smallest ones; or a request for `All` devices
matches more than 32 on a node.

Why: the API server lets the claim in, and then the scheduler gives up each pod that uses it, with an error.

Example:

    requests:
    - {name: a, exactly: {deviceClassName: gpu, count: 20}}
    - {name: b, exactly: {deviceClassName: gpu, count: 20}}

Instead: several claims in the pod; each may hold 32.
"""

from collections.abc import Iterator
from itertools import islice

from dractl.finding import Severity
from dractl.observe.lint.context import ClaimAsked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.problem.demands import DEVICES_PER_CLAIM


def check(context: LintContext) -> Iterator[Remark]:
    """The request at which the sum passes the limit, and what All would take on the nodes."""
    for claim in context.claims:
        total = 0
        alternatives = iter(claim.asked)
        for request in claim.demand.requests:
            own = islice(alternatives, len(request.alternatives))
            fewest = min(own, key=lambda asked: asked.demand.count or 0, default=None)
            before = total
            total += (fewest.demand.count or 0) if fewest is not None else 0
            if fewest is not None and before <= DEVICES_PER_CLAIM < total:
                yield Remark(
                    f"with request {request.name} the claim asks for {total} devices; it can hold {DEVICES_PER_CLAIM}",
                    fewest.place.at("count"),
                    claim.subject,
                    "spread the requests over several claims of the pod",
                )
        yield from _everything(context, claim)


def _everything(context: LintContext, claim: ClaimAsked) -> Iterator[Remark]:
    for asked in claim.asked:
        if asked.demand.wants_all and asked.demand.device_class is not None:
            most, node = context.most_on_a_node(context.matching(asked.demand.selectors))
            if most > DEVICES_PER_CLAIM:
                yield Remark(
                    f"request {asked.demand.ref.name} takes all {most} matching devices of node {node}; "
                    f"a claim can hold {DEVICES_PER_CLAIM}",
                    asked.place.at("allocationMode"),
                    asked.subject,
                    "narrow the selectors, or ask for a count",
                )


RULE = Rule("DRA112", "too-many-devices", Severity.ERROR, __doc__, check)
