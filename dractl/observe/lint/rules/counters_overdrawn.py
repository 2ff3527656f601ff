"""Allocated devices consume more of a counter than there is.

The devices of a pool that are allocated now consume together more than `sharedCounters` holds: the driver has
published other counters since they were allocated.

Why: as long as one counter is overdrawn, **no** device of the pool that consumes counters can be allocated, whichever
set it consumes from.

Example: two halves of a GPU are in use when the driver republishes the pool with half of its memory.

Instead: end one of the pods, or publish the counters as the hardware has them.
"""

from collections.abc import Iterator

from dractl.api.identities import ClaimRef, DeviceId
from dractl.cluster.usage import Usage
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.partitions import budget, consumed, counter_sets, devices_of
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed


def check(context: LintContext) -> Iterator[Remark]:
    """The first overdrawn counter of each pool, with those who hold its devices."""
    usage = Usage.of(context.cluster.claims.values(), context.cluster.features)
    for pool in context.pools.values():
        left = dict(budget(pool))
        holders: dict[tuple[str, str], list[ClaimRef]] = {}
        for device, _, _ in devices_of(pool):
            identity = DeviceId(pool.id.driver, pool.id.pool, device.name)
            if usage.is_allocated(identity):
                for key, amount in consumed(device).items():
                    left[key] = left.get(key, 0) - amount
                    holders.setdefault(key, []).extend(usage.holders(identity))
        over = next((key for key, amount in left.items() if amount < 0 and key[0] in counter_sets(pool)), None)
        if over is not None:
            first = next(each for each in pool.current if each.object.spec.sharedCounters)
            yield Remark(
                f"counter {over[0]}/{over[1]} of pool {pool.id} is overdrawn by what "
                f"{listed(dict.fromkeys(holders[over]))} hold: no partition of the pool can be allocated",
                first.place.at("spec", "sharedCounters"),
                str(first.ref),
                "end one of their pods, or publish the counters as the hardware has them",
            )


RULE = Rule("DRA309", "counters-overdrawn", Severity.WARNING, __doc__, check)
