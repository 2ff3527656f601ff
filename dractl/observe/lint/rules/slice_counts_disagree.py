"""Slices of a pool disagree about their number.

Slices of one generation declare different values of `resourceSliceCount`.

Why: the scheduler compares with the slice that its cache happens to list first, and that order is not fixed. The pool
is complete for one scheduler and incomplete for the next, and pods are placed or not by chance.

Example: slice a says `resourceSliceCount: 1`, slice b of the same pool and generation says 2.

Instead: the same number in all slices of a generation, and a new generation whenever it changes.
"""

from collections import Counter
from collections.abc import Iterator

from dractl.api.resource import ResourceSlice
from dractl.cluster.contradictions import Contradiction, contradictions
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Each slice whose number is not the one that is probably right; where none is, the pool's first slice by name."""
    for found in contradictions(context.cluster.slices):
        right, why = _probable(found)
        for wrong in [each for each in found.slices if right and _count(each) != right] or found.slices[:1]:
            yield Remark(
                f"{found}; which one counts is left to chance",
                context.place_of_slice(wrong).at("spec", "pool", "resourceSliceCount"),
                f"ResourceSlice {wrong.metadata.name}",
                why or "write the number of slices of this generation into all of them",
            )


def _count(slice_: ResourceSlice) -> int:
    return slice_.spec.pool.resourceSliceCount


def _probable(found: Contradiction) -> tuple[int, str]:
    """The number of slices that are there if one of them says so, else what most say; 0 if that is open."""
    declared = Counter(map(_count, found.slices))
    there = len(found.slices)
    if there in declared:
        return there, f"write {there}: so many slices of this generation are there"
    (most, times), *others = declared.most_common()
    if all(times > fewer for _, fewer in others):
        return most, f"write {most} as in the others, or the number of slices of this generation into all of them"
    return 0, ""


RULE = Rule("DRA302", "slice-counts-disagree", Severity.ERROR, __doc__, check, covers=("pools/contradiction",))
