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

from collections.abc import Collection, Iterator, Sequence

from dractl.finding import Severity
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.grouping import Member, fit_together, members_by_set
from dractl.observe.lint.partitions import Amounts, budget
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed


def check(context: LintContext) -> Iterator[Remark]:
    """Grouped devices without any companion, in sets where somebody has one."""
    if context.cluster.features.compatibility_groups:
        for pool in context.pools.values():
            by_set = members_by_set(pool)
            held = budget(pool)
            for name, members in by_set.items():
                elsewhere = {
                    group for other in by_set if other != name for each in by_set[other] for group in each.groups
                }
                for member in _mistaken(members, elsewhere, held):
                    yield _remark(name, member, members)


def _mistaken(members: Sequence[Member], elsewhere: Collection[str], held: Amounts) -> Sequence[Member]:
    """Those without a companion who would fit beside one.

    Where nobody has a companion, those are right whose groups the pool's other sets know, and the rest is mistaken;
    where these do not tell, one slip made all of them lonely, and the last stands for it.
    """
    grouped = [each for each in members if each.groups]
    alone = [each for each in grouped if not any(each.groups & other.groups for other in grouped if other is not each)]
    lonely = [each for each in alone if any(fit_together(each, other, held) for other in grouped if other is not each)]
    if len(alone) < len(grouped):
        return lonely
    unknown = [each for each in lonely if each.groups.isdisjoint(elsewhere)]
    return unknown if len(unknown) < len(lonely) else lonely[-1:]


def _remark(name: str, member: Member, members: Sequence[Member]) -> Remark:
    known = list(dict.fromkeys(group for each in members if each is not member for group in sorted(each.groups)))
    number = next(n for n, use in enumerate(member.device.consumesCounters or ()) if use.counterSet == name)
    return Remark(
        f"device {member.device.name} shares no compatibility group of counter set {name} with any other: "
        "it is never in use beside one",
        member.place.at("consumesCounters", number, "compatibilityGroups"),
        member.subject,
        did_you_mean(min(member.groups), known) or f"the others have {listed(known)}",
    )


RULE = Rule("DRA311", "group-of-one", Severity.WARNING, __doc__, check, needs_all=("ResourceSlice",))
