"""Extended resources that devices serve, as amounts that can be scored.

The default configuration scores CPU and memory alone. One that names such a resource has v1.37.2 count devices on the
nodes that have no device plugin for it: all that match the class, whether taints, pools or counters let anybody have
them or not, and those of outdated generations as well.
"""

from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.quantity import NANO
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.problem.faults import AllocationFault
from dractl.problem.selectors import SelectorChain

_NO_CLAIM = ClaimRef("", "")


class ServedResources(Struct, frozen=True):
    """The classes that serve a pod's extended resources, by resource name."""

    state: ClusterState
    classes: Mapping[str, str]

    def there_and_taken(self, resource: str, node: NodeState) -> tuple[int, int]:
        """How much of the resource the node has, and how much of that is taken, in nano-units."""
        devices = self._matching(self.classes[resource], node)
        taken = sum(self.state.usage.is_allocated(device) for device in devices)
        return len(devices) * NANO, taken * NANO

    def _matching(self, class_name: str, node: NodeState) -> tuple[DeviceId, ...]:
        """The node's devices that match the class; none where a selector fails on one of them."""
        key = ("devices of a class", class_name, node.name)
        answers = self.state.answers
        if key not in answers:
            answers[key] = self._look(class_name, node)
        return cast("tuple[DeviceId, ...]", answers[key])

    def _look(self, class_name: str, node: NodeState) -> tuple[DeviceId, ...]:
        selectors = self.state.cluster.classes[class_name].spec.selectors or ()
        chain = SelectorChain.of(f"class {class_name}", selectors, _NO_CLAIM, ())
        found = []
        for device in self.state.cluster.pools.devices_on(node.node):
            judged = chain.judge(device)
            if isinstance(judged, AllocationFault):
                return ()
            if judged is None:
                found.append(device.id)
        return tuple(found)
