"""Consumable capacity: the shares of a device are within what it has (dra.md §8)."""

from collections.abc import Iterable, Mapping

from dractl.api.quantity import Quantity
from dractl.model.formula import Formula
from dractl.model.moments import Counted, moments
from dractl.model.variables import Choice, Variables
from dractl.problem.capacity import CapacityShare


def no_share_is_more_than_what_is_left(formula: Formula, variables: Variables) -> None:
    """Each by itself, also where nothing is asked of a capacity that is overdrawn, and on exclusive devices."""
    for choice in variables.choices:
        left = _left(variables, choice)
        if any(amount.nano > left[name] for name, amount in _amounts(choice).items()):
            formula.forbid(choice.taken)


def shares_of_a_device_fit_into_it_together(formula: Formula, variables: Variables) -> None:
    """Those with admin access need room while their pod is decided."""
    for choices in variables.choices_of_devices.values():
        shares = [choice for choice in choices if choice.candidate.is_shareable and _amounts(choice)]
        for counted in moments(formula, variables, shares):
            _limit(formula, variables, counted)


def _limit(formula: Formula, variables: Variables, shares: Iterable[Counted]) -> None:
    known = tuple(shares)
    left: dict[str, int] = {}
    for share in known:
        for name, amount in _left(variables, share.choice).items():
            left[name] = min(amount, left.get(name, amount))
    for name, amount in left.items():
        terms = [(share.taken, _amounts(share.choice)[name].nano) for share in known if name in _amounts(share.choice)]
        formula.limit(terms, amount)


def _amounts(choice: Choice) -> Mapping[str, Quantity]:
    share = choice.candidate.share
    return share.amounts if isinstance(share, CapacityShare) else {}


def _left(variables: Variables, choice: Choice) -> dict[str, int]:
    """What shares that are held leave of each capacity, in nano-units."""
    consumed = variables.usage.consumed.get(choice.device, {})
    nothing = Quantity(0)
    return {
        name: capacity.value.nano - consumed.get(name, nothing).nano
        for name, capacity in (choice.candidate.device.device.capacity or {}).items()
    }
