"""What happens when no node fits: an unused claim is given up, and preemption is thought of (scheduling.md §11)."""

from collections.abc import Mapping

from msgspec import Struct

from dractl.api.identities import ClaimRef
from dractl.scheduler.cycle import Cycle
from dractl.scheduler.preemption import Preemption, preempt
from dractl.scheduler.refusal import Refused
from dractl.solution.outcomes import ClaimElsewhere

_DEALLOCATED = "deallocation of ResourceClaim completed"


class Afterwards(Struct, frozen=True):
    """What follows a failed attempt: texts for the pod's condition, a claim that loses its devices, victims."""

    text: str
    deallocated: ClaimRef | None
    preemption: Preemption


def afterwards(cycle: Cycle, refused: Mapping[str, Refused]) -> Afterwards:
    """Devices first, then preemption, which is evaluated all the same; nothing for a pod of a group."""
    if cycle.is_in_group:
        return Afterwards("", None, Preemption(""))
    deallocated = _stuck_claim(cycle, refused)
    preemption = preempt(cycle, refused) if cycle.state.cluster.scheduler.preempts else Preemption("")
    text = ", ".join(filter(None, (_DEALLOCATED if deallocated is not None else "", preemption.text)))
    return Afterwards(text, deallocated, preemption)


def _stuck_claim(cycle: Cycle, refused: Mapping[str, Refused]) -> ClaimRef | None:
    """A claim that is not available on some node and that nobody but this pod reserves.

    The scheduler picks any of several; here it is the first of the pod.
    """
    unavailable = {
        reason.claim for each in refused.values() for reason in each.reasons if isinstance(reason, ClaimElsewhere)
    }
    return next((claim for claim in cycle.allocated if claim in unavailable and _is_mine(cycle, claim)), None)


def _is_mine(cycle: Cycle, claim: ClaimRef) -> bool:
    reserved = cycle.state.claims[claim].status.reservedFor or []
    return not reserved or [each.uid for each in reserved] == [cycle.state.uid_of_pod(cycle.ref)]
