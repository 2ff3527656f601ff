"""One device name stands for devices of several nodes.

Slices of one pool list a device of the same name for different nodes.

Why: a device is known by driver, pool and name, and by nothing else. Both are one device to the scheduler: allocated
on one node, it counts as in use on the other, and its taints and status are those of both.

Example: slices of pool `gpus` for node a and for node b, each with a `gpu-0`.

Instead: a pool for each node, named like the node.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """The first such name of each pool and node."""
    for pool in context.pools.values():
        first: dict[str, str] = {}
        told: set[str] = set()
        for each in pool.current:
            spec = each.object.spec
            for number, device in enumerate(spec.devices or ()):
                node = device.nodeName if spec.perDeviceNodeSelection else spec.nodeName
                other = first.setdefault(device.name, node) if node else node
                if node and other != node and node not in told:
                    told.add(node)
                    yield Remark(
                        f"device {device.name} of pool {pool.id} is on node {other} already: "
                        f"allocated there, it is in use on {node} too",
                        each.place.at("spec", "devices", number, "name"),
                        str(each.ref),
                        "give each node a pool of its own, named like the node",
                    )


RULE = Rule("DRA305", "device-name-on-several-nodes", Severity.ERROR, __doc__, check)
