"""The filter for devices: allocated claims must be usable on the node, the others must fit there (scheduling.md §5)."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from dractl.api.core import Node
from dractl.api.identities import ClaimRef
from dractl.api.resource import AllocationResult
from dractl.cluster.availability import is_reachable, why_unusable
from dractl.cluster.state import ClusterState
from dractl.problem.demands import ClaimDemand
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem, build_problem
from dractl.scheduler.refusal import Code, Plugin, Refused
from dractl.solution.allocation import build_allocation
from dractl.solution.outcomes import AllocatorFailed, ClaimElsewhere, SearchGaveUp
from dractl.solution.picks import Decision, Fitting, GaveUp, Tries

Decide = Callable[[Problem], Decision]
"""How claims on a node are decided; `dractl.search.first_fit` or something that goes on where it gives up."""


class DevicesFound(Struct, frozen=True):
    """The allocations of the pod's unallocated claims on a node, and how many devices the scheduler tries for them."""

    allocations: Mapping[ClaimRef, AllocationResult]
    tries: Tries = Tries()


class DeviceError(Struct, frozen=True):
    """An error that ends the attempt on all nodes."""

    fault: AllocationFault


def find_devices(
    state: ClusterState, node: Node, demands: Sequence[ClaimDemand], decide: Decide
) -> DevicesFound | Refused | DeviceError:
    """What the node can give to claims that have no devices yet."""
    problem = build_problem(node, state.pools_of(node), demands, state.usage, state.cluster.features)
    decision = decide(problem)
    if isinstance(decision, Fitting):
        return _results(problem, decision)
    if isinstance(decision, AllocationFault):
        if decision.fatal:
            return DeviceError(decision)
        return Refused(Plugin.DEVICES, Code.UNRESOLVABLE, (AllocatorFailed(decision),), (decision.text,))
    if isinstance(decision, GaveUp):
        reason, text = SearchGaveUp(decision.steps), "timed out trying to allocate devices"
        return Refused(Plugin.DEVICES, Code.UNRESOLVABLE, (reason,), (text,))
    return Refused.for_lack_of_devices(tuple(demand.ref for demand in demands), decision.tries)


def refuse_elsewhere(state: ClusterState, node: Node, allocated: Sequence[ClaimRef]) -> Refused | None:
    """A claim that has its devices cannot be used on the node; this is looked at last (scheduling.md §5)."""
    elsewhere = [reason for claim in allocated if (reason := _unavailable(state, claim, node)) is not None]
    if not elsewhere:
        return None
    return Refused(Plugin.DEVICES, Code.UNRESOLVABLE, tuple(elsewhere), ("resourceclaim not available on the node",))


def _unavailable(state: ClusterState, claim: ClaimRef, node: Node) -> ClaimElsewhere | None:
    held = state.claims[claim]
    if not is_reachable(held, node):
        return ClaimElsewhere(claim, held.status.allocation.nodeSelector if held.status.allocation else None)
    because = why_unusable(held, node, state.cluster.features, state.cluster.now)
    return ClaimElsewhere(claim, because=because) if because else None


def _results(problem: Problem, fitting: Fitting) -> DevicesFound | DeviceError:
    allocations: dict[ClaimRef, AllocationResult] = {}
    for picks in fitting.claims:
        allocation = build_allocation(problem, picks)
        if isinstance(allocation, AllocationFault):
            return DeviceError(allocation)
        allocations[picks.claim.ref] = allocation
    return DevicesFound(allocations, fitting.tries)
