"""An alternative that is never reached.

An earlier alternative of `firstAvailable` asks for the same class with no more selectors, no more devices and no
other conditions: whatever would satisfy the later one satisfies the earlier one.

Why: alternatives are tried in order, and the first that fits is taken. The later one is only there to be read.

Example:

    firstAvailable:
    - {name: any, deviceClassName: gpu}
    - {name: large, deviceClassName: gpu, selectors: [{cel: {expression: …}}]}

Instead: the more particular alternative first.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import ClaimAsked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.problem.demands import Demand


def check(context: LintContext) -> Iterator[Remark]:
    """Pairs of alternatives of which the earlier takes everything that the later could."""
    for claim in context.claims:
        for number, request in enumerate(claim.demand.requests):
            seen: list[Demand] = []
            for index, later in enumerate(request.alternatives):
                cover = next((earlier for earlier in seen if _covers(claim, earlier, later)), None)
                seen.append(later)
                if cover is not None:
                    yield Remark(
                        f"alternative {later.spoken_name} is never reached: {cover.spoken_name} before it asks for "
                        "no more, so that it fits wherever this one does",
                        claim.request_place(number).at("firstAvailable", index),
                        claim.subject,
                        f"put {later.spoken_name} before {cover.spoken_name}",
                    )


def _covers(claim: ClaimAsked, earlier: Demand, later: Demand) -> bool:
    if earlier.wants_all or later.wants_all or earlier.class_name != later.class_name:
        return False
    named = {earlier.ref.name, later.ref.name}
    if any(named & constraint.requests for constraint in claim.demand.constraints):
        return False
    fewer = {use.expression for use in earlier.selectors.selectors} <= {
        use.expression for use in later.selectors.selectors
    }
    tolerant = set(map(repr, later.tolerations)) <= set(map(repr, earlier.tolerations))
    capacity = all(later.capacity.get(name) == amount for name, amount in earlier.capacity.items())
    # A capacity that is not asked for may be taken as a whole, so fewer amounts are not always less.
    same_capacity = capacity and len(earlier.capacity) == len(later.capacity)
    same_derived = {name: each.expression for name, each in earlier.derived.items()} == {
        name: each.expression for name, each in later.derived.items()
    }
    return fewer and tolerant and same_capacity and same_derived and (earlier.count or 0) <= (later.count or 0)


RULE = Rule("DRA114", "alternative-never-reached", Severity.WARNING, __doc__, check, needs_all=("ResourceSlice",))
