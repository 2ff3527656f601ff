""" "All": every matching device, none left out (dra.md §7)."""

from dractl.cluster.upstream import UpstreamFault
from dractl.model.ending import devices_up_to_the_end
from dractl.model.formula import Formula, opposite
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


def no_alternative_follows_one_that_ends_the_attempt(formula: Formula, variables: Variables) -> None:
    """Alternatives behind "All" devices that are sure to break a constraint are reached only if one of these is in use.

    Then the demand fails before the constraint is asked. By the documented rules they are always reached (dra.md §18).
    """
    if UpstreamFault.CONSTRAINT_ENDS_ALL not in variables.joint.features.faults:
        return
    for site in variables.sites.values():
        for request_number, request in enumerate(site.claim.requests):
            for number, ending in enumerate(request.alternatives[:-1]):
                devices = devices_up_to_the_end(site.problem, site.claim, ending)
                takers = [
                    choice.taken
                    for device in devices
                    for choice in variables.choices_of_devices.get(device, ())
                    if (choice.at.claim, choice.request) != (site.at.claim, request_number)
                ]
                for later in request.alternatives[number + 1 :] if devices else ():
                    formula.at_least_one([opposite(site.chosen[later]), *takers])
