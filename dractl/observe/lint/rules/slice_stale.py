"""A slice of an old generation.

The pool has slices of a newer generation, so that this one does not exist for the scheduler.

Why: its devices are not there. If the newer slices are for other nodes only, **the whole pool vanishes** from this
node: two drivers, or one on two nodes, publish under one pool name and outdate each other's slices.

Example: slice a with `pool: {name: gpus, generation: 1}` for node a, slice b with `generation: 2` for node b.

Instead: a pool name for each node, usually the node's own; delete slices that are outdated.
"""

from collections import Counter
from collections.abc import Iterator

from dractl.api.objects import Sourced
from dractl.api.resource import ResourceSlice
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext, PoolSlices
from dractl.observe.lint.parted import is_parted_by_generation
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted, listed, verb


def check(context: LintContext) -> Iterator[Remark]:
    """Every slice that is not of its pool's newest generation; of half a pool, those at the odd generation."""
    for pool in context.pools.values():
        if is_parted_by_generation(pool):
            yield from _parted(pool)
            continue
        nodes = {each.object.spec.nodeName for each in pool.current}
        for each in pool.stale:
            spec = each.object.spec
            newest = pool.current[0].object.spec.pool.generation
            number = len(spec.devices or ())
            yield Remark(
                f"pool {pool.id} is at generation {newest}, this slice at {spec.pool.generation}: "
                f"its {counted(number, 'device')} {_fate(each.object, number, nodes)}",
                each.place.at("spec", "pool", "generation"),
                str(each.ref),
                "give each node a pool of its own" if spec.nodeName not in nodes else "delete the old slice",
            )


def _parted(pool: PoolSlices) -> Iterator[Remark]:
    """The slices that are at the generation at which fewer of the pool's are, else those of the older one."""
    every = (*pool.current, *pool.stale)
    times = Counter(map(_generation, every))
    generations = sorted(times)
    rarest = min(generations, key=lambda generation: times[generation])
    for each in every:
        if _generation(each) == rarest:
            yield Remark(
                f"pool {pool.id} announces {counted(len(every), 'slice')}, and they are at generations "
                f"{listed(generations)}: nothing is allocated from it",
                each.place.at("spec", "pool", "generation"),
                str(each.ref),
                "write one generation into all of them, or delete those that are outdated",
            )


def _generation(slice_: Sourced[ResourceSlice]) -> int:
    return slice_.object.spec.pool.generation


def _fate(slice_: ResourceSlice, number: int, nodes: set[str | None]) -> str:
    if slice_.spec.nodeName and slice_.spec.nodeName not in nodes:
        return f"{verb(number, 'vanishes', 'vanish')} from node {slice_.spec.nodeName}"
    return f"{verb(number, 'does', 'do')} not count"


RULE = Rule("DRA303", "slice-stale", Severity.WARNING, __doc__, check)
