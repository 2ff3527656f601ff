"""Who may have a device: exclusive ones once, and what admin access changes about that (dra.md §11.1, §11.9).

Devices that are held from the beginning are no choices in the first place; shares are limited by capacity alone.
"""

from collections.abc import Iterator

from dractl.api.identities import DeviceId
from dractl.cluster.upstream import UpstreamFault
from dractl.model.formula import Formula, Literal, opposite
from dractl.model.variables import Choice, Site, Variables
from dractl.problem.joint import ClaimOnNode, PodDemand


def an_exclusive_device_is_given_away_once(formula: Formula, variables: Variables) -> None:
    """Over all claims and nodes; admin access does not count."""
    for choices in variables.choices_of_devices.values():
        formula.at_most_one(choice.taken for choice in choices if _is_exclusive(choice) and not _is_admin(choice))


def a_claim_has_an_exclusive_device_once(formula: Formula, variables: Variables) -> None:
    """With admin access or without."""
    for site in variables.sites.values():
        for choices in _exclusive_by_device(site).values():
            if any(_is_admin(choice) for choice in choices):
                formula.at_most_one(choice.taken for choice in choices)


def admin_access_blocks_later_claims_of_its_pod(formula: Formula, variables: Variables) -> None:
    """Only without admin access, and only while both are allocated together; the other order works (dra.md §11).

    By the documented rules it does not (dra.md §18).
    """
    if UpstreamFault.ADMIN_BLOCKS_LATER not in variables.joint.features.faults:
        return
    for pod in variables.joint.pods:
        for first, second in _pairs_of_sites(variables, pod):
            later = _exclusive_by_device(second)
            for device, choices in _exclusive_by_device(first).items():
                for one in filter(_is_admin, choices):
                    for other in later.get(device, ()):
                        if not _is_admin(other):
                            together = _unless_apart(variables, pod, first, second)
                            formula.at_least_one([opposite(one.taken), opposite(other.taken), *together])


def _is_exclusive(choice: Choice) -> bool:
    return not choice.candidate.is_shareable


def _is_admin(choice: Choice) -> bool:
    return choice.demand.admin_access


def _exclusive_by_device(site: Site) -> dict[DeviceId, list[Choice]]:
    found: dict[DeviceId, list[Choice]] = {}
    for choice in filter(_is_exclusive, site.choices):
        found.setdefault(choice.device, []).append(choice)
    return found


def _pairs_of_sites(variables: Variables, pod: PodDemand) -> Iterator[tuple[Site, Site]]:
    """Claims of one pod on one node in the order of allocation, the first with some admin access."""
    for node in sorted(set(pod.nodes)):
        known = (variables.sites.get(ClaimOnNode(claim, node)) for claim in dict.fromkeys(pod.claims))
        sites = [site for site in known if site is not None]
        for number, first in enumerate(sites):
            if any(demand.admin_access for demand in first.chosen):
                for second in sites[number + 1 :]:
                    yield first, second


def _unless_apart(variables: Variables, pod: PodDemand, *sites: Site) -> list[Literal]:
    """What is true if one of the claims was allocated with another pod."""
    return [
        opposite(variables.allocates[site.at.claim, pod.ref]) for site in sites if variables.is_shared(site.at.claim)
    ]
