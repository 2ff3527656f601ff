"""Which features of the device allocator are on, and which of its implementations they select (dra.md §2)."""

from collections.abc import Collection
from datetime import timedelta
from enum import StrEnum
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from dractl.cluster.upstream import FAULTS_OF_V1_37_2, UpstreamFault

BINDING_TIMEOUT: Final = timedelta(seconds=600)
"""How long the scheduler waits for binding conditions, unless its configuration says otherwise."""


class Implementation(StrEnum):
    """The allocator exists three times; the first that knows every enabled feature is used."""

    STABLE = "stable"
    INCUBATING = "incubating"
    EXPERIMENTAL = "experimental"


class Features(Struct, frozen=True):
    """The allocator's features, each the state of the gate that is named in `GATES`, and the implementation in force.

    Made by `of`, a feature that the implementation does not know is off. `faults` are the known faults that the rules
    in force have: all of them are v1.37.2, none of them what is documented (dra.md §18). `binding_timeout` is how long
    the scheduler waits for binding conditions.
    """

    admin_access: bool = True
    prioritized_list: bool = True
    partitionable_devices: bool = True
    device_taints: bool = True
    binding_conditions: bool = True
    consumable_capacity: bool = True
    fractional_capacity_range: bool = True
    list_type_attributes: bool = True
    optional_node_operations: bool = True
    derived_attributes: bool = True
    compatibility_groups: bool = True
    implementation: Implementation = Implementation.EXPERIMENTAL
    faults: frozenset[UpstreamFault] = FAULTS_OF_V1_37_2
    binding_timeout: timedelta = BINDING_TIMEOUT

    @property
    def documented(self) -> Self:
        """The same features by the documented rules."""
        return replace(self, faults=frozenset())

    def without(self, *faults: UpstreamFault) -> Self:
        """The same features with these faults undone."""
        return replace(self, faults=self.faults.difference(faults))

    @classmethod
    def of(cls, gates: Collection[str], forced: Implementation | None = None) -> Self:
        """The features of a set of enabled gates; binding conditions also need the device status in claims."""
        states = {field: gate in gates for field, gate in GATES.items()}
        states["binding_conditions"] &= "DRAResourceClaimDeviceStatus" in gates
        implementation = forced or _implementation(states)
        known = {field: on and field not in _UNKNOWN[implementation] for field, on in states.items()}
        return cls(**known, implementation=implementation, faults=FAULTS_OF_V1_37_2, binding_timeout=BINDING_TIMEOUT)


GATES: Final[dict[str, str]] = {
    "admin_access": "DRAAdminAccess",
    "prioritized_list": "DRAPrioritizedList",
    "partitionable_devices": "DRAPartitionableDevices",
    "device_taints": "DRADeviceTaints",
    "binding_conditions": "DRADeviceBindingConditions",
    "consumable_capacity": "DRAConsumableCapacity",
    "fractional_capacity_range": "DRAFractionalCapacityRange",
    "list_type_attributes": "DRAListTypeAttributes",
    "optional_node_operations": "DRAOptionalNodeOperations",
    "derived_attributes": "DRADerivedAttributes",
    "compatibility_groups": "DRADeviceCompatibilityGroups",
}

_ALPHA: Final = frozenset(
    {"list_type_attributes", "optional_node_operations", "derived_attributes", "compatibility_groups"}
)
_BETA: Final = frozenset({"binding_conditions", "consumable_capacity", "fractional_capacity_range"})
_UNKNOWN: Final = {
    Implementation.EXPERIMENTAL: frozenset[str](),
    Implementation.INCUBATING: _ALPHA,
    Implementation.STABLE: _ALPHA | _BETA,
}


def _implementation(states: dict[str, bool]) -> Implementation:
    on = {field for field, is_on in states.items() if is_on}
    if on & _ALPHA:
        return Implementation.EXPERIMENTAL
    return Implementation.INCUBATING if on & _BETA else Implementation.STABLE
