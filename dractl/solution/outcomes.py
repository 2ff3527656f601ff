"""What becomes of a pod: placed, waiting, does not fit or undecided, with typed reasons (DESIGN, words)."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from dractl.api.base import NodeSelector, Taint
from dractl.api.core import ContainerExtendedResourceRequest, NodeAllocatableResourceClaimStatus
from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.quantity import Quantity
from dractl.api.resource import AllocationResult, ResourceClaim
from dractl.cluster.scheduler_faults import SchedulerFault
from dractl.cluster.upstream import UpstreamFault
from dractl.errors import Place
from dractl.problem.faults import AllocationFault
from dractl.solution.node_share import KubeletRefusal, KubeletStop, NodeShare


class Verdict(StrEnum):
    """The four outcomes, in the words that users see."""

    PLACED = "placed"
    WAITING = "waiting"
    DOES_NOT_FIT = "does not fit"
    UNDECIDED = "undecided"


class SpecialClaim(Struct, frozen=True):
    """The claim that the scheduler makes for a pod's extended resources, and which container uses which request."""

    claim: ResourceClaim
    mappings: tuple[ContainerExtendedResourceRequest, ...]

    @property
    def ref(self) -> ClaimRef:
        """The claim by namespace and name."""
        return ClaimRef(self.claim.metadata.namespace, self.claim.metadata.name)


class Placement(Struct, frozen=True):
    """A pod on a node. `allocations` are the claims that get their devices with this placement.

    `special` is the claim that comes to be with it, for extended resources that devices serve. `node_allocatable` and
    `extra` (nano-units) are what the devices take of the node's CPU, memory and hugepages.

    Where a fault mixes claims up (`SchedulerFault.MIXED_UP_GROUP_CLAIMS`), `intended` is what was found for the claims
    of `allocations`, and `rewritten` what is written into claims that earlier pods of the group have allocated.
    """

    pod: PodRef
    node: str
    allocations: Mapping[ClaimRef, AllocationResult] = field(default_factory=dict)
    special: SpecialClaim | None = None
    node_allocatable: tuple[NodeAllocatableResourceClaimStatus, ...] = ()
    extra: Mapping[str, int] = field(default_factory=dict)
    share: NodeShare | None = None
    """What the pod has of the node's CPUs and memory; None where the node's machine is not known."""
    intended: Mapping[ClaimRef, AllocationResult] = field(default_factory=dict)
    rewritten: Mapping[ClaimRef, AllocationResult] = field(default_factory=dict)

    @property
    def decided(self) -> Mapping[ClaimRef, AllocationResult]:
        """What was found for the claims that get their devices with this placement, whatever is written."""
        return self.intended or self.allocations


# --- why a node does not take a pod ----------------------------------------------------------------------------------


class NotEnough(Struct, frozen=True):
    """A countable resource runs out: what the pod asks for and what the node has left."""

    resource: str
    wanted: Quantity
    free: Quantity


class UntoleratedNodeTaint(Struct, frozen=True):
    """A taint of the node that the pod does not tolerate."""

    taint: Taint


class NodeNotSelected(Struct, frozen=True):
    """The pod's nodeSelector, required node affinity, or nodeName rules the node out; `field` is the one that does."""

    field: str


class NodeUnschedulable(Struct, frozen=True):
    """The node is cordoned."""


class PortTaken(Struct, frozen=True):
    """A host port that the pod needs is taken on the node."""

    protocol: str
    port: int


class PodRule(StrEnum):
    """The rules between pods that need a label of the node."""

    AFFINITY = "required affinity"
    SPREAD = "topology spread constraint"


class TopologyLabelMissing(Struct, frozen=True):
    """A rule between pods speaks of a topology key that the node has no label for."""

    rule: PodRule
    key: str


class NoCompany(Struct, frozen=True):
    """No pod that the pod's required affinity asks for runs where the node has this `value` of the topology key.

    `is_anywhere` says whether one runs at another value.
    """

    key: str
    value: str
    is_anywhere: bool


