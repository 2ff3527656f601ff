"""What kubelets are known to make of pods that come to them together (kubelet.md §5, §6, §8; DESIGN, decision 5)."""

from collections.abc import Collection
from typing import Final

from dractl.api.identities import PodRef
from dractl.model.formula import Formula, Literal, opposite
from dractl.model.variables import PodOnNode, Variables
from dractl.problem.nodes import AlikePods, Gathering, NodeConflict, Settled


def a_node_does_not_get_pods_that_its_kubelet_refuses(formula: Formula, variables: Variables) -> None:
    """Of some kind of pods it has fewer than those that it refuses together, or others are there that change it."""
    counts = _Counts(formula, variables)
    for conflict in variables.joint.conflicts:
        for node in conflict.nodes:
            ways_out = _ways_out(counts, conflict, node)
            if ways_out is not None:
                formula.at_least_one(ways_out)


def pods_lie_as_some_order_of_admission_has_it(formula: Formula, variables: Variables) -> None:
    """Where exactly these pods are on a node, no more of them are at home somewhere than in one of the courses."""
    counts = _Counts(formula, variables)
    for gathering in variables.joint.gatherings:
        for node in gathering.nodes:
            others = counts.other_than(node, gathering.pods)
            if others is not None:
                courses = [_course(formula, variables, node, gathering, course) for course in gathering.courses]
                formula.at_least_one([*others, *courses])


def nodes_get_what_some_order_of_admission_lets_in(formula: Formula, variables: Variables) -> None:
    """Where all courses of a kubelet are known, the numbers of pods and of those at home are those of one of them."""
    for table in variables.joint.tables:
        for node in table.nodes:
            on = {pod.ref: literal for pod, literal in variables.pods_on.get(node, ())}
            layout = variables.joint.layouts.get(node)
            numa_nodes = layout.numa_nodes if layout is not None else ()
            counted = [[literal for ref, literal in on.items() if ref in kind] for kind in table.kinds]
            at_home = [
                [
                    homes[numa_nodes.index(numa_node)]
                    for ref in on
                    if ref in table.kinds[kind] and (homes := variables.homes.get(PodOnNode(ref, node)))
                ]
                for kind, numa_node in table.homes
            ]
            formula.numbers_are_in_a_row(counted, at_home, table.rows)


def _ways_out(counts: "_Counts", conflict: NodeConflict, node: str) -> list[Literal] | None:
    """One of them has to be true; None if the conflict cannot arise on the node."""
    fewer = [counts.fewer_than(node, kind.pods, kind.number) for kind in conflict.together]
    more = (counts.at_least(node, kind.pods, kind.number) for kind in conflict.unless)
    possible = [literal for literal in fewer if literal is not None]
    return [*possible, *(literal for literal in more if literal is not None)] if len(possible) == len(fewer) else None


def _course(
    formula: Formula, variables: Variables, node: str, gathering: Gathering, course: tuple[Settled, ...]
) -> Literal:
    """A literal that is true only if no pod is at home elsewhere than the course has it."""
    chosen = formula.new()
    most = {(settled.pods.pods, settled.numa_node): settled.pods.number for settled in course}
    layout = variables.joint.layouts.get(node)
    for number, numa_node in enumerate(layout.numa_nodes if layout is not None else ()):
        for kind in gathering.pods:
            homes = [
                homes[number]
                for ref in sorted(kind.pods, key=lambda ref: variables.turn[ref])
                if (homes := variables.homes.get(PodOnNode(ref, node)))
            ]
            spare = len(homes) - most.get((kind.pods, numa_node), 0)
            if spare > 0:
                formula.limit([*((home, 1) for home in homes), (chosen, spare)], len(homes))
    return chosen


class _Counts:
    """Literals about how many of some pods are on a node, each made once. None stands for what cannot be."""

    def __init__(self, formula: Formula, variables: Variables) -> None:
        self._formula: Final = formula
        self._on: Final = {node: {pod.ref: on for pod, on in pods} for node, pods in variables.pods_on.items()}
        self._known: Final[dict[tuple[str, frozenset[PodRef], int], Literal]] = {}

    def at_least(self, node: str, pods: frozenset[PodRef], number: int) -> Literal | None:
        """True exactly if so many of the pods are on the node; `number` is at least 1."""
        here = self._here(node, pods)
        if len(here) < number:
            return None
        if len(here) == number == 1:
            return here[0]
        key = (node, pods, number)
        if key not in self._known:
            found = self._known[key] = self._formula.new()
            self._formula.limit([*((opposite(each), 1) for each in here), (found, number)], len(here))
            few = (opposite(found), len(here) - number + 1)
            self._formula.limit([*((each, 1) for each in here), few], len(here))
        return self._known[key]

    def fewer_than(self, node: str, pods: frozenset[PodRef], number: int) -> Literal | None:
        """True exactly if not so many of the pods are on the node; None if so many cannot be there."""
        found = self.at_least(node, pods, number)
        return opposite(found) if found is not None else None

    def other_than(self, node: str, kinds: Collection[AlikePods]) -> list[Literal] | None:
        """One is true exactly if the node has another number of some kind; None if it cannot have these numbers."""
        others: list[Literal] = []
        for kind in kinds:
            if kind.number > 0:
                fewer = self.fewer_than(node, kind.pods, kind.number)
                if fewer is None:
                    return None
                others.append(fewer)
            more = self.at_least(node, kind.pods, kind.number + 1)
            if more is not None:
                others.append(more)
        return others

    def _here(self, node: str, pods: frozenset[PodRef]) -> list[Literal]:
        return [on for ref, on in self._on.get(node, {}).items() if ref in pods]
