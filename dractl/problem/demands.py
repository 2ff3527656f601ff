"""What claims ask for: requests, their alternatives, and what stands against them before any device is looked at."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from dractl.api.base import Toleration
from dractl.api.identities import ClaimRef, RequestRef
from dractl.api.quantity import Quantity
from dractl.api.resource import (
    DerivedAttribute,
    DeviceClaimConfiguration,
    DeviceClass,
    DeviceRequest,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
)
from dractl.cluster.features import Features, Implementation
from dractl.problem.constraints import Constraint, constraints_of
from dractl.problem.faults import AllocationFault
from dractl.problem.selectors import SelectorChain

DEVICES_PER_CLAIM: Final = 32
"""`AllocationResultsMaxSize`: a claim cannot hold more devices (dra.md §5)."""

EXACT_COUNT: Final = "ExactCount"
ALL: Final = "All"

_CAPACITY_IN_VAIN: Final = "has capacity requests, but the DRAConsumableCapacity feature is disabled"


class Demand(Struct, frozen=True, eq=False):
    """One `exactly` request, or one alternative of a `firstAvailable` request.

    `count` is None for "All". `fault` is what the allocator would say before it looks at devices, if anything.
    """

    ref: RequestRef
    class_name: str
    device_class: DeviceClass | None
    selectors: SelectorChain
    count: int | None
    admin_access: bool
    tolerations: tuple[Toleration, ...]
    capacity: Mapping[str, Quantity]
    derived: Mapping[str, DerivedAttribute]
    fault: AllocationFault | None

    @property
    def wants_all(self) -> bool:
        """Whether every matching device is demanded."""
        return self.count is None

    @property
    def spoken_name(self) -> str:
        """The name in the allocator's texts: an alternative is named alone (dra.md §20)."""
        return self.ref.alternative or self.ref.request


class RequestDemand(Struct, frozen=True):
    """A request: its only demand, or its alternatives in order of preference."""

    name: str
    alternatives: tuple[Demand, ...]
    is_prioritized: bool
    fault: AllocationFault | None = None


class ClaimDemand(Struct, frozen=True, eq=False):
    """A claim that has no allocation yet."""

    ref: ClaimRef
    requests: tuple[RequestDemand, ...]
    constraints: tuple[Constraint, ...]
    configs: tuple[DeviceClaimConfiguration, ...] = field(default=())


def demands_of(claim: ResourceClaim, classes: Mapping[str, DeviceClass], features: Features) -> ClaimDemand:
    """What a claim asks for. Faults are part of the answer, not raised (dra.md §5)."""
    ref = ClaimRef(claim.metadata.namespace, claim.metadata.name)
    devices = claim.spec.devices
    requests = tuple(_request(ref, request, classes, features) for request in devices.requests or ())
    return ClaimDemand(
        ref, requests, constraints_of(ref, devices.constraints or (), features), tuple(devices.config or ())
    )


def _request(
    claim: ClaimRef, request: DeviceRequest, classes: Mapping[str, DeviceClass], features: Features
) -> RequestDemand:
    if request.firstAvailable:
        fault = _first_of_all_alternatives(claim, request, features)
        alternatives = tuple(
            _demand(RequestRef(claim, request.name, alternative.name), alternative, classes, features)
            for alternative in request.firstAvailable
        )
        return RequestDemand(request.name, alternatives, True, fault)
    exactly = request.exactly or ExactDeviceRequest()
    return RequestDemand(request.name, (_demand(RequestRef(claim, request.name), exactly, classes, features),), False)


def _first_of_all_alternatives(claim: ClaimRef, request: DeviceRequest, features: Features) -> AllocationFault | None:
    """What the allocator says of a prioritized request before it looks at any single alternative (dra.md §5)."""
    if not features.prioritized_list:
        why = "has subrequests, but the DRAPrioritizedList feature is disabled"
        return AllocationFault(f"claim {claim}, request {request.name}: {why}", request=RequestRef(claim, request.name))
    for alternative in request.firstAvailable or ():
        if _asks_capacity_in_vain(alternative, features):
            ref = RequestRef(claim, request.name, alternative.name)
            return AllocationFault(f"claim {claim}, subrequest {alternative.name}: {_CAPACITY_IN_VAIN}", request=ref)
    return None


def _demand(
    ref: RequestRef,
    asked: ExactDeviceRequest | DeviceSubRequest,
    classes: Mapping[str, DeviceClass],
    features: Features,
) -> Demand:
    device_class = classes.get(asked.deviceClassName)
    text = _first_fault(ref, asked, device_class, features)
    class_selectors = (device_class.spec.selectors if device_class else None) or ()
    return Demand(
        ref=ref,
        class_name=asked.deviceClassName,
        device_class=device_class,
        selectors=SelectorChain.of(asked.deviceClassName, class_selectors, ref.claim, asked.selectors or ()),
        count=asked.count if asked.allocationMode == EXACT_COUNT else None,
        admin_access=isinstance(asked, ExactDeviceRequest) and bool(asked.adminAccess),
        tolerations=tuple(asked.tolerations or ()),
        capacity=(asked.capacity.requests if asked.capacity else None) or {},
        derived={derived.name: derived for derived in asked.derivedAttributes or ()},
        fault=AllocationFault(text, request=ref, cause=text.partition(": ")[2]) if text else None,
    )


def _first_fault(
    ref: RequestRef,
    asked: ExactDeviceRequest | DeviceSubRequest,
    device_class: DeviceClass | None,
    features: Features,
) -> str:
    """The first thing that the allocator would find wrong with a demand, in its words, or nothing (dra.md §5, §20)."""
    spoken = ref.alternative or ref.request
    where = f"claim {ref.claim}, request {spoken}"
    admin = asked.adminAccess if isinstance(asked, ExactDeviceRequest) else None
    if _asks_capacity_in_vain(asked, features):
        return f"{where}: {_CAPACITY_IN_VAIN}"
    if asked.derivedAttributes and not features.derived_attributes:
        return f"{where}: cannot handle request with derived attributes, the feature is disabled"
    for number, selector in enumerate(asked.selectors or ()):
        if selector.cel is None:
            return f"{where}, selector #{number}: CEL expression empty (unsupported selector type?)"
    if admin is not None and not features.admin_access:
        return f"{where}: admin access is requested, but the feature is disabled"
    if not asked.deviceClassName:
        return f"{where}: missing device class name (unsupported request type?)"
    if device_class is None:
        name = asked.deviceClassName
        return f'{where}: could not retrieve device class {name}: deviceclass.resource.k8s.io "{name}" not found'
    if asked.allocationMode not in (EXACT_COUNT, ALL):
        return f"{where}: unsupported count mode {asked.allocationMode}"
    return ""


def _asks_capacity_in_vain(asked: ExactDeviceRequest | DeviceSubRequest, features: Features) -> bool:
    """Stable ignores capacity requests; the other implementations refuse them while the gate is off (dra.md §2)."""
    if features.consumable_capacity or features.implementation is Implementation.STABLE:
        return False
    return asked.capacity is not None


def alternatives_of(requests: Iterable[RequestDemand]) -> Sequence[Demand]:
    """Every demand of the requests, alternatives included."""
    return [demand for request in requests for demand in request.alternatives]
