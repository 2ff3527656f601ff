"""Whether a request could have one device if it were alone, and what stands in the way."""

from collections.abc import Iterable, Iterator

from dractl.api.identities import DeviceId
from dractl.api.quantity import Quantity, QuantityFormat
from dractl.cluster.pools import PoolDevice
from dractl.explain.facts import CapacityNeed, CapacityUsedUp, CounterUsedUp, GroupConflict, HeldBy, Refusal
from dractl.problem.candidates import Candidate, is_shareable
from dractl.problem.capacity import CapacityShare
from dractl.problem.compatibility import CounterSetId, Ungrouped, groups_of
from dractl.problem.counters import CounterId, consumption
from dractl.problem.demands import Demand
from dractl.problem.problem import Problem


def why_not(problem: Problem, demand: Demand, candidate: Candidate) -> Refusal | None:
    """The first thing that keeps the device from the demand, in the allocator's order, or None."""
    return next(_obstacles(problem, demand, candidate), None)


def _obstacles(problem: Problem, demand: Demand, candidate: Candidate) -> Iterator[Refusal]:
    device = candidate.device
    if candidate.selectable is None and not demand.admin_access and device.id in problem.usage.exclusive:
        yield HeldBy(problem.usage.exclusive[device.id])
    if candidate.reason is not None:
        yield candidate.reason
    yield from _capacity(problem, demand, candidate)
    if is_shareable(device, problem.features) and device.id in problem.usage.shared:
        return  # the first share has paid counters and settled groups
    yield from _groups(problem, device)
    yield from _counters(problem, device)


def _capacity(problem: Problem, demand: Demand, candidate: Candidate) -> Iterator[CapacityUsedUp]:
    if not isinstance(candidate.share, CapacityShare):
        return
    device = candidate.device
    used = problem.usage.consumed.get(device.id, {})
    for name, amount in candidate.share.amounts.items():
        value = (device.device.capacity or {})[name].value
        left = value - used[name] if name in used else value
        if amount > left:
            need = _need(demand.capacity.get(name), amount, value)
            yield CapacityUsedUp(name, str(amount), str(left), problem.usage.holders(device.id), need)


def _need(asked: Quantity | None, amount: Quantity, value: Quantity) -> CapacityNeed:
    if asked is not None:
        return CapacityNeed.ASKED if asked == amount else CapacityNeed.ROUNDED
    return CapacityNeed.WHOLE if amount == value else CapacityNeed.DEFAULT


def _groups(problem: Problem, device: PoolDevice) -> Iterator[GroupConflict]:
    if not problem.features.compatibility_groups:
        return
    for counter_set, groups in groups_of(device).items():
        state = problem.groups.get(counter_set)
        admitted = not groups if isinstance(state, Ungrouped) else state is None or bool(state & groups)
        if not admitted:
            yield GroupConflict(counter_set, tuple(each.id for each in _users_of_set(problem, counter_set)))


def _counters(problem: Problem, device: PoolDevice) -> Iterator[CounterUsedUp]:
    consumed = consumption(device)
    budget = problem.budgets.get(device.id.pool_id)
    if not consumed or budget is None:
        return
    family = _family(device)
    for counter, amount in consumed.items():
        left = budget.available.get(counter, 0)
        if amount > left:
            users = _users_of_counter(problem, counter)
            yield CounterUsedUp(counter, str(Quantity(amount, family)), str(Quantity(left, family)), users)
    for counter in budget.overdrawn[:1]:
        left = budget.available[counter]
        yield CounterUsedUp(counter, "0", str(Quantity(left, family)), _users_of_counter(problem, counter))


def _family(device: PoolDevice) -> QuantityFormat:
    """How the device's counters are written, so that `40Gi` does not come out as a number of bytes."""
    values = (
        counter.value for use in device.device.consumesCounters or () for counter in (use.counters or {}).values()
    )
    return next((value.format for value in values), QuantityFormat.DECIMAL_SI)


def _allocated(problem: Problem) -> Iterable[PoolDevice]:
    for pool in problem.pools:
        for device in (*pool.devices, *pool.elsewhere):
            if problem.usage.is_allocated(device.id):
                yield device


def _users_of_set(problem: Problem, counter_set: CounterSetId) -> Iterator[PoolDevice]:
    return (device for device in _allocated(problem) if counter_set in groups_of(device))


def _users_of_counter(problem: Problem, counter: CounterId) -> tuple[DeviceId, ...]:
    return tuple(device.id for device in _allocated(problem) if counter in consumption(device))
