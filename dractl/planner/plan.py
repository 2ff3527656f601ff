"""The answer of `dractl plan`, as values; `dractl.report` puts it into words."""

from collections.abc import Mapping

from msgspec import Struct, field

from dractl.api.core import Pod
from dractl.api.device_metadata import MetadataFile
from dractl.api.identities import ClaimRef, PodRef
from dractl.api.resource import ResourceClaim
from dractl.cluster.cluster import Cluster
from dractl.cluster.upstream import UpstreamFault
from dractl.explain.facts import NodeExplanation
from dractl.explain.freeing import Freeing
from dractl.finding import Finding
from dractl.gates import Gates
from dractl.model.takeable import LeftOut
from dractl.observe.alignment import Alignment
from dractl.planner.kubelets import NodeAfter
from dractl.planner.node_start import StartedNode
from dractl.planner.settings import Preference
from dractl.solution.outcomes import PodOutcome, Verdict


class Victim(Struct, frozen=True):
    """A pod that is deleted to make room for a more important one; `uncertain` says why that is not fixed."""

    preemptor: PodRef
    uncertain: str = ""


class Answer(Struct, frozen=True, eq=False):
    """What becomes of every pod to be planned, in queue order, and the objects as a cluster would have them afterwards.

    `claims` and `pods` hold all of the cluster, with the allocations, reservations, nodes and statuses that follow.
    `preempted` are pods that are deleted to make room, running ones and some of the plan; `rooms` are the pods for
    which others might as well be deleted on another node, each with all such nodes. `checked_by` says which rules every
    placement was checked by. `kubelets` are the nodes whose machines are known, as they are in the end; `alignments`
    tell of pods on them how their devices lie to their CPUs.
    """

    outcomes: tuple[PodOutcome, ...]
    claims: Mapping[ClaimRef, ResourceClaim]
    pods: Mapping[PodRef, Pod]
    preempted: Mapping[PodRef, Victim] = field(default_factory=dict)
    rooms: Mapping[PodRef, tuple[str, ...]] = field(default_factory=dict)
    checked_by: str = ""
    kubelets: Mapping[str, NodeAfter] = field(default_factory=dict)
    alignments: Mapping[PodRef, Alignment] = field(default_factory=dict)

    def count(self, verdict: Verdict) -> int:
        """How many pods have this outcome."""
        return sum(outcome.verdict is verdict for outcome in self.outcomes)

    @property
    def aligned(self) -> int:
        """How many of the pods in `alignments` have all that they have on one NUMA node."""
        return sum(alignment.is_aligned for alignment in self.alignments.values())


class DocumentedOptimum(Struct, frozen=True):
    """How many pods could be placed if known faults of v1.37.2 were fixed, as few as possible (dra.md §18)."""

    faults: tuple[UpstreamFault, ...]
    placed: int


class Optimum(Struct, frozen=True, eq=False):
    """What could be done: at most `bound` pods can be placed, which is reached if `is_proven`.

    `left_out` is what the model could not use because looking at it raises an error.
    `documented` is there if the documented rules would allow more. `kept` are pods whose rules the model does not know,
    each with the reason: they stay as predicted, and `is_proven_beside` says that nothing does better while they do.
    `orders` are those of nodes to which pods have to come in another order than that of the queue. `rests_on_refusals`:
    what is proven is proven if kubelets that refuse some pods refuse them beside further ones too. With `prefers`
    ALIGNED, `is_aligned_proven` says that of the answers that place as many pods none aligns more; `at_home` are pods
    that are aligned if the model is right.
    """

    answer: Answer
    bound: int
    is_proven: bool
    left_out: tuple[LeftOut, ...] = ()
    documented: DocumentedOptimum | None = None
    orders: Mapping[str, tuple[PodRef, ...]] = field(default_factory=dict)
    kept: Mapping[PodRef, str] = field(default_factory=dict)
    is_proven_beside: bool = False
    rests_on_refusals: bool = False
    prefers: Preference | None = None
    is_aligned_proven: bool = False
    at_home: frozenset[PodRef] = frozenset()


class Plan(Struct, frozen=True, eq=False):
    """Prediction, optimum (if one was asked for or could be better), and why pods do not fit, node by node.

    `metadata` are the device metadata files that were given.
    """

    cluster: Cluster
    gates: Gates
    prediction: Answer
    optimum: Optimum | None
    explanations: Mapping[PodRef, tuple[NodeExplanation, ...]]
    findings: tuple[Finding, ...]
    machines: Mapping[str, StartedNode] = field(default_factory=dict)
    """The nodes whose machines are known, as they are before planning."""
    is_interrupted: bool = False
    """Whether the search of the optimum was broken off by the user; then there is none."""
    metadata: tuple[MetadataFile, ...] = ()
    freeing: Mapping[PodRef, Freeing] = field(default_factory=dict)
    """Whose deletion would free the devices that a pod lacks; asked for the first pods that do not fit."""
