"""Errors of the allocator as values: whoever arrives at one stops there (DESIGN, decision 1)."""

from dataclasses import dataclass

from dractl.api.identities import DeviceId, RequestRef


@dataclass(frozen=True, slots=True)
class AllocationFault:
    """An error in the allocator's own words (dra.md §20).

    A fatal one aborts the scheduling of the pod on all nodes; the other kind concerns one node only.
    """

    text: str
    fatal: bool = True
    request: RequestRef | None = None
    device: DeviceId | None = None
