"""Errors of the allocator as values: whoever arrives at one stops there (DESIGN, decision 1)."""

from dataclasses import dataclass, field

from dractl.api.identities import DeviceId, PoolId, RequestRef


@dataclass(frozen=True, slots=True)
class AllocationFault:
    """An error in the allocator's own words (dra.md §20).

    A fatal one aborts the scheduling of the pod on all nodes; the other kind concerns one node only. `pools` are those
    whose state is the error; `cause` is the error in words that name no claim, request or device.
    """

    text: str
    fatal: bool = True
    request: RequestRef | None = None
    device: DeviceId | None = None
    pools: tuple[PoolId, ...] = field(default=(), compare=False)
    cause: str = field(default="", compare=False)

    @property
    def reason(self) -> str:
        """The error without the names of claim, request and device, so that alike ones read alike."""
        return self.cause or self.text
