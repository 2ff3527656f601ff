"""What kubelets have to give by NUMA node, and which pods they are known to refuse together (kubelet.md §5, §6, §8)."""

from dractl.model.formula import Formula, Literal, opposite
from dractl.model.variables import Variables
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
        _fits(formula, room, taken)


def _fits(formula: Formula, room: NumaRoom, taken: list[list[tuple[Literal, dict[str, int]]]]) -> None:
    for free, parts in zip(room.free, taken, strict=True):
        for resource, amount in free.items():
            formula.limit([(literal, part.get(resource, 0)) for literal, part in parts], amount)


def a_node_does_not_get_pods_that_its_kubelet_refuses(formula: Formula, variables: Variables) -> None:
    """Of some kind of pods it has fewer than those that it refuses together."""
    for conflict in variables.joint.conflicts:
        for node in conflict.nodes:
            pods = variables.pods_on.get(node, ())
            fewer = []
            for kind in conflict.together:
                here = [on for pod, on in pods if pod.ref in kind.pods]
                if len(here) >= kind.number:
                    fewer.append(_fewer_than(formula, here, kind.number))
            if len(fewer) == len(conflict.together):
                formula.at_least_one(fewer)


def _fewer_than(formula: Formula, literals: list[Literal], number: int) -> Literal:
    """A literal that is true only if fewer than so many of the others are."""
    if len(literals) == number == 1:
        return opposite(literals[0])
    fewer = formula.new()
    spare = len(literals) - number + 1
    formula.limit([*((literal, 1) for literal in literals), (fewer, spare)], len(literals))
    return fewer
