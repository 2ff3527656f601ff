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
    """What follows a failed attempt: texts for the pod's condition, a claim that loses its devices, victims.

    `stuck` are all claims of which the scheduler picks that one; which one is not fixed.
    """

    text: str
    preemption: Preemption
    stuck: tuple[ClaimRef, ...] = ()

    @property
    def deallocated(self) -> ClaimRef | None:
        """The claim that loses its devices: here the first of the pod."""
        return next(iter(self.stuck), None)


def afterwards(cycle: Cycle, refused: Mapping[str, Refused]) -> Afterwards:
    """Devices first, then preemption, which is evaluated all the same; nothing for a pod of a group."""
    if cycle.is_in_group:
        return Afterwards("", Preemption("", is_tried=False))
    stuck = _stuck_claims(cycle, refused)
    preemption = preempt(cycle, refused) if cycle.state.cluster.scheduler.preempts else Preemption("", is_tried=False)
    text = ", ".join(filter(None, (_DEALLOCATED if stuck else "", preemption.text)))
    return Afterwards(text, preemption, stuck)


def _stuck_claims(cycle: Cycle, refused: Mapping[str, Refused]) -> tuple[ClaimRef, ...]:
    """Claims that are not available on some node and that nobody but this pod reserves."""
    unavailable = {
        reason.claim for each in refused.values() for reason in each.reasons if isinstance(reason, ClaimElsewhere)
    }
    return tuple(claim for claim in cycle.allocated if claim in unavailable and _is_mine(cycle, claim))


def _is_mine(cycle: Cycle, claim: ClaimRef) -> bool:
    reserved = cycle.state.claims[claim].status.reservedFor or []
    return not reserved or [each.uid for each in reserved] == [cycle.state.uid_of_pod(cycle.ref)]
