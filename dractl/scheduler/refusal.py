"""What a filter says of a node that it refuses."""

from enum import StrEnum
from typing import Self

from msgspec import Struct

from dractl.api.identities import ClaimRef
from dractl.solution.outcomes import ClaimsDoNotFit, Rejection
from dractl.solution.picks import Tries


class Code(StrEnum):
    """Whether deleting pods could help; the scheduler's own names."""

    UNSCHEDULABLE = "Unschedulable"
    UNRESOLVABLE = "UnschedulableAndUnresolvable"


class Plugin(StrEnum):
    """The plugins that refuse nodes; what refused a pod decides when it is tried again (scheduling.md §15)."""

    NODE = "node"
    """Those that ask about the node alone."""
    PORTS = "NodePorts"
    RESOURCES = "NodeResourcesFit"
    SPREAD = "PodTopologySpread"
    AFFINITY = "InterPodAffinity"
    DEVICES = "DynamicResources"


class Refused(Struct, frozen=True):
    """A node that a filter refuses: what dractl says, and the reasons as the scheduler words them.

    `tries` are the devices that the scheduler tries before it knows.
    """

    plugin: Plugin
    code: Code
    reasons: tuple[Rejection, ...]
    texts: tuple[str, ...]
    tries: Tries = Tries()

    @classmethod
    def for_lack_of_devices(cls, claims: tuple[ClaimRef, ...], tries: Tries) -> Self:
        """The allocator finds nothing for these claims."""
        return cls(Plugin.DEVICES, Code.UNRESOLVABLE, (ClaimsDoNotFit(claims),), ("cannot allocate all claims",), tries)
