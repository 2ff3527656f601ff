"""How much capacity a device gives to a request: policies, rounding, and what cannot be represented (dra.md §8)."""

from collections.abc import Mapping

from msgspec import Struct

from dractl.api.quantity import INT64_MAX, INT64_MIN, Quantity
from dractl.api.resource import CapacityRange, CapacityRequestPolicy, DeviceCapacity
from dractl.cluster.features import Features
from dractl.cluster.pools import PoolDevice
from dractl.problem.demands import Demand
from dractl.problem.faults import AllocationFault


class CapacityShare(Struct, frozen=True):
    """What one allocation takes of a device: an amount of **every** capacity that the device has, asked for or not."""

    amounts: Mapping[str, Quantity]


class CapacityRefusal(Struct, frozen=True):
    """Why a device cannot serve a request whatever is free: it lacks a capacity, or its policy forbids the amount."""

    capacity: str
    because: str


NO_CAPACITY = CapacityShare({})


def capacity_share(
    demand: Demand, device: PoolDevice, features: Features
) -> CapacityShare | CapacityRefusal | AllocationFault:
    """What the device would give to the demand, with nothing else consumed."""
    if not features.consumable_capacity:
        return NO_CAPACITY
    offered = device.device.capacity or {}
    for name in demand.capacity:
        if name not in offered:
            return CapacityRefusal(name, "the device has no such capacity")
    amounts: dict[str, Quantity] = {}
    for name, capacity in offered.items():
        try:
            amounts[name] = consumed_amount(demand.capacity.get(name), capacity, features)
        except CapacityArithmeticError as error:
            return _fault(demand, device, name, str(error))
    for name, capacity in offered.items():
        if because := _refusal(amounts[name], capacity, features):
            return CapacityRefusal(name, because)
    return CapacityShare(amounts)


class CapacityArithmeticError(ValueError):
    """An amount that the allocator cannot compute; the message is its own."""


def consumed_amount(asked: Quantity | None, capacity: DeviceCapacity, features: Features) -> Quantity:
    """The amount that one allocation consumes of a capacity, `asked` being None if the request does not name it.

    Raises CapacityArithmeticError if the amount cannot be represented or is negative.
    """
    policy = capacity.requestPolicy
    if asked is None:
        amount = policy.default if policy is not None and policy.default is not None else capacity.value
    else:
        amount = asked if policy is None else _by_policy(asked, policy, features)
    if amount.nano < 0:
        raise CapacityArithmeticError("capacity value is negative")
    return amount


def _by_policy(asked: Quantity, policy: CapacityRequestPolicy, features: Features) -> Quantity:
    if policy.validRange is not None and policy.validRange.min is not None:
        return _in_range(asked, policy.validRange, policy.validRange.min, features)
    return next((value for value in policy.validValues or () if value >= asked), asked)


def _in_range(asked: Quantity, valid: CapacityRange, least: Quantity, features: Features) -> Quantity:
    if asked < least:
        return least
    if valid.step is None:
        return asked
    if features.fractional_capacity_range and _is_fine_grained(valid):
        return _round_up_milli(asked, least, valid.step)
    return _round_up_units(asked, least, valid.step)


def _is_fine_grained(valid: CapacityRange) -> bool:
    """Whether min, max and step are all whole numbers of thousandths within 64 bits, and step at least one."""
    bounds = [bound for bound in (valid.min, valid.max, valid.step) if bound is not None]
    if not all(bound.is_milli and _fits_int64(bound.milli_rounded_up()) for bound in bounds):
        return False
    return valid.step is not None and valid.step.milli_rounded_up() >= 1


def _round_up_milli(asked: Quantity, least: Quantity, step: Quantity) -> Quantity:
    if not asked.is_milli or not _fits_int64(asked.milli_rounded_up()):
        raise CapacityArithmeticError(f"{_UNREPRESENTABLE}: request {asked} is not a representable milli value")
    rounded = _next_step(asked.milli_rounded_up(), least.milli_rounded_up(), step.milli_rounded_up())
    if least.nano < 0 or not _fits_int64(rounded):
        raise CapacityArithmeticError(
            f"{_UNREPRESENTABLE}: rounding request {asked} up to the next step passes the milli-value range"
        )
    return Quantity.of_milli(rounded, step.format)


def _round_up_units(asked: Quantity, least: Quantity, step: Quantity) -> Quantity:
    if not _fits_int64(asked.rounded_up()):
        raise CapacityArithmeticError(f"{_UNREPRESENTABLE}: request {asked} exceeds MaxInt64")
    rounded = _next_step(asked.rounded_up(), least.rounded_up(), step.rounded_up())
    if not _fits_int64(rounded):
        raise CapacityArithmeticError(
            f"{_UNREPRESENTABLE}: rounding request {asked} up to the next step passes MaxInt64"
        )
    return Quantity.of(rounded, step.format)


_UNREPRESENTABLE = "capacity request cannot be represented in the device's range arithmetic"


def _next_step(asked: int, least: int, step: int) -> int:
    """The first `least + n·step` that is not below `asked`; without a positive step the amount as asked."""
    if step <= 0:
        return asked
    return least + -(-(asked - least) // step) * step


def _fits_int64(value: int) -> bool:
    return INT64_MIN <= value <= INT64_MAX


def _refusal(amount: Quantity, capacity: DeviceCapacity, features: Features) -> str:
    """Why the amount is not allowed on an otherwise unused device, or nothing."""
    policy = capacity.requestPolicy
    if policy is not None and not _is_default(amount, policy) and (because := _violation(amount, policy, features)):
        return because
    return f"{amount} is more than the device has ({capacity.value})" if amount > capacity.value else ""


def _is_default(amount: Quantity, policy: CapacityRequestPolicy) -> bool:
    """The default needs not obey its policy, but only as it stands: `1000` is not the default `1k` (dra.md §8)."""
    return policy.default is not None and amount.is_stored_like(policy.default)


def _violation(amount: Quantity, policy: CapacityRequestPolicy, features: Features) -> str:
    valid = policy.validRange
    if valid is None or valid.min is None:
        is_valid = not policy.validValues or amount in policy.validValues
        return "" if is_valid else f"{amount} is none of the valid values"
    if valid.max is not None and amount > valid.max:
        return f"{amount} is above the largest amount, {valid.max}"
    if valid.step is not None and not _is_on_step(amount, valid, valid.min, valid.step, features):
        return f"{amount} is not on a step of {valid.step}"
    return ""


def _is_on_step(amount: Quantity, valid: CapacityRange, least: Quantity, step: Quantity, features: Features) -> bool:
    """In the same arithmetic as rounding: with whole units 1 is on a step of 1 from 500m (dra.md §8)."""
    if features.fractional_capacity_range and _is_fine_grained(valid):
        beyond, width = amount.milli_rounded_up() - least.milli_rounded_up(), step.milli_rounded_up()
    else:
        beyond, width = amount.rounded_up() - least.rounded_up(), step.rounded_up()
    return width <= 0 or beyond % width == 0


def _fault(demand: Demand, device: PoolDevice, capacity: str, why: str) -> AllocationFault:
    name = device.id.device if demand.wants_all else str(device.id)
    where = f"claim {demand.ref.claim}, request {demand.spoken_name}"
    text = f'{where}: checking capacity for device {name}: capacity "{capacity}": {why}'
    cause = f"capacity {capacity} cannot be computed: {why}"
    return AllocationFault(text, request=demand.ref, device=device.id, cause=cause)
