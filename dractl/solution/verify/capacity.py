"""Devices give the capacity that is asked of them, and never more than they have (dra.md §8)."""

from collections import Counter
from collections.abc import Iterator, Mapping

from dractl.api.identities import DeviceId
from dractl.api.quantity import MILLI, NANO, Quantity
from dractl.api.resource import CapacityRange, CapacityRequestPolicy
from dractl.cluster.features import Features
from dractl.problem.capacity import CapacityShare, capacity_share
from dractl.problem.faults import AllocationFault
from dractl.solution.verify.attempt import Attempt, Take
from dractl.solution.verify.violations import Breach

_NOTHING: Mapping[str, Quantity] = {}


def every_device_can_give_the_capacity(attempt: Attempt) -> Iterator[Breach]:
    """The device has every capacity that is asked for, and its policies permit the amounts; exclusive devices too."""
    for take in attempt.takes():
        share = capacity_share(take.demand, take.device, attempt.problem.features)
        if isinstance(share, AllocationFault):
            yield Breach(share.text, take.claim, take.id)
        elif not isinstance(share, CapacityShare):
            yield Breach(f"capacity {share.capacity}: {share.because}", take.claim, take.id)


def every_share_says_what_it_consumes(attempt: Attempt) -> Iterator[Breach]:
    """A share names every capacity of its device with the amount in canonical text; exclusive devices name none."""
    for take in attempt.takes():
        stated = _texts(take.result.consumedCapacity or _NOTHING)
        wanted = _texts(_amounts(take, attempt)) if take.is_share else {}
        if stated != wanted:
            yield Breach(f"consumedCapacity is {stated}, not {wanted}", take.claim, take.id)


def stated_amounts_obey_their_policies(attempt: Attempt) -> Iterator[Breach]:
    """A stated amount covers what was asked and is one that the policy of the capacity allows."""
    for take in attempt.takes():
        offered = take.device.device.capacity or {}
        for name, amount in (take.result.consumedCapacity or _NOTHING).items():
            if name not in offered:
                yield Breach(f"the device has no capacity {name}", take.claim, take.id)
            elif amount < take.demand.capacity.get(name, Quantity(0)):
                yield Breach(f"{amount} of {name} is less than what was asked", take.claim, take.id)
            elif not _is_allowed(amount, offered[name].requestPolicy, attempt.problem.features):
                yield Breach(f"the policy of {name} does not allow {amount}", take.claim, take.id)


def no_capacity_is_exceeded(attempt: Attempt) -> Iterator[Breach]:
    """What is held, what other shares of this attempt consume and the amount itself fit into the capacity."""
    consumed: dict[DeviceId, Counter[str]] = {}
    for take in attempt.takes():
        held = attempt.problem.usage.consumed.get(take.id, _NOTHING)
        used = consumed.setdefault(take.id, Counter({name: amount.nano for name, amount in held.items()}))
        amounts = take.result.consumedCapacity or _NOTHING if take.is_share else _amounts(take, attempt)
        for name, amount in amounts.items():
            offered = (take.device.device.capacity or {}).get(name)
            if offered is not None and used[name] + amount.nano > offered.value.nano:
                text = f"{name} has {Quantity(offered.value.nano - used[name])} left and {amount} is taken"
                yield Breach(text, take.claim, take.id)
        if take.is_share:
            used.update({name: amount.nano for name, amount in amounts.items()})


def _amounts(take: Take, attempt: Attempt) -> Mapping[str, Quantity]:
    share = capacity_share(take.demand, take.device, attempt.problem.features)
    return share.amounts if isinstance(share, CapacityShare) else _NOTHING


def _texts(amounts: Mapping[str, Quantity]) -> dict[str, str]:
    return {name: str(amount) for name, amount in amounts.items()}


def _is_allowed(amount: Quantity, policy: CapacityRequestPolicy | None, features: Features) -> bool:
    if policy is None or amount == policy.default:
        return True
    valid = policy.validRange
    if valid is None or valid.min is None:
        return not policy.validValues or amount in policy.validValues
    if amount < valid.min or (valid.max is not None and amount > valid.max):
        return False
    return valid.step is None or _is_on_step(amount, valid.min, valid.step, _unit(valid, features))


def _unit(valid: CapacityRange, features: Features) -> int:
    """Steps are counted in thousandths if the gate is on and all bounds are such, else in whole units."""
    bounds = [bound for bound in (valid.min, valid.max, valid.step) if bound is not None]
    return MILLI if features.fractional_capacity_range and all(bound.is_milli for bound in bounds) else NANO


def _is_on_step(amount: Quantity, least: Quantity, step: Quantity, unit: int) -> bool:
    """What is finer than the unit counts as a whole one."""
    amount_units, least_units, step_units = (-(-quantity.nano // unit) for quantity in (amount, least, step))
    return step_units <= 0 or (amount_units - least_units) % step_units == 0
