"""A compatibility group that no other device is in.

A device names compatibility groups of a counter set, and no other device of the set names one of them, although
others would fit beside it.

Why: while the device is in use, nothing else of the set can be, and while anything else is, the device cannot: the
groups make a partition unusable next to all others. Mostly it is a slip of the pen.

Example:

    - name: half-0
      consumesCounters: [{counterSet: gpu-0, compatibilityGroups: [mgi], …}]
    - name: half-1
      consumesCounters: [{counterSet: gpu-0, compatibilityGroups: [mig], …}]

Instead: a group that the other devices of the set have too.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import LintContext, PoolSlices
from dractl.observe.lint.grouping import fit_together, members_by_set
from dractl.observe.lint.partitions import budget
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import did_you_mean, listed


def check(context: LintContext) -> Iterator[Remark]:
    """Grouped devices without any companion, in sets where somebody has one."""
    if context.cluster.features.compatibility_groups:
        for pool in context.pools.values():
            yield from _of_pool(pool)


def _of_pool(pool: PoolSlices) -> Iterator[Remark]:
    held = budget(pool)
    for name, members in members_by_set(pool).items():
        for member in members:
            others = [each for each in members if each is not member and each.groups]
            is_alone = member.groups and others and not any(member.groups & each.groups for each in others)
            if is_alone and any(fit_together(member, each, held) for each in others):
                known = list(dict.fromkeys(group for each in others for group in sorted(each.groups)))
                number = next(n for n, use in enumerate(member.device.consumesCounters or ()) if use.counterSet == name)
                yield Remark(
                    f"device {member.device.name} shares no compatibility group of counter set {name} with any other: "
                    "it is never in use beside one",
                    member.place.at("consumesCounters", number, "compatibilityGroups"),
                    member.subject,
                    did_you_mean(min(member.groups), known) or f"the others have {listed(known)}",
                )


RULE = Rule("DRA311", "group-of-one", Severity.WARNING, __doc__, check, needs_all=("ResourceSlice",))
