"""The device manager: hints and devices of device plugins (kubelet.md §7)."""

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Final

from msgspec import Struct, field

from dractl.kubelet.demand import ContainerDemand, PodDemand, Role
from dractl.kubelet.hints import Hint, Hints, groups_over
from dractl.kubelet.refusal import Refusal, unexpected
from dractl.machine.devices import PluginDevice
from dractl.machine.idsets import NumaSet

DEVICE: Final = "device"

Ids = frozenset[str]
ByResource = Mapping[str, Ids]

_NONE: Final[Ids] = frozenset()


class Inventory(Struct, frozen=True, dict=True):
    """All devices that plugins offer on a machine with these NUMA nodes, by resource and id."""

    nodes: NumaSet
    devices: Mapping[str, Mapping[str, PluginDevice]]

    @cached_property
    def resources(self) -> frozenset[str]:
        """The resources that plugins offer."""
        return frozenset(self.devices)

    @cached_property
    def healthy(self) -> ByResource:
        """The ids of healthy devices."""
        return {
            resource: frozenset(name for name, device in devices.items() if device.healthy)
            for resource, devices in self.devices.items()
        }

    def all(self) -> tuple[PluginDevice, ...]:
        """Every device."""
        return tuple(device for devices in self.devices.values() for device in devices.values())

    def nodes_of(self, resource: str, device: str) -> int:
        """The NUMA nodes of a device, as bits; 0 for one without topology or one that is gone."""
        known = self.devices[resource].get(device)
        return 0 if known is None else known.nodes.mask

    def has_topology(self, resource: str) -> bool:
        """Whether any device of the resource, healthy or not, names a NUMA node."""
        return any(device.nodes for device in self.devices[resource].values())


def inventory_of(nodes: NumaSet, devices: Iterable[PluginDevice]) -> Inventory:
    """The devices by resource and id."""
    by_resource: dict[str, dict[str, PluginDevice]] = {}
    for device in devices:
        by_resource.setdefault(device.resource, {})[device.device] = device
    return Inventory(nodes, by_resource)


class DeviceBooks(Struct, frozen=True):
    """The devices that containers hold: by pod UID, container and resource."""

    pods: Mapping[str, Mapping[str, ByResource]] = field(default_factory=dict)

    def without(self, gone: Set[str]) -> "DeviceBooks":
        """Those pods' devices are free again."""
        if not gone & self.pods.keys():
            return self
        return DeviceBooks({uid: held for uid, held in self.pods.items() if uid not in gone})

    def with_pod(self, uid: str, held: Mapping[str, ByResource]) -> "DeviceBooks":
        """After an admission."""
        return DeviceBooks({**self.pods, uid: held}) if held else self

    def in_use(self) -> ByResource:
        """All devices that any container holds."""
        used: dict[str, set[str]] = {}
        for containers in self.pods.values():
            for held in containers.values():
                for resource, names in held.items():
                    used.setdefault(resource, set()).update(names)
        return {resource: frozenset(names) for resource, names in sorted(used.items())}


