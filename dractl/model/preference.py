"""What is wanted: pods by priority, and among equals what the scheduler would try first."""

from collections.abc import Iterator

from dractl.model.formula import Literal
from dractl.model.variables import Site, Variables
from dractl.problem.joint import ClaimOnNode


def levels(variables: Variables) -> list[list[Literal]]:
    """The placed pods of each priority, the highest first: one more pod of a level outweighs all pods of lower ones."""
    found: dict[int, list[Literal]] = {}
    for pod in variables.joint.pods:
        found.setdefault(pod.priority, []).append(variables.placed[pod.ref])
    return [found[priority] for priority in sorted(found, reverse=True)]


def decisions(variables: Variables) -> list[Literal]:
    """All decisions in the scheduler's order: each is made in the affirmative if that is still possible.

    First where the pods go: pods in queue order, nodes by name. Then what they get there: pods in queue order, claims,
    requests and alternatives in order, devices in the device order; then homes, where these are wanted. For one pod the
    first answer in this order is that which the scheduler's own search finds first (dra.md §12).
    """
    return list(dict.fromkeys(_decisions(variables)))


def _decisions(variables: Variables) -> Iterator[Literal]:
    for pod in variables.joint.pods:
        yield variables.placed[pod.ref]
        yield from (on for _, on in variables.nodes_of(pod))
    for pod in variables.joint.pods:
        for node, _ in variables.nodes_of(pod):
            for claim in dict.fromkeys(pod.claims):
                site = variables.sites.get(ClaimOnNode(claim, node))
                if site is not None:
                    yield from _decisions_at(site)
    for homes in variables.homes.values():
        yield from homes


def _decisions_at(site: Site) -> Iterator[Literal]:
    yield site.here
    for demand, chosen in site.chosen.items():
        yield chosen
        yield from (choice.taken for choice in site.of(demand))
