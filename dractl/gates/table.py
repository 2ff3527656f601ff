"""The feature gates that matter to device allocation and kubelet placement, release by release (gates.md §1)."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from msgspec import Struct

RELEASES: Final = ("1.34", "1.35", "1.36", "1.37")


class Stage(Enum):
    """How mature a gate is in one release; the value is the word that is shown."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "GA"
    DEPRECATED = "deprecated"


class Gate(Struct, frozen=True):
    """One gate in one release. `needs` are the gates that must be on with it; a locked one cannot be changed."""

    name: str
    stage: Stage
    default: bool
    locked: bool
    needs: tuple[str, ...]


_BASE: Final = "DynamicResourceAllocation"
_COMPATIBILITY: Final = "DRAFractionalCapacityRange"
_STAND_BY_THEMSELVES: Final = ("DRADeviceTaintRules", _COMPATIBILITY, "DRAResourceClaimDeviceStatus")

COMPATIBILITY_GATES: Final = frozenset({_COMPATIBILITY})
"""Gates that also need `--min-compatibility-version` of their own release, whatever is set (gates.md §2)."""

# Per release 1.34 … 1.37: `–` unknown, `a` alpha, `b` beta, `G` general, `D` deprecated; `+` on, `-` off; `L` locked.
_ROWS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    (_BASE, "G+  G+L G+L G+L", ()),
    ("DRAAdminAccess", "b+  b+  G+L G+L", ()),
    ("DRAConsumableCapacity", "a-  a-  b+  b+", ()),
    ("DRADerivedAttributes", "–   –   –   a-", ()),
    ("DRADeviceBindingConditions", "a-  a-  b+  b+", ("DRAResourceClaimDeviceStatus",)),
    ("DRADeviceCompatibilityGroups", "–   –   –   a-", ("DRAPartitionableDevices",)),
    ("DRADeviceTaintRules", "–   a-  b-  G+", ("DRADeviceTaints",)),
    ("DRADeviceTaints", "a-  a-  b+  G+", ()),
    ("DRAExtendedResource", "a-  a-  b+  G+L", ()),
    (_COMPATIBILITY, "–   –   –   b-", ("DRAConsumableCapacity",)),
    ("DRAListTypeAttributes", "–   –   a-  a-", ()),
    ("DRANodeAllocatableResources", "–   –   a-  a-", ()),
    ("DRAOptionalNodeOperations", "–   –   –   a-", ("NodeDeclaredFeatures",)),
    ("DRAPartitionableDevices", "a-  a-  b+  b+", ()),
    ("DRAPartitionableDevicesType", "–   –   –   a-", ("DRAPartitionableDevices", "DRAResourcePoolStatus")),
    ("DRAPrioritizedList", "b+  b+  G+  G+L", ()),
    ("DRAResourceClaimDeviceStatus", "b+  b+  b+  G+L", ()),
    ("DRAResourceClaimGranularStatusAuthorization", "–   –   b+  b+", ("DRAResourceClaimDeviceStatus",)),
    ("DRAResourcePoolStatus", "–   –   a-  a-", ()),
    ("DRASchedulerFilterTimeout", "b+  b+  b+  b+", ()),
    ("DRAWorkloadResourceClaims", "–   –   a-  b-", ("GenericWorkload",)),
    ("ResourceHealthStatus", "a-  a-  b+  b+", (_BASE,)),
    ("ResourceHealthStatusMessage", "–   –   b+  b+", ("ResourceHealthStatus",)),
    ("GenericWorkload", "–   a-  a-  b-", ()),
    ("GangScheduling", "–   a-  a-  –", ("GenericWorkload",)),
    ("WorkloadAwarePreemption", "–   –   a-  –", ("GangScheduling",)),
    ("TopologyAwareWorkloadScheduling", "–   –   a-  a-", ("GenericWorkload",)),
    ("WorkloadWithJob", "–   –   a-  a-", ("GenericWorkload",)),
    ("CompositePodGroup", "–   –   –   a-", ("GenericWorkload", "TopologyAwareWorkloadScheduling")),
    ("PodGroupPreemptionPolicy", "–   –   –   a-", ("GenericWorkload",)),
    ("CPUManagerPolicyOptions", "G+L G+L G+L G+L", ()),
    ("CPUManagerPolicyBetaOptions", "b+  b+  b+  b+", ()),
    ("CPUManagerPolicyAlphaOptions", "a-  a-  a-  a-", ()),
    ("DisableCPUQuotaWithExclusiveCPUs", "b+  b+  D+  D+L", ()),
    ("TopologyManagerPolicyOptions", "G+  G+  G+L G+L", ()),
    ("TopologyManagerPolicyBetaOptions", "b+  b+  b+  b+", ()),
    ("TopologyManagerPolicyAlphaOptions", "a-  a-  a-  a-", ()),
    ("MemoryManager", "G+L G+L –   –", ()),
    ("WindowsCPUAndMemoryAffinity", "a-  a-  a-  a-", ()),
    ("PodLevelResources", "b+  b+  b+  b+", ()),
    ("PodLevelResourceManagers", "–   –   a-  b-", ("PodLevelResources",)),
    ("PodLevelResourcesFixDefaulting", "–   –   –   b+", ("PodLevelResources",)),
    ("PodLevelResourcesFixKubeletQOSClass", "–   –   –   b+", ("PodLevelResources",)),
    ("InPlacePodVerticalScaling", "b+  G+L G+L G+L", ()),
    (
        "InPlacePodLevelResourcesVerticalScaling",
        "–   a-  b+  b+",
        ("InPlacePodVerticalScaling", "PodLevelResources", "NodeDeclaredFeatures"),
    ),
    ("InPlacePodVerticalScalingExclusiveCPUs", "a-  a-  a-  a-", ("InPlacePodVerticalScaling",)),
    ("InPlacePodVerticalScalingExclusiveMemory", "a-  a-  a-  a-", ("InPlacePodVerticalScaling",)),
    ("NodeDeclaredFeatures", "–   a-  b+  G+L", ()),
    ("KubeletPodResourcesDynamicResources", "b+  b+  G+L G+L", ()),
    ("KubeletPodResourcesGet", "b+  b+  G+L G+L", ()),
    ("MemoryQoS", "a-  a-  a-  b+", ()),
    ("MaxUnavailableStatefulSet", "a-  b+  b-  b+", ()),
    ("MatchLabelKeysInPodTopologySpread", "b+  b+  b+  b+", ()),
    ("NodeInclusionPolicyInPodTopologySpread", "G+L G+L G+L G+L", ()),
    ("TaintTolerationComparisonOperators", "–   a-  a-  a-", ()),
    ("OpportunisticBatching", "–   b+  b+  b+", ()),
)

_STAGES: Final = {"a": Stage.ALPHA, "b": Stage.BETA, "G": Stage.GA, "D": Stage.DEPRECATED}

ALL_NAMES: Final = frozenset(name for name, _, _ in _ROWS)
"""Every gate that any of the releases knows."""


def gates_of(release: str) -> Mapping[str, Gate]:
    """The gates that a release knows, in the table's order. Raises KeyError for a release outside `RELEASES`."""
    return _BY_RELEASE[release]


def _read(column: int) -> Mapping[str, Gate]:
    gates = {}
    for name, states, needs in _ROWS:
        state = states.split()[column]
        if state != "–":
            gates[name] = Gate(name, _STAGES[state[0]], state[1] == "+", state.endswith("L"), _with_base(name, needs))
    return MappingProxyType(gates)


def _with_base(name: str, needs: tuple[str, ...]) -> tuple[str, ...]:
    """Gates of device allocation need it as a whole, but for a few."""
    return (_BASE, *needs) if name.startswith("DRA") and name not in _STAND_BY_THEMSELVES else needs


_BY_RELEASE: Final = {release: _read(column) for column, release in enumerate(RELEASES)}
