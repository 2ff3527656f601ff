"""A constraint asks for what the devices of its requests cannot be together.

No value of the attribute of `matchAttribute` occurs at devices of all requests that it binds: other values, or another
type (a version never equals a string). Or no node has so many devices that show one value; or, for
`distinctAttribute`, so many that all show different ones.

Why: the claim can never be allocated, however many devices are free. The drivers mean different things by one name, or
write it differently (`0000:3b:00.0` and `3b:00.0`), or the machines are built otherwise.

Example: the GPUs publish `resource.kubernetes.io/numaNode` as an int, the NICs as a string. Or a request for two GPUs
with `matchAttribute: resource.kubernetes.io/pcieRoot`, and each GPU of a node hangs on a root of its own.

Instead: an attribute that both drivers write alike, one that more devices share (or, to differ, do not share), or fewer
devices. Counted is for the nodes of the input, as if nobody used a device; requests for All are passed by.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.finding import Severity
from dractl.observe.lint.constraining import Bound, Values, bound_requests
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.fulfilling import Unfulfilled, unfulfilled
from dractl.observe.lint.odd_devices import odd_devices
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed, verb
from dractl.problem.constraints import Constraint, ConstraintKind

_REMEDIES: Final = {
    ConstraintKind.MATCH: "ask for fewer devices, or compare an attribute that more of them share",
    ConstraintKind.DISTINCT: "ask for fewer devices, or for a difference that more of them have",
}


def check(context: LintContext) -> Iterator[Remark]:
    """Constraints whose requests all have candidates with the attribute, and none that has it under a like name.

    That they lack it is told elsewhere.
    """
    may_lack_nodes = context.may_lack("Node")
    for claim in context.claims:
        for number, constraint in enumerate(claim.demand.constraints):
            bound = [each for each in bound_requests(context, claim, constraint) if each.count]
            if not bound or not all(each.values for each in bound):
                continue
            if any(odd.written for each in bound for odd in odd_devices(context, constraint.attribute, each)):
                continue
            place = claim.place.at("constraints", number, str(constraint.kind))
            disjoint = _disjoint(constraint, bound)
            if disjoint:
                yield Remark(disjoint, place, claim.subject)
                continue
            found = None if may_lack_nodes else unfulfilled(context, constraint.kind, bound)
            if found is not None:
                yield Remark(_on_no_node(constraint, bound, found), place, claim.subject, _REMEDIES[constraint.kind])


def _disjoint(constraint: Constraint, bound: Sequence[Bound]) -> str:
    if constraint.kind is not ConstraintKind.MATCH or frozenset.intersection(*(each.values for each in bound)):
        return ""
    shown = "; ".join(f"{each.request} can have {_listed(each.values)}" for each in bound)
    return f"no value of {constraint.attribute} is common to all requests: {shown}"


def _on_no_node(constraint: Constraint, bound: Sequence[Bound], found: Unfulfilled) -> str:
    number = sum(each.count for each in bound)
    who = f"{verb(len(bound), 'request', 'requests')} {listed(each.request for each in bound)}"
    asks = f"{who} {verb(len(bound), 'asks', 'ask')} for {number} devices"
    how = "with one value of" if constraint.kind is ConstraintKind.MATCH else "that all differ in"
    return (
        f"{asks} {how} {constraint.attribute}, and no node has so many: those of {found.node} show "
        f"{_listed(found.values)}"
    )


def _listed(values: Values) -> str:
    return listed(f"{value} ({kind})" for kind, value in sorted(values, key=str))


RULE = Rule(
    "DRA106",
    "constraint-values-disjoint",
    Severity.WARNING,
    __doc__,
    check,
    needs_slices=True,
    needs_all=("ResourceSlice",),
)
