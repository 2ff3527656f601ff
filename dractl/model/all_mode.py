""" "All": every matching device, none left out (dra.md §7)."""

from dractl.model.formula import Formula
from dractl.model.variables import Variables


def all_takes_every_device_or_is_not_chosen(formula: Formula, variables: Variables) -> None:
    """A device that cannot be taken spoils the demand, and so does it if there is no device at all.

    That the others are all taken together is built into the choices: they have the demand's own literal.
    """
    for site in variables.sites.values():
        for demand, chosen in site.chosen.items():
            if demand.wants_all:
                wanted = len(site.problem.all_of[demand])
                if wanted == 0 or len(site.of(demand)) < wanted:
                    formula.forbid(chosen)
