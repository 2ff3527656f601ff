"""Facts about a pod that does not fit on a node: who lacks what, and what came closest."""

from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True, slots=True)
class HeldBy:
    """The device is in use, by these claims."""

    claims: tuple[ClaimRef, ...]


class CapacityNeed(StrEnum):
    """Why a request consumes as much of a capacity as it does (dra.md §8)."""

    ASKED = "asked"
    ROUNDED = "rounded up to what the device allows"
    DEFAULT = "the default"
    WHOLE = "all of it"


@dataclass(frozen=True, slots=True)
class CapacityUsedUp:
    """What is left of a capacity does not suffice; amounts are canonical quantities."""

    capacity: str
    wanted: str
    left: str
    claims: tuple[ClaimRef, ...]
    need: CapacityNeed = CapacityNeed.ASKED


@dataclass(frozen=True, slots=True)
class CounterUsedUp:
    """A shared counter does not suffice, or one of the pool is overdrawn.

    `holders` are devices in use that consume it.
    """

    counter: CounterId
    wanted: str
    left: str
    holders: tuple[DeviceId, ...]


@dataclass(frozen=True, slots=True)
class GroupConflict:
    """The compatibility groups of devices in use do not admit this one."""

    counter_set: CounterSetId
    holders: tuple[DeviceId, ...]


@dataclass(frozen=True, slots=True)
class TaintedByRule:
    """The request does not tolerate a taint that a DeviceTaintRule puts on the device."""

    taint: Taint
    rule: str


InUse = HeldBy | CapacityUsedUp | CounterUsedUp | GroupConflict
"""What stands in the way only as long as others hold devices."""

Refusal = Reason | InUse | TaintedByRule


@dataclass(frozen=True, slots=True)
class RefusedDevice:
    """One device that the request cannot have, and why."""

    device: DeviceId
    because: Refusal


@dataclass(frozen=True, slots=True)
class PoolNotUsable:
    """A pool that gives no devices: incomplete or invalid."""

    pool: PoolId
    state: str
    because: str


# --- why claims do not fit -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TooFewDevices:
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


@dataclass(frozen=True, slots=True)
class ConstraintUnmet:
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


@dataclass(frozen=True, slots=True)
class CompeteForDevices:
    """Each request could be satisfied alone, but not all of them together."""

    requests: tuple[RequestRef, ...]
    devices: tuple[DeviceId, ...]
    place: Place


NodeFact = TooFewDevices | ConstraintUnmet | CompeteForDevices


@dataclass(frozen=True, slots=True)
class NodeExplanation:
    """The facts that keep a pod's claims from one node.

    `special` is the claim that the scheduler would make there for the pod's extended resources.
    """

    node: str
    facts: tuple[NodeFact, ...]
    special: SpecialClaim | None = None
