"""What kubelets have to give by NUMA node (kubelet.md §5, §6, §8)."""

from dractl.model.formula import Formula, Literal
from dractl.model.variables import PodOnNode, Variables
from dractl.problem.nodes import NumaRoom


def a_node_has_the_cpus_and_memory_that_pods_have_for_themselves(formula: Formula, variables: Variables) -> None:
    """The node in all; the scheduler's own sums may allow more."""
    for node, room in variables.joint.rooms.items():
        pods = variables.pods_on.get(node, ())
        for resource, amount in room.whole.items():
            formula.limit([(on, room.sums.get(pod.ref, {}).get(resource, 0)) for pod, on in pods], amount)


def what_has_to_be_together_is_on_one_numa_node(formula: Formula, variables: Variables) -> None:
    """Each part of a pod is on one NUMA node, which has room for all of its parts."""
    for node, room in variables.joint.rooms.items():
        taken: list[list[tuple[Literal, dict[str, int]]]] = [[] for _ in room.free]
        for pod, on in variables.pods_on.get(node, ()):
            for part in room.parts.get(pod.ref, ()):
                where = [formula.new() for _ in room.free]
                formula.number_is(where, 1, on)
                for numa, literal in enumerate(where):
                    taken[numa].append((literal, dict(part)))
                for literal, home in zip(where, variables.homes.get(PodOnNode(pod.ref, node), ()), strict=False):
                    formula.implies(home, literal)
        _fits(formula, room, taken)


def _fits(formula: Formula, room: NumaRoom, taken: list[list[tuple[Literal, dict[str, int]]]]) -> None:
    for free, parts in zip(room.free, taken, strict=True):
        for resource, amount in free.items():
            formula.limit([(literal, part.get(resource, 0)) for literal, part in parts], amount)
