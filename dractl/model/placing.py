"""Where pods go, and what nodes have for them beside devices."""

from dractl.model.formula import Formula, opposite
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
