"""A device is listed twice in a pool.

Two slices of the pool, or one of them twice, list a device of the same name for the same nodes.

Why: the pool is invalid, and nothing is allocated from it. Every request for `All` devices fails because of it.

Example: `gpu-0` in slice a and in slice b of one generation.

Instead: each device in one slice. A driver that moves a device to another slice has to publish a new generation.
"""

from collections.abc import Iterator

from dractl.api.objects import Sourced
from dractl.api.resource import ResourceSlice
from dractl.cluster.pools import PoolState
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext, PoolSlices
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """The second entry of each name."""
    for pool in context.pools.values():
        where = context.nodes_with(pool.id, PoolState.INVALID)
        if where is not None:
            yield from _of_pool(pool, where)


def _of_pool(pool: PoolSlices, where: str) -> Iterator[Remark]:
    first: dict[str, Sourced[ResourceSlice]] = {}
    for each in pool.current:
        if each.object.spec.sharedCounters:
            continue
        for number, device in enumerate(each.object.spec.devices or ()):
            other = first.setdefault(device.name, each)
            is_again = other is not each or number != _index(each.object, device.name)
            if is_again and _nodes(other.object) == _nodes(each.object):
                lister = "this slice" if other is each else f"slice {other.ref.name}"
                yield Remark(
                    f"{lister} of pool {pool.id} lists {device.name} already: "
                    f"the pool is invalid, nothing is allocated from it{where}",
                    each.place.at("spec", "devices", number, "name"),
                    str(each.ref),
                    "take one of the two entries out, or name it otherwise if it is another device",
                )


def _index(slice_: ResourceSlice, name: str) -> int:
    return next(number for number, device in enumerate(slice_.spec.devices or ()) if device.name == name)


def _nodes(slice_: ResourceSlice) -> object:
    spec = slice_.spec
    return spec.nodeName, spec.allNodes, spec.nodeSelector, spec.perDeviceNodeSelection


RULE = Rule("DRA304", "device-listed-twice", Severity.ERROR, __doc__, check)
