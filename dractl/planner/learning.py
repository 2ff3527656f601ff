"""What the joint model learns about a kubelet from an answer that the kubelet does not carry out (DESIGN, decision 5).

Whether pods are let in, and where they come to lie, may depend on every pod of the plan that is there. So a lesson says
for which pods it holds: for exactly some, or up to a census within which all courses are known.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from msgspec import Struct

from dractl.api.identities import PodRef
from dractl.planner.admitting import Admitted, Admitting
from dractl.planner.courses import Census, Courses, Explorer, Homes, Kind, Step, home_of
from dractl.problem.nodes import AlikePods, CourseTable, Gathering, NodeConflict, Settled

MOST_ADMISSIONS: Final = 4_000
"""Asked of a kubelet to find all courses up to one census."""

MOST_IN_ALL: Final = 20_000
"""Asked of all kubelets to find their courses for all pods of the plan; then only for those that the model proposes."""

MOST_GATHERINGS: Final = 500
"""Told at once; else only the one that the model has proposed."""

MOST_ROWS: Final = 200_000
"""Of a table, on all nodes that it is about; where there are more, only what is proposed is told."""


class Lesson(Struct, frozen=True):
    """What the model has to heed from now on; a lesson that is not sure may rule out an answer that is possible."""

    conflicts: tuple[NodeConflict, ...] = ()
    gatherings: tuple[Gathering, ...] = ()
    tables: tuple[CourseTable, ...] = ()
    is_sure: bool = True


class _Group(Struct, frozen=True, eq=False):
    """Nodes that answer alike, the kinds of pods to them, and what is known of their courses.

    `everything` are those of all pods of the plan, `table` says the same to the model; None where these are too many.
    """

    nodes: tuple[str, ...]
    kinds: tuple[Kind, ...]
    explorer: Explorer
    everything: Courses | None
    table: CourseTable | None

    def census(self, pods: Iterable[PodRef]) -> Census:
        wanted = frozenset(pods)
        return tuple(sum(ref in wanted for ref in kind.pods) for kind in self.kinds)

    def alike(self, numbers: Census) -> tuple[AlikePods, ...]:
        return tuple(AlikePods(frozenset(kind.pods), number) for kind, number in zip(self.kinds, numbers, strict=True))


class Learning:
    """Lessons about all nodes. `wanting` are the pods that the model wants to have homes, none unless it is asked."""

    def __init__(
        self, admitting: Admitting, everyone: Sequence[PodRef], wanting: Mapping[str, frozenset[PodRef]]
    ) -> None:
        self._admitting: Final = admitting
        self._everyone: Final = everyone
        self._turn: Final = {ref: number for number, ref in enumerate(everyone)}
        self._wanting: Final = wanting
        self._groups: Final[dict[tuple[str, ...], _Group]] = {}
        self._courses: Final[dict[tuple[tuple[str, ...], Census], Courses]] = {}
        self._left = MOST_IN_ALL

    def of_refusal(self, node: str, pods: Sequence[PodRef], *, is_proven: bool) -> Lesson:
        """The node refuses these pods in every order, or none was found in time."""
        group = self._group(node)
        if group.table is not None:
            return Lesson(tables=(group.table,))
        census = group.census(pods)
        courses = self._courses_of(group, census)
        if not is_proven or not courses.is_complete:
            core = group.census(self._admitting.fewest_refused(node, pods))
            together = tuple(each for each in group.alike(core) if each.number)
            return Lesson(conflicts=(NodeConflict(group.nodes, together),), is_sure=False)
        hopeless = courses.hopeless(census)
        if not hopeless:
            return Lesson(gatherings=(Gathering(group.nodes, group.alike(census)),))
        beyond = tuple(
            AlikePods(frozenset(kind.pods), most + 1)
            for kind, most in zip(group.kinds, courses.most, strict=True)
            if most < len(kind.pods)
        )
        together_each = (tuple(each for each in group.alike(few) if each.number) for few in hopeless)
        return Lesson(conflicts=tuple(NodeConflict(group.nodes, together, beyond) for together in together_each))

    def of_homes(self, node: str, pods: Sequence[PodRef]) -> Lesson:
        """The pods come to lie otherwise than the model has it."""
        group = self._group(node)
        if group.table is not None:
            return Lesson(tables=(group.table,))
        census = group.census(pods)
        courses = self._courses_of(group, census)
        if not courses.is_complete:
            natural = self._admitting.ask(node, pods)
            by_itself = [_homes(self._steps(group, natural))] if isinstance(natural, Admitted) else []
            ways = [*courses.reached.get(census, ()), *by_itself]
            return Lesson(gatherings=(self._gathering(group, census, ways),), is_sure=False)
        few = list(_up_to(census)) if _number_up_to(census) <= MOST_GATHERINGS else [census]
        known = ((each, courses.reached.get(each)) for each in few)
        return Lesson(gatherings=tuple(self._gathering(group, each, ways) for each, ways in known if ways))

    def admitted(self, node: str, homes: Mapping[PodRef, int | None]) -> Admitted | None:
        """An order in which these pods come to lie where the model has them; those without a home lie anywhere.

        The order of the queue if that will do, else one that is near to it. None if no such order is known.
        """
        pods = list(homes)
        natural = self._admitting.ask(node, pods)
        if not isinstance(natural, Admitted) or _is_at_home(natural, homes):
            return natural if isinstance(natural, Admitted) else None
        group = self._group(node)
        courses = self._courses.get((group.nodes, group.census(pods))) or group.everything
        ways = courses.reached.get(group.census(pods), {}) if courses is not None else {}
        known = [*ways.values(), self._steps(group, natural)]
        orders = [order for steps in known if (order := self._assigned(group, steps, homes)) is not None]
        for order in sorted(orders, key=self._disorder):
            found = self._admitting.in_order(node, self._with_others(order, pods))
            if isinstance(found, Admitted) and _is_at_home(found, homes):
                return found
        return None

    # --- courses ------------------------------------------------------------------------------------------------------

    def _group(self, node: str) -> _Group:
        nodes = self._admitting.alike(node)
        if nodes not in self._groups:
            kinds = self._admitting.kinds_of(node, self._everyone)
            explorer = Explorer(
                self._admitting.states[node],
                kinds,
                self._admitting.pods,
                self._admitting.after,
                with_homes=bool(self._wanting),
            )
            everyone = tuple(len(kind.pods) for kind in kinds)
            everything = explorer.explore(everyone, min(MOST_ADMISSIONS, self._left))
            self._left -= everything.asked
            known = everything if everything.is_complete else None
            table = self._table(nodes, kinds, known) if known is not None else None
            self._groups[nodes] = _Group(nodes, kinds, explorer, known, table)
        return self._groups[nodes]

    def _courses_of(self, group: _Group, census: Census) -> Courses:
        if group.everything is not None:
            return group.everything
        key = (group.nodes, census)
        if key not in self._courses:
            found = group.explorer.explore(census, MOST_ADMISSIONS)
            if not found.is_complete:
                found = group.explorer.explore(census, MOST_ADMISSIONS, MOST_ADMISSIONS // (sum(census) * len(census)))
            self._courses[key] = found
        return self._courses[key]

    def _table(self, nodes: tuple[str, ...], kinds: Sequence[Kind], courses: Courses) -> CourseTable | None:
        asked = self._asked(nodes, kinds)
        numa_nodes = self._admitting.states[nodes[0]].kubelet.machine.nodes
        columns = [(kind, numa_node.node_id) for kind in sorted(asked) for numa_node in numa_nodes]
        ways = [(census, best) for census, reached in courses.reached.items() for best in _best(reached, asked)]
        if len(ways) * len(nodes) > MOST_ROWS:
            return None
        rows = ((*census, *(dict(best).get(key, 0) for key in columns)) for census, best in ways)
        return CourseTable(nodes, tuple(frozenset(kind.pods) for kind in kinds), tuple(columns), tuple(rows))

    def _gathering(self, group: _Group, census: Census, ways: Iterable[Homes]) -> Gathering:
        courses = tuple(
            tuple(
                Settled(AlikePods(frozenset(group.kinds[kind].pods), number), numa_node)
                for (kind, numa_node), number in course
            )
            for course in _best(ways, self._asked(group.nodes, group.kinds))
        )
        return Gathering(group.nodes, group.alike(census), courses)

    def _asked(self, nodes: Iterable[str], kinds: Sequence[Kind]) -> set[int]:
        """The kinds with pods that want a home on one of the nodes: only these matter."""
        wanting = frozenset().union(*(self._wanting.get(node, frozenset()) for node in nodes))
        return {number for number, kind in enumerate(kinds) if not wanting.isdisjoint(kind.pods)}

    def _steps(self, group: _Group, admitted: Admitted) -> list[Step]:
        """The course that was taken, as far as the kubelet looks at the pods."""
        kind_of = {ref: number for number, kind in enumerate(group.kinds) for ref in kind.pods}
        return [Step(kind_of[each.pod], home_of(each)) for each in admitted.answers if each.pod in kind_of]

    # --- orders -------------------------------------------------------------------------------------------------------

    def _assigned(
        self, group: _Group, steps: Sequence[Step], homes: Mapping[PodRef, int | None]
    ) -> list[PodRef] | None:
        """Which pod takes which step, so that all are at home that want to be; None if they cannot all be."""
        left = [[ref for ref in kind.pods if ref in homes] for kind in group.kinds]
        chosen: dict[int, PodRef] = {}
        with_home = [(number, step, step.home) for number, step in enumerate(steps) if step.home is not None]
        for number, step, wanted in [*with_home, *((number, step, None) for number, step in enumerate(steps))]:
            ref = next((ref for ref in left[step.kind] if homes[ref] == wanted), None)
            if ref is not None and number not in chosen:
                chosen[number] = ref
                left[step.kind].remove(ref)
        return [chosen[number] for number in range(len(steps))] if len(chosen) == len(steps) else None

    def _with_others(self, order: Sequence[PodRef], pods: Sequence[PodRef]) -> list[PodRef]:
        """The order with the pods that the kubelet does not look at, each behind those before it in the queue."""
        found = list(order)
        for ref in pods:
            if ref not in order:
                before = [place for place, each in enumerate(found) if self._turn[each] < self._turn[ref]]
                found.insert(before[-1] + 1 if before else 0, ref)
        return found

    def _disorder(self, order: Sequence[PodRef]) -> int:
        """How many pairs of pods come in another order than in the queue."""
        turns = [self._turn[ref] for ref in order]
        return sum(turns[before] > later for place, later in enumerate(turns) for before in range(place))


def _is_at_home(found: Admitted, homes: Mapping[PodRef, int | None]) -> bool:
    return all(homes[each.pod] is None or home_of(each) == homes[each.pod] for each in found.answers)


def _homes(steps: Iterable[Step]) -> Homes:
    return tuple(sorted((step.kind, step.home) for step in steps if step.home is not None))


_Counted = tuple[tuple[tuple[int, int], int], ...]


def _best(ways: Iterable[Homes], kinds: set[int]) -> list[_Counted]:
    """The ways that no other one surpasses, as far as these kinds are concerned."""
    counts = list(dict.fromkeys(_counted(homes, kinds) for homes in ways))
    return [each for each in counts if not any(each != other and _is_surpassed(each, other) for other in counts)]


def _counted(homes: Homes, kinds: set[int]) -> _Counted:
    """How many pods of each of these kinds are at home on each NUMA node."""
    numbers: dict[tuple[int, int], int] = {}
    for kind, numa_node in homes:
        if kind in kinds:
            numbers[kind, numa_node] = numbers.get((kind, numa_node), 0) + 1
    return tuple(numbers.items())


def _is_surpassed(one: _Counted, other: _Counted) -> bool:
    numbers = dict(other)
    return all(number <= numbers.get(key, 0) for key, number in one)


def _up_to(census: Census) -> Iterator[Census]:
    return (each for each in product(*(range(number + 1) for number in census)) if any(each))


def _number_up_to(census: Census) -> int:
    total = 1
    for number in census:
        total *= number + 1
    return total