class DeviceTurn:
    """One pod's turn with the device manager: what is in use and what the pod holds change while it lasts.

    Which of several equal devices a plugin's resource gives is not fixed by the kubelet. Here it is the lowest by name;
    `open_choices` says for which containers and resources others were possible.
    """

    def __init__(
        self, inventory: Inventory, demand: PodDemand, in_use: ByResource, held: Mapping[str, ByResource]
    ) -> None:
        self.inventory: Final = inventory
        self.demand: Final = demand
        self.in_use = dict(in_use)
        self.containers = {name: dict(of_container) for name, of_container in held.items()}
        self.reusable: dict[str, Ids] = {}
        self.open_choices: set[tuple[str, str]] = set()

    # --- hints -----------------------------------------------------------------------------------------------------

    def container_hints(self, container: ContainerDemand) -> Hints:
        """Where the container's devices could come from, by resource."""
        return {
            resource: self._hints(
                resource,
                amount,
                self.containers.get(container.name, {}).get(resource, _NONE),
                self.reusable.get(resource, _NONE),
            )
            for resource, amount in container.devices
        }

    def pod_hints(self) -> Hints:
        """Where all of the pod's devices could come from together."""
        return {
            resource: self._hints(resource, amount, self._held_by_pod(resource), _NONE)
            for resource, amount in self.demand.devices
        }

    def _held_by_pod(self, resource: str) -> Ids:
        return frozenset[str]().union(*(held.get(resource, _NONE) for held in self.containers.values()))

    def _hints(self, resource: str, wanted: int, held: Ids, reusable: Ids) -> tuple[Hint, ...] | None:
        if not self.inventory.has_topology(resource):
            return None
        if held:
            return self._generated(resource, wanted, held, _NONE) if len(held) == wanted else ()
        available = self._available(resource)
        if len(available | reusable) < wanted:
            return ()
        return self._generated(resource, wanted, available, reusable)

    def _available(self, resource: str) -> Ids:
        return self.inventory.healthy[resource] - self.in_use.get(resource, _NONE)

    def _generated(self, resource: str, wanted: int, available: Ids, reusable: Ids) -> tuple[Hint, ...]:
        """Every set of the nodes that carry such devices and has enough; preferred are those of the size that all
        devices, unhealthy and busy ones too, would need."""
        nodes_of = self.inventory.nodes_of
        known = [nodes_of(resource, name) for name in self.inventory.devices[resource]]
        again = [nodes for nodes in (nodes_of(resource, name) for name in reusable) if nodes]
        free = [nodes_of(resource, name) for name in available - reusable]
        carrying = NumaSet.of_mask(_union(known)) & self.inventory.nodes or self.inventory.nodes
        fewest = len(carrying)
        fitting = []
        for group in groups_over(tuple(carrying)):
            if group.size < fewest and _touching(known, group.mask) >= wanted:
                fewest = group.size
            if all(nodes & group.mask for nodes in again) and len(again) + _touching(free, group.mask) >= wanted:
                fitting.append(group)
        return tuple(group.hint(preferred=group.size == fewest) for group in fitting)

    # --- allocation ------------------------------------------------------------------------------------------------

    def allocate(self, container: ContainerDemand, nodes: NumaSet | None) -> Refusal | None:
        """Give the container its devices; what it got before a refusal stays with it."""
        for resource, amount in container.devices:
            refusal = self._allocate(container, resource, amount, nodes)
            if refusal is not None:
                return refusal
        self._update_reusable(container)
        return None

    def _allocate(
        self, container: ContainerDemand, resource: str, amount: int, nodes: NumaSet | None
    ) -> Refusal | None:
        own = self.containers.get(container.name, {}).get(resource, _NONE)
        wanted = amount - len(own)
        if not self.inventory.healthy[resource]:
            return unexpected(f"no healthy devices present; cannot allocate unhealthy devices {resource}")
        if wanted <= 0:
            return None
        reusable = sorted(self.reusable.get(resource, _NONE) - own)
        chosen = set(reusable[:wanted])
        wanted -= len(chosen)
        if wanted:
            available = self._available(resource)
            if len(available) < wanted:
                return unexpected(
                    f"requested number of devices unavailable for {resource}. Requested: {wanted}, "
                    f"Available: {len(available)}"
                )
            aligned, others = self._classes(resource, available, nodes)
            if wanted < len(aligned) or len(aligned) < wanted < len(available):
                self.open_choices.add((container.name, resource))
            chosen.update([*aligned, *others][:wanted])
        elif len(chosen) < len(reusable):
            self.open_choices.add((container.name, resource))
        self.in_use[resource] = self.in_use.get(resource, _NONE) | chosen
        self.containers.setdefault(container.name, {})[resource] = own | chosen
        return None

    def _classes(self, resource: str, available: Ids, nodes: NumaSet | None) -> tuple[list[str], list[str]]:
        """Devices on the hinted nodes, which come first, and all others."""
        aligned: list[str] = []
        if nodes is not None and self.inventory.has_topology(resource):
            aligned = sorted(name for name in available if self.inventory.nodes_of(resource, name) & nodes.mask)
        return aligned, sorted(available.difference(aligned))

    def _update_reusable(self, container: ContainerDemand) -> None:
        for resource, names in self.containers.get(container.name, {}).items():
            before = self.reusable.get(resource, _NONE)
            self.reusable[resource] = before | names if container.role is Role.INIT else before - names


def _touching(devices: Sequence[int], mask: int) -> int:
    """How many devices are on one of the nodes."""
    return sum(1 for nodes in devices if nodes & mask)


def _union(masks: Iterable[int]) -> int:
    together = 0
    for mask in masks:
        together |= mask
    return together
