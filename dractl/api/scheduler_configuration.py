"""What a KubeSchedulerConfiguration says about the default profile, as values: which plugins count, and how much."""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field

from dractl.errors import Place

DEFAULT_WEIGHTS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "TaintToleration": 3,
        "NodeAffinity": 2,
        "PodTopologySpread": 2,
        "InterPodAffinity": 2,
        "DynamicResources": 2,
        "NodeResourcesFit": 1,
        "NodeResourcesBalancedAllocation": 1,
        "ImageLocality": 1,
    }
)
"""The scores of the default profile, by plugin (scheduling.md §8)."""

FILTERS: Final = (
    "NodeUnschedulable",
    "NodeName",
    "TaintToleration",
    "NodeAffinity",
    "NodePorts",
    "NodeResourcesFit",
    "PodTopologySpread",
    "InterPodAffinity",
)
"""The filters that a configuration may take away, and the prediction then does without."""


class ScoringType(StrEnum):
    """How NodeResourcesFit scores what is requested of a node."""

    LEAST_ALLOCATED = "LeastAllocated"
    MOST_ALLOCATED = "MostAllocated"
    REQUESTED_TO_CAPACITY_RATIO = "RequestedToCapacityRatio"


class ScoringStrategy(Struct, frozen=True):
    """`resources` are weights by resource name, `shape` points of utilization (0 to 100) and score (0 to 10)."""

    type: ScoringType = ScoringType.LEAST_ALLOCATED
    resources: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({"cpu": 1, "memory": 1}))
    shape: tuple[tuple[int, int], ...] = ()


class ConfiguredSpread(Struct, frozen=True):
    """A soft constraint for pods that have none of their own."""

    topology_key: str
    max_skew: int


class SchedulerConfiguration(Struct, frozen=True):
    """Defaults are those of v1.37.2.

    `weights` are of the plugins that score, `disabled_filters` names of `FILTERS`, `balanced_resources` those whose use
    is to be even. `filter_timeout` of zero means none.
    `spreads` None means the system's own constraints. `timeouts` are where the input sets `filterTimeout` and
    `bindingTimeout`, by field.
    """

    weights: Mapping[str, int] = field(default_factory=lambda: DEFAULT_WEIGHTS)
    disabled_filters: frozenset[str] = frozenset()
    preempts: bool = True
    scoring: ScoringStrategy = ScoringStrategy()
    balanced_resources: tuple[str, ...] = ("cpu", "memory")
    ignored_resources: frozenset[str] = frozenset()
    ignored_groups: frozenset[str] = frozenset()
    hard_affinity_weight: int = 1
    ignores_preferences_of_existing_pods: bool = False
    spreads: tuple[ConfiguredSpread, ...] | None = None
    filter_timeout: timedelta = timedelta(seconds=10)
    binding_timeout: timedelta = timedelta(seconds=600)
    looks_at_all_nodes: bool = False
    timeouts: Mapping[str, Place] = field(default_factory=dict)
    without_devices: Place | None = None
    """Where the profile takes away the plugin that allocates devices."""
