"""How many devices a claim gets: one alternative of each request, and as many devices as it wants (dra.md §5, §12)."""

from dractl.model.formula import Formula, opposite
from dractl.model.variables import Variables
from dractl.problem.demands import DEVICES_PER_CLAIM


def one_alternative_of_each_request_is_chosen(formula: Formula, variables: Variables) -> None:
    """Where the claim gets its devices; elsewhere none."""
    for site in variables.sites.values():
        for request in site.claim.requests:
            chosen = [site.chosen[demand] for demand in request.alternatives]
            if chosen != [site.here]:
                formula.exactly_one([opposite(site.here), *chosen])


def a_chosen_demand_gets_exactly_its_count(formula: Formula, variables: Variables) -> None:
    """Different devices, because each is a choice of its own."""
    for site in variables.sites.values():
        for demand, chosen in site.chosen.items():
            if demand.count is not None:
                formula.number_is([choice.taken for choice in site.of(demand)], demand.count, chosen)


def a_claim_gets_no_more_than_32_devices(formula: Formula, variables: Variables) -> None:
    """Only alternatives, of which the check before the search counts the smallest, can pass the limit."""
    for site in variables.sites.values():
        largest = [
            max((site.problem.needed(demand) for demand in request.alternatives), default=0)
            for request in site.claim.requests
        ]
        if sum(largest) > DEVICES_PER_CLAIM:
            amounts = [(chosen, site.problem.needed(demand)) for demand, chosen in site.chosen.items()]
            formula.limit(amounts, DEVICES_PER_CLAIM)
