"""A constraint asks for a value that the devices of its requests cannot share.

All requests of a `matchAttribute` constraint have candidates with the attribute, but no value occurs at the
candidates of all of them: other values, or another type (a version never equals a string).

Why: the claim can never be allocated. The drivers mean different things by one name, or write it differently
(`0000:3b:00.0` and `3b:00.0`).

Example: the GPUs publish `resource.kubernetes.io/numaNode` as an int, the NICs as a string.

Instead: an attribute that both drivers write alike.
"""

from collections.abc import Iterator, Sequence

from dractl.finding import Severity
from dractl.observe.lint.constraining import Bound, bound_requests
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed
from dractl.problem.constraints import ConstraintKind


def check(context: LintContext) -> Iterator[Remark]:
    """Match constraints over at least two requests."""
    for claim in context.claims:
        for number, constraint in enumerate(claim.demand.constraints):
            if constraint.kind is not ConstraintKind.MATCH:
                continue
            bound = [each for each in bound_requests(context, claim, constraint) if each.count]
            if len(bound) > 1 and all(each.values for each in bound) and not _common(bound):
                shown = "; ".join(f"{each.request} can have {_shown(each)}" for each in bound)
                yield Remark(
                    f"no value of {constraint.attribute} is common to all requests: {shown}",
                    claim.place.at("constraints", number, str(constraint.kind)),
                    claim.subject,
                )


def _common(bound: Sequence[Bound]) -> bool:
    return bool(frozenset.intersection(*(each.values for each in bound)))


def _shown(bound: Bound) -> str:
    return listed(f"{value} ({kind})" for kind, value in sorted(bound.values, key=str))


RULE = Rule(
    "DRA106",
    "constraint-values-disjoint",
    Severity.WARNING,
    __doc__,
    check,
    needs_slices=True,
    needs_all=("ResourceSlice",),
)