class PodsInTheWay(Struct, frozen=True):
    """Anti-affinity keeps pods apart that would have the same `value` of a topology key.

    `pods` are those that run there; `theirs` says whether it is their anti-affinity, or that of the pod itself.
    """

    key: str
    value: str
    pods: tuple[PodRef, ...]
    theirs: bool


class TooUneven(Struct, frozen=True):
    """A topology spread constraint: with the pod there would be `number` of its kind at `value` of the topology key.

    The value with the fewest has `least` of them, or that counts as 0 because there are fewer values than `min_domains`
    (else 0). They may differ by `max_skew`.
    """

    key: str
    value: str
    number: int
    least: int
    max_skew: int
    min_domains: int = 0


class DeviceResources(Struct, frozen=True):
    """CPU, memory or hugepages that come with the pod's devices stand against the node, in the scheduler's words."""

    text: str


class ClaimElsewhere(Struct, frozen=True):
    """A claim of the pod is allocated already, and its devices cannot be used on this node.

    `selector` says where they can be used, if that is the reason; `because` is another reason.
    """

    claim: ClaimRef
    selector: NodeSelector | None = None
    because: str = ""


class ClaimsDoNotFit(Struct, frozen=True):
    """The allocator finds no devices for these claims together."""

    claims: tuple[ClaimRef, ...]


class AllocatorFailed(Struct, frozen=True):
    """The allocator ends with an error of its own."""

    fault: AllocationFault


class SearchGaveUp(Struct, frozen=True):
    """The search was ended before anything was proven."""

    steps: int


Rejection = (
    NotEnough
    | UntoleratedNodeTaint
    | NodeNotSelected
    | NodeUnschedulable
    | PortTaken
    | TopologyLabelMissing
    | NoCompany
    | PodsInTheWay
    | TooUneven
    | DeviceResources
    | ClaimElsewhere
    | ClaimsDoNotFit
    | AllocatorFailed
    | SearchGaveUp
)


class NodeRejection(Struct, frozen=True):
    """All reasons why one node does not take the pod, in the order in which the scheduler asks."""

    node: str
    reasons: tuple[Rejection, ...]


class GroupUnmet(Struct, frozen=True):
    """The pod's group does not start: it needs nodes for `min_count` pods and finds some for `scheduled` of them.

    `node` is where this pod would run, if it found a node.
    """

    group: ObjectRef
    min_count: int
    scheduled: int
    node: str = ""


class DocumentedFit(Struct, frozen=True):
    """What a pod that does not fit would get if known faults of v1.37.2 were fixed (dra.md §18).

    `faults` are as few as possible; the placement is that by all other rules of v1.37.2.
    """

    faults: tuple[UpstreamFault, ...]
    placement: Placement


class PodOutcome(Struct, frozen=True):
    """What becomes of one pod.

    `message` is what the cluster itself would write into the pod's condition or event, if anything. `aborted` is the
    error that ends the attempt on all nodes. `uncertain` says why the outcome rests on a choice that is not fixed;
    empty means certain. `place` is where the pod, or the template it is made from, stands. `documented` is there if the
    pod would fit by the documented rules. `faults` are those of the scheduler that the pod meets, whatever becomes of
    it; `preempted_by` is the pod for which this one, once placed, is deleted. `group_unmet` is there if too few pods of
    its group find nodes. `awaits` are pods in its way that are being deleted already.
    """

    pod: PodRef
    verdict: Verdict
    place: Place
    placement: Placement | None = None
    rejections: tuple[NodeRejection, ...] = ()
    aborted: AllocationFault | None = None
    message: str = ""
    waiting_for: str = ""
    uncertain: str = ""
    tied: tuple[str, ...] = ()
    held_by: str = ""
    is_error: bool = False
    documented: DocumentedFit | None = None
    refusal: KubeletRefusal | KubeletStop | None = None
    """Why the pod came to a node and fails there all the same."""
    faults: tuple[SchedulerFault, ...] = ()
    preempted_by: PodRef | None = None
    group_unmet: GroupUnmet | None = None
    awaits: tuple[PodRef, ...] = ()
