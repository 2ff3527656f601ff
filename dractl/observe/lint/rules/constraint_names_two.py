"""A constraint names two attributes, and only one counts.

It has `matchAttribute` and `distinctAttribute`.

Why: the API server lets it in, and the scheduler looks at `matchAttribute` alone: that the devices differ is not asked.

Example:

    constraints:
    - matchAttribute: resource.kubernetes.io/numaNode
      distinctAttribute: gpu.example.com/board

Instead: a constraint for each of them.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Every constraint as it is written (dra.md §5)."""
    for claim in context.claims:
        for number, constraint in enumerate(claim.spec.devices.constraints or ()):
            if constraint.matchAttribute is not None and constraint.distinctAttribute is not None:
                place = claim.place.at("constraints", number, "distinctAttribute")
                message = f"{constraint.distinctAttribute} is not looked at, as the constraint has matchAttribute too"
                yield Remark(message, place, claim.subject, "write a constraint for each of the two")


RULE = Rule("DRA121", "constraint-names-two", Severity.WARNING, __doc__, check)
