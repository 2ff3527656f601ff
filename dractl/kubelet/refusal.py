"""Why a pod is refused: the kubelet's reasons and texts (kubelet.md §1.1)."""

from enum import StrEnum

from msgspec import Struct


class Reason(StrEnum):
    """The `reason` of a refused pod's status."""

    AFFINITY = "TopologyAffinityError"
    SMT_ALIGNMENT = "SMTAlignmentError"
    EMPTY_POOL = "EmptyPodSharedPoolError"
    UNEXPECTED = "UnexpectedAdmissionError"


class Refusal(Struct, frozen=True):
    """A refusal; `message` stands in the pod's status behind `Pod was rejected: `."""

    reason: Reason
    message: str


def unexpected(text: str) -> Refusal:
    """An error of Allocate that has no type of its own."""
    return Refusal(Reason.UNEXPECTED, f"Allocate failed due to {text}, which is unexpected")


def empty_pool(text: str) -> Refusal:
    """Containers of a pod would share a pool with nothing in it (kubelet.md §9)."""
    return Refusal(Reason.EMPTY_POOL, text)
