"""A slice of an old generation.

The pool has slices of a newer generation, so that this one does not exist for the scheduler.

Why: its devices are not there. If the newer slices are for other nodes only, **the whole pool vanishes** from this
node: two drivers, or one on two nodes, publish under one pool name and outdate each other's slices.

Example: slice a with `pool: {name: gpus, generation: 1}` for node a, slice b with `generation: 2` for node b.

Instead: a pool name for each node, usually the node's own; delete slices that are outdated.
"""

from collections.abc import Iterator

from dractl.api.resource import ResourceSlice
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted, verb


def check(context: LintContext) -> Iterator[Remark]:
    """Every slice that is not of its pool's newest generation."""
    for pool in context.pools.values():
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


def _fate(slice_: ResourceSlice, number: int, nodes: set[str | None]) -> str:
    if slice_.spec.nodeName and slice_.spec.nodeName not in nodes:
        return f"{verb(number, 'vanishes', 'vanish')} from node {slice_.spec.nodeName}"
    return f"{verb(number, 'does', 'do')} not count"


RULE = Rule("DRA303", "slice-stale", Severity.WARNING, __doc__, check)
