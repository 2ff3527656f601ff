"""Known faults of Kubernetes v1.37.2's allocator: what it does, and what the documented rules say (dra.md §18)."""

from collections.abc import Collection, Iterable
from enum import Enum
from typing import Final


class UpstreamFault(Enum):
    """A known fault. `issue` is the number in kubernetes/kubernetes, None if nobody has reported it.

    `does` completes "v1.37.2 …", `documented` is what holds by the documented rules, as a clause.
    """

    ADMIN_PAYS_COUNTERS = (
        140729,
        "charges counters to admin access",
        "admin access consumes nothing",
    )
    ALL_TAKES_UNUSABLE = (
        141091,
        "counts devices that can never be used on the node among all devices",
        "only devices that can be used on the node are among all devices",
    )
    HELD_READ_FROM_SLICES = (
        140802,
        "reads what devices in use consume from the current slices",
        "a device in use consumes what it did when it was allocated",
    )
    OVERDRAWN_SET_BLOCKS_POOL = (
        None,
        "refuses every consuming device of a pool while one of its counters is overdrawn",
        "only the counter sets matter that a device consumes from",
    )
    CONSTRAINT_ENDS_ALL = (
        None,
        "ends the attempt where a constraint refuses one of all devices",
        "the next alternative, or another node, is tried",
    )
    ADMIN_BLOCKS_LATER = (
        None,
        "keeps a device with admin access from later claims of the same pod",
        "admin access keeps a device from nobody",
    )

    def __init__(self, issue: int | None, does: str, documented: str) -> None:
        self.issue: Final = issue
        self.does: Final = does
        self.documented: Final = documented

    @property
    def id(self) -> str:
        """A stable name for reports, such as `admin-pays-counters`."""
        return self.name.lower().replace("_", "-")

    @property
    def reference(self) -> str:
        """`kubernetes#140729`, or that no issue is known."""
        return f"kubernetes#{self.issue}" if self.issue is not None else "no issue known"


FAULTS_OF_V1_37_2: Final = frozenset(UpstreamFault)
"""All of them: these are the faults that v1.37.2 still has."""


def in_order(faults: Iterable[UpstreamFault]) -> tuple[UpstreamFault, ...]:
    """Each fault once, in the order of the enumeration."""
    found = frozenset(faults)
    return tuple(fault for fault in UpstreamFault if fault in found)


def rules_text(faults: Collection[UpstreamFault]) -> str:
    """How a set of rules is called: those of v1.37.2, the documented ones, or v1.37.2's without some faults."""
    undone = in_order(FAULTS_OF_V1_37_2.difference(faults))
    if not undone:
        return "the rules of v1.37.2"
    if not faults:
        return "the documented rules"
    return f"the rules of v1.37.2 without {', '.join(fault.id for fault in undone)}"
