"""Known faults of kube-scheduler v1.37.2 outside the allocator, which the prediction makes as well (scheduling.md)."""

from enum import Enum
from typing import Final


class SchedulerFault(Enum):
    """`does` completes "v1.37.2 …", `remedy` is what to write into manifests instead, as a sentence."""

    MIXED_UP_GROUP_CLAIMS = (
        "hands out devices in the wrong order where a claim of the group comes before one of the pod's own: "
        "claims get each other's devices",
        "List the pod's own claims before the group's, and ask for devices by claims instead of extended resources.",
    )
    """scheduling.md §13"""
    NO_REQUEST_MAPPINGS = (
        "fails at the end of every attempt for a pod with claims of its own on a node where a device plugin serves "
        "its extended resource",
        "Ask for these devices by a claim as well, or keep the pod from nodes with the device plugin.",
    )
    """scheduling.md §6.4"""
    LOST_IMPLICIT_NAME = (
        "gives a class no implicit resource name if another class, younger or first by name, has the same "
        "extendedResourceName when it is added",
        "Give each class an extendedResourceName of its own, or ask for the devices by a claim.",
    )
    """scheduling.md §6.1"""

    WAITING_COUNTS_TWICE = (
        "counts the capacity twice that a pod's shares of devices consume, as long as the pod waits for binding "
        "conditions",
        "Apply the pod again once the conditions are true, or leave as much capacity free as the waiting pods have.",
    )
    """scheduling.md §5, §10"""

    def __init__(self, does: str, remedy: str) -> None:
        self.does: Final = does
        self.remedy: Final = remedy

    @property
    def id(self) -> str:
        """A stable name for reports, such as `no-request-mappings`."""
        return self.name.lower().replace("_", "-")
