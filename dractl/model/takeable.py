"""Which devices a demand can have at all on a node, and which are left out because looking at them raises an error."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from dractl.api.identities import ClaimRef, DeviceId, RequestRef
from dractl.problem.candidates import Candidate
from dractl.problem.demands import ClaimDemand, Demand
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem


class LeftOut(Struct, frozen=True):
    """What the model does without because the allocator, if it got there, would end with an error (DESIGN, decision 1).

    Without a device the whole claim is left out on the node, without a request because of all that the claim asks for.
    """

    claim: ClaimRef
    node: str
    request: RequestRef | None
    device: DeviceId | None
    fault: AllocationFault


class Takeable(Struct, frozen=True):
    """A device that the demand may take unless other picks stand against it; `rank` is its place in device order."""

    rank: int
    candidate: Candidate


def takeable(problem: Problem, claim: ClaimDemand, demand: Demand, left_out: dict[LeftOut, None]) -> Iterator[Takeable]:
    """The devices in device order; what is left out is added to `left_out`."""
    for rank, candidate in enumerate(_in_question(problem, demand)):
        fault = candidate.fault
        if fault is None and candidate.is_usable:
            fault = _fault_of_attributes(problem, claim, demand, candidate)
            if fault is None:
                yield Takeable(rank, candidate)
        if fault is not None:
            where = problem.node.metadata.name
            left_out[LeftOut(claim.ref, where, demand.ref, candidate.device.id, fault)] = None


def _in_question(problem: Problem, demand: Demand) -> Iterable[Candidate]:
    """Devices held by others are not even looked at; admin access does not mind the holders (dra.md §6, §11.1)."""
    held = () if demand.admin_access else problem.usage.exclusive
    if demand.wants_all:
        return (candidate for candidate in problem.all_of[demand] if candidate.device.id not in held)
    return (problem.candidates.look(demand, device) for device in problem.devices if device.id not in held)


def _fault_of_attributes(
    problem: Problem, claim: ClaimDemand, demand: Demand, candidate: Candidate
) -> AllocationFault | None:
    """The error of a derived attribute that a constraint asks for (dra.md §10)."""
    for constraint in claim.constraints if demand.derived else ():
        if constraint.attribute in demand.derived and constraint.applies_to(demand.ref):
            value = problem.attributes.read(demand, candidate.device, constraint.attribute)
            if isinstance(value, AllocationFault):
                return value
    return None
