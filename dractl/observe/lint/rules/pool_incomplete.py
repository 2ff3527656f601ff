"""A pool has another number of slices than it announces.

`spec.pool.resourceSliceCount` of the slices of the newest generation is not how many of them there are.

Why: nothing is allocated from a pool that is not complete, and every request for `All` devices fails because of it,
whatever driver it asks for.

Example: two slices of pool `node-a`, both with `resourceSliceCount: 3`.

Instead: the number of slices of the generation in each of them, and one pool name in all of them. In a dump of a
cluster it may be a moment in which the driver was about to publish; if it stays, look for a driver that crashed or that
may not create slices.
"""

from collections.abc import Iterator

from dractl.cluster.pools import PoolState
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.parted import Misnamed, is_parted_by_generation, misnamed_pools
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted, verb


def check(context: LintContext) -> Iterator[Remark]:
    """Pools whose slices agree about a number that is not theirs; zero is refused elsewhere.

    That the others are at an old generation is told elsewhere, and that they have another name at those.
    """
    misnamed = misnamed_pools(context)
    for pool in context.pools.values():
        if is_parted_by_generation(pool):
            continue
        if (pair := misnamed.get(pool.id)) is not None:
            yield from _misnamed(pair) if pool is pair.odd else ()
            continue
        announced = {each.object.spec.pool.resourceSliceCount for each in pool.current}
        expected, there = next(iter(announced)), len(pool.current)
        where = context.nodes_with(pool.id, PoolState.INCOMPLETE)
        if len(announced) == 1 and expected > 0 and expected != there and where is not None:
            first = pool.current[0]
            yield Remark(
                f"pool {pool.id} announces {counted(expected, 'slice')}, and {there} {verb(there, 'is', 'are')} there: "
                f"nothing is allocated from it{where}",
                first.place.at("spec", "pool", "resourceSliceCount"),
                str(first.ref),
                f"write {there}, or add the missing {verb(expected - there, 'slice', 'slices')}"
                if expected > there
                else f"write {there}",
            )


def _misnamed(pair: Misnamed) -> Iterator[Remark]:
    for each in pair.odd.current:
        expected, there = each.object.spec.pool.resourceSliceCount, len(pair.odd.current)
        yield Remark(
            f"pool {pair.odd.id} announces {counted(expected, 'slice')}, and {there} {verb(there, 'is', 'are')} there; "
            f"pool {pair.meant} has the other {expected - there}: nothing is allocated from the two",
            each.place.at("spec", "pool", "name"),
            str(each.ref),
            f"did you mean {pair.meant.pool}?",
        )


RULE = Rule("DRA301", "pool-incomplete", Severity.WARNING, __doc__, check, needs_all=("ResourceSlice",))
