"""Slices of a pool disagree about their number.

Slices of one generation declare different values of `resourceSliceCount`.

Why: the scheduler compares with the slice that its cache happens to list first, and that order is not fixed. The pool
is complete for one scheduler and incomplete for the next, and pods are placed or not by chance.

Example: slice a says `resourceSliceCount: 1`, slice b of the same pool and generation says 2.

Instead: the same number in all slices of a generation, and a new generation whenever it changes.
"""

from collections.abc import Iterator

from dractl.cluster.contradictions import contradictions
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """One remark for each such pool, at its first slice by name."""
    for found in contradictions(context.cluster.slices):
        first = found.slices[0]
        yield Remark(
            f"{found}; which one counts is left to chance",
            context.place_of_slice(first).at("spec", "pool", "resourceSliceCount"),
            f"ResourceSlice {first.metadata.name}",
            "write the number of slices of this generation into all of them",
        )


RULE = Rule("DRA302", "slice-counts-disagree", Severity.ERROR, __doc__, check, covers=("pools/contradiction",))
