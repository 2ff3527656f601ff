"""Where pods go, and what nodes have for them beside devices."""

from dractl.cluster.node_state import EVERY_ADDRESS
from dractl.model.formula import Formula, Literal, opposite
from dractl.model.variables import Variables


def a_placed_pod_is_on_one_node(formula: Formula, variables: Variables) -> None:
    """A pod that is not placed is on none."""
    for pod in variables.joint.pods:
        on = [literal for _, literal in variables.nodes_of(pod)]
        formula.exactly_one([opposite(variables.placed[pod.ref]), *on])


def nodes_have_what_their_pods_take(formula: Formula, variables: Variables) -> None:
    """CPU, memory and whatever else is counted; what is not named in `free` is not limited."""
    for node, pods in variables.pods_on.items():
        for resource, amount in variables.joint.free.get(node, {}).items():
            formula.limit([(on, pod.takes.get(resource, 0)) for pod, on in pods], amount)


def a_pod_comes_after_the_one_it_waits_for(formula: Formula, variables: Variables) -> None:
    """An ordered StatefulSet makes a pod when the one before is there; one that is not planned is there already."""
    for pod in variables.joint.pods:
        if pod.after is not None and pod.after in variables.placed:
            formula.implies(variables.placed[pod.ref], variables.placed[pod.after])


def pods_on_a_node_need_different_ports(formula: Formula, variables: Variables) -> None:
    """Host ports are had once on each node; what is taken there from the start is not among a pod's nodes.

    A port on all addresses excludes the others, one on a single address those on the same or on all.
    """
    for pods in variables.pods_on.values():
        takers: dict[tuple[str, int], dict[str, dict[Literal, None]]] = {}
        for pod, on in pods:
            for port in pod.ports:
                takers.setdefault((port.protocol, port.port), {}).setdefault(port.ip, {})[on] = None
        for by_address in takers.values():
            everywhere = by_address.get(EVERY_ADDRESS, {})
            formula.at_most_one(list(everywhere))
            for address, here in by_address.items():
                if address != EVERY_ADDRESS:
                    formula.at_most_one(list({**everywhere, **here}))


def a_group_gets_enough_nodes_or_none(formula: Formula, variables: Variables) -> None:
    """Pods of a group start together: fewer than its minimum do not start."""
    for gang in variables.joint.gangs:
        placed = [variables.placed[ref] for ref in gang.members]
        starts = formula.any_of(placed)
        formula.limit([*((opposite(each), 1) for each in placed), (starts, gang.min_count)], len(placed))
