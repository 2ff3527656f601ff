"""Facts about a pod that does not fit on a node: who lacks what, and what came closest."""

from enum import StrEnum

from msgspec import Struct

from dractl.api.base import Taint
from dractl.api.identities import ClaimRef, DeviceId, PoolId, RequestRef
from dractl.errors import Place
from dractl.problem.attributes import AttributeValue
from dractl.problem.candidates import Reason
from dractl.problem.compatibility import CounterSetId
from dractl.problem.constraints import Constraint
from dractl.problem.counters import CounterId
from dractl.solution.outcomes import SpecialClaim

# --- why a request cannot have a device ------------------------------------------------------------------------------


class HeldBy(Struct, frozen=True):
    """The device is in use, by these claims."""

    claims: tuple[ClaimRef, ...]


class CapacityNeed(StrEnum):
    """Why a request consumes as much of a capacity as it does (dra.md §8)."""

    ASKED = "asked"
    ROUNDED = "rounded up to what the device allows"
    DEFAULT = "the default"
    WHOLE = "all of it"


class CapacityUsedUp(Struct, frozen=True):
    """What is left of a capacity does not suffice; amounts are canonical quantities."""

    capacity: str
    wanted: str
    left: str
    claims: tuple[ClaimRef, ...]
    need: CapacityNeed = CapacityNeed.ASKED


class CounterUsedUp(Struct, frozen=True):
    """A shared counter does not suffice, or one of the pool is overdrawn.

    `holders` are devices in use that consume it.
    """

    counter: CounterId
    wanted: str
    left: str
    holders: tuple[DeviceId, ...]


class GroupConflict(Struct, frozen=True):
    """The compatibility groups of devices in use do not admit this one."""

    counter_set: CounterSetId
    holders: tuple[DeviceId, ...]


class TaintedByRule(Struct, frozen=True):
    """The request does not tolerate a taint that a DeviceTaintRule puts on the device."""

    taint: Taint
    rule: str


InUse = HeldBy | CapacityUsedUp | CounterUsedUp | GroupConflict
"""What stands in the way only as long as others hold devices."""

Refusal = Reason | InUse | TaintedByRule


class RefusedDevice(Struct, frozen=True):
    """One device that the request cannot have, and why."""

    device: DeviceId
    because: Refusal


class PoolNotUsable(Struct, frozen=True):
    """A pool that gives no devices: incomplete or invalid."""

    pool: PoolId
    state: str
    because: str


# --- why claims do not fit -------------------------------------------------------------------------------------------


class TooFewDevices(Struct, frozen=True):
    """A request wants more devices than it could have even alone; `wanted` is None for "All".

    `usable` are the devices that it could have; `refused` those that it could not, each with the reason. `matching` is
    how many devices "All" means.
    """

    request: RequestRef
    wanted: int | None
    usable: tuple[DeviceId, ...]
    refused: tuple[RefusedDevice, ...]
    pools: tuple[PoolNotUsable, ...]
    place: Place
    matching: int = 0


class ConstraintUnmet(Struct, frozen=True):
    """Enough devices, but not enough that agree; `values` holds what each usable device shows, None if it has nothing.

    `best` is the largest number of devices that do agree, of `wanted`. `near_miss` is another attribute with which it
    would work, as the drivers publish it. `in_use` are devices that the requests could have if nobody used them.
    """

    constraint: Constraint
    wanted: int
    best: int
    values: tuple[tuple[DeviceId, AttributeValue | None], ...]
    near_miss: str
    in_use: tuple[RefusedDevice, ...]
    place: Place


class CompeteForDevices(Struct, frozen=True):
    """Each request could be satisfied alone, but not all of them together."""

    requests: tuple[RequestRef, ...]
    devices: tuple[DeviceId, ...]
    place: Place


NodeFact = TooFewDevices | ConstraintUnmet | CompeteForDevices


class NodeExplanation(Struct, frozen=True):
    """The facts that keep a pod's claims from one node.

    `special` is the claim that the scheduler would make there for the pod's extended resources.
    """

    node: str
    facts: tuple[NodeFact, ...]
    special: SpecialClaim | None = None
