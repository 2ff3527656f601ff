"""Devices with and without compatibility groups share a counter set.

Why: a device that names no groups is compatible only with devices that name none, and the other way round. As soon as
one of the two sorts is in use, every device of the other sort is refused. A driver that adds groups to some
partitions usually means the others to go with all of them.

Example:

    devices:
    - name: half-0
      consumesCounters: [{counterSet: gpu-0, compatibilityGroups: [mig], …}]
    - name: half-1
      consumesCounters: [{counterSet: gpu-0, …}]

Instead: groups for every device of the set; a device that goes with several names them all. A device that takes the
set as a whole needs no group, as nothing fits beside it.
"""

from collections.abc import Iterator

from dractl.api.resource import Device
from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext, PoolSlices
from dractl.observe.lint.grouping import Member, fit_together, members_by_set
from dractl.observe.lint.partitions import budget
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """The first ungrouped device of each set that would fit beside a grouped one."""
    if context.cluster.features.compatibility_groups:
        for pool in context.pools.values():
            yield from _of_pool(pool)


def _of_pool(pool: PoolSlices) -> Iterator[Remark]:
    held = budget(pool)
    for name, members in members_by_set(pool).items():
        grouped = [each for each in members if each.groups]
        pairs = (
            (bare, other) for bare in members if not bare.groups for other in grouped if fit_together(bare, other, held)
        )
        found = next(pairs, None)
        if found is not None:
            bare, other = found
            yield Remark(
                f"device {bare.device.name} names no compatibility group of counter set {name}, and "
                f"{other.device.name} does: the two are never in use together, although their counters would fit",
                _place(bare, name),
                bare.subject,
                f"name a group of {other.device.name}, for example {min(other.groups)}",
            )


def _place(member: Member, counter_set: str) -> Place:
    return member.place.at("consumesCounters", _use(member.device, counter_set))


def _use(device: Device, counter_set: str) -> int:
    return next(n for n, use in enumerate(device.consumesCounters or ()) if use.counterSet == counter_set)


RULE = Rule("DRA310", "groups-mixed", Severity.WARNING, __doc__, check)
