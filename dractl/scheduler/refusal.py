"""What a filter says of a node that it refuses."""

from dataclasses import dataclass
from enum import StrEnum

from dractl.solution.outcomes import Rejection


class Code(StrEnum):
    """Whether deleting pods could help; the scheduler's own names."""

    UNSCHEDULABLE = "Unschedulable"
    UNRESOLVABLE = "UnschedulableAndUnresolvable"


@dataclass(frozen=True, slots=True)
class Refused:
    """A node that a filter refuses: what dractl says, and the reasons as the scheduler words them.

    `tried` is how many devices the scheduler tries before it knows.
    """

    code: Code
    reasons: tuple[Rejection, ...]
    texts: tuple[str, ...]
    tried: int = 0
