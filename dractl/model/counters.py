"""Partitionable devices: what is taken of a pool's counters is within what is left of them (dra.md §14)."""

from collections.abc import Iterable

from dractl.api.identities import DeviceId
from dractl.cluster.upstream import UpstreamFault
from dractl.model.formula import Formula, Literal
from dractl.model.moments import Counted, moments
from dractl.model.variables import Choice, Variables
from dractl.problem.counters import CounterId, consumption


def a_consuming_device_needs_a_pool_without_overdrawn_counters(formula: Formula, variables: Variables) -> None:
    """One overdrawn counter blocks every consuming device of its pool, by the documented rules those of its set."""
    whole_pool = UpstreamFault.OVERDRAWN_SET_BLOCKS_POOL in variables.joint.features.faults
    for site in variables.sites.values():
        budgets = site.problem.budgets
        for choice in site.choices:
            if _pays(variables, choice):
                budget = budgets.get(choice.device.pool_id)
                own = {use.counterSet for use in choice.candidate.device.device.consumesCounters or ()}
                if budget is None or any(whole_pool or counter.counter_set in own for counter in budget.overdrawn):
                    formula.forbid(choice.taken)


def devices_taken_together_leave_no_counter_overdrawn(formula: Formula, variables: Variables) -> None:
    """A device that is shared pays once; with admin access, if at all, while its pod is decided (dra.md §18)."""
    available = _available(variables)
    consumers: dict[CounterId, list[Choice]] = {}
    for choice in variables.choices:
        if _pays(variables, choice):
            for counter in consumption(choice.candidate.device):
                consumers.setdefault(counter, []).append(choice)
    for counter, choices in consumers.items():
        for counted in moments(formula, variables, choices):
            formula.limit(_payments(formula, counted, counter), available.get(counter, 0))


def _available(variables: Variables) -> dict[CounterId, int]:
    """By every node's view of the pool the same, unless its slices contradict each other; then the least counts."""
    found: dict[CounterId, int] = {}
    for problem in variables.problems:
        for budget in problem.budgets.values():
            for counter, amount in budget.available.items():
                found[counter] = min(amount, found.get(counter, amount))
    return found


def _pays(variables: Variables, choice: Choice) -> bool:
    """Whether taking the device costs counters."""
    if not (variables.joint.features.partitionable_devices and choice.candidate.device.device.consumesCounters):
        return False
    return variables.has_to_join(choice)


def _payments(formula: Formula, counted: Iterable[Counted], counter: CounterId) -> list[tuple[Literal, int]]:
    payments: list[tuple[Literal, int]] = []
    shares: dict[DeviceId, list[Literal]] = {}
    amounts: dict[DeviceId, int] = {}
    for entry in counted:
        device, amount = entry.choice.device, consumption(entry.choice.candidate.device)[counter]
        if entry.choice.candidate.is_shareable:
            shares.setdefault(device, []).append(entry.taken)
            amounts[device] = amount
        else:
            payments.append((entry.taken, amount))
    payments.extend((formula.any_of(literals), amounts[device]) for device, literals in shares.items())
    return payments
