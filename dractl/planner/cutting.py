"""The joint model's answer, run through the kubelets and cut off until they let it in (DESIGN, decision 5)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.identities import PodRef
from dractl.model import ModelPlacement, Optimum, optimize
from dractl.planner.admitting import Admitted, Admitting, TurnedAway
from dractl.planner.courses import home_of
from dractl.planner.learning import Learning, Lesson
from dractl.planner.numa_rooms import room_of
from dractl.problem.joint import JointProblem
from dractl.problem.nodes import NumaRoom

MOST_ROUNDS: Final = 200


class LetIn(Struct, frozen=True):
    """The model's last answer, and how each node whose kubelet is known lets its pods in.

    `rests_on_refusals`: it is proven only if kubelets that refuse some pods refuse them beside further ones too.
    """

    found: Optimum
    nodes: Mapping[str, Admitted]
    rests_on_refusals: bool = False


def without_nodes(problem: JointProblem, closed: Collection[str]) -> JointProblem:
    """The problem without nodes on which no pod can run."""
    if not closed:
        return problem
    pods = tuple(replace(pod, nodes=tuple(node for node in pod.nodes if node not in closed)) for pod in problem.pods)
    return replace(problem, pods=pods)


def with_rooms(problem: JointProblem, admitting: Admitting) -> JointProblem:
    """The problem with what the kubelets have to give, and the pods that they refuse whatever else comes."""
    refs = [pod.ref for pod in problem.pods]
    rooms: dict[str, NumaRoom] = {}
    for kind in admitting.kinds:
        room = room_of(admitting.states[kind[0]], {ref: admitting.pods[ref] for ref in refs})
        rooms |= dict.fromkeys(kind, room) if room is not None else {}
    return replace(problem, rooms=rooms, conflicts=tuple(admitting.refused_alone(refs)))


def most_let_in(problem: JointProblem, admitting: Admitting, time_limit_seconds: float) -> LetIn:
    """As many pods as possible, in an order in which all kubelets let them in.

    An answer that is refused is cut off, and the model asked again. When time is out, refused pods are left out.
    """
    if not admitting.states:
        return LetIn(optimize(problem, time_limit_seconds=time_limit_seconds), {})
    problem = with_rooms(problem, admitting)
    asked = _Rounds(problem, admitting, time_limit_seconds)
    found, refused = asked.until_let_in()
    placements = _kept(problem, found.placements, admitting) if refused else found.placements
    is_final = not refused
    found = replace(
        found,
        placements=placements,
        placed=len(placements),
        bound=max(asked.bound, len(placements)),
        is_proven=is_final and asked.is_proven and (found.is_proven or asked.reaches_what_is_proven(placements)),
        is_unique=found.is_unique and is_final,
        is_aligned_proven=found.is_aligned_proven and is_final and asked.are_homes_sure,
    )
    rests_on_refusals = not asked.are_refusals_sure and len(placements) < len(problem.pods)
    return LetIn(found, asked.admitted(placements), rests_on_refusals)


class _Rounds:
    """The model asked again and again. `bound` holds as long as every cut was proven."""

    def __init__(self, problem: JointProblem, admitting: Admitting, seconds: float) -> None:
        self._problem = problem
        self._admitting: Final = admitting
        wanting = {node: layout.pods for node, layout in problem.layouts.items()}
        self._learning: Final = Learning(admitting, [pod.ref for pod in problem.pods], wanting)
        self._seconds = seconds
        self.is_proven = True
        self.are_refusals_sure = True
        self.are_homes_sure = True
        self.bound = len(problem.pods)
        self._most: tuple[int, ...] | None = None

    def until_let_in(self) -> tuple[Optimum, list[str]]:
        """The last answer, and the nodes that refuse it still."""
        start: Sequence[ModelPlacement] = ()
        for _ in range(MOST_ROUNDS):
            found = optimize(self._problem, time_limit_seconds=self._seconds, start=start)
            self._seconds -= found.seconds
            if self.is_proven:
                self.bound = min(self.bound, found.bound)
                self._most = self._by_priority(found.placements) if found.is_proven else self._most
            refused = {
                node: answer
                for node, answer in _ask(found.placements, self._admitting).items()
                if isinstance(answer, TurnedAway)
            }
            homeless = [] if refused else self._homeless(found.placements)
            before = self._problem
            if self._seconds > 0:
                self._learn(_by_node(found.placements), refused, homeless)
            if self._problem is before:
                break
            start = self._with_true_homes(found.placements) if homeless else ()
        self.are_homes_sure &= not homeless and self.are_refusals_sure
        return found, list(refused)

    def _learn(
        self, pods: Mapping[str, Sequence[PodRef]], refused: Mapping[str, TurnedAway], homeless: Iterable[str]
    ) -> None:
        """Change the problem by what the kubelets of these nodes teach."""
        for node, answer in refused.items():
            self.is_proven &= answer.is_proven
            lesson = self._learning.of_refusal(node, pods[node], is_proven=answer.is_proven)
            self.are_refusals_sure &= lesson.is_sure
            self._heed(lesson)
        for node in homeless:
            lesson = self._learning.of_homes(node, pods[node])
            self.are_homes_sure &= lesson.is_sure
            self._heed(lesson)

    def reaches_what_is_proven(self, placements: Sequence[ModelPlacement]) -> bool:
        """Whether as many pods are placed as in an answer that heeded less of what kubelets refuse, and was proven."""
        return self._by_priority(placements) == self._most

    def admitted(self, placements: Sequence[ModelPlacement]) -> dict[str, Admitted]:
        """How the nodes let the pods in: with the homes that the model wants, where an order leads to them."""
        found: dict[str, Admitted] = {}
        for node, pods in _by_node(placements).items():
            if node in self._admitting.states:
                answer = self._learning.admitted(node, _homes(placements, node)) or self._admitting.ask(node, pods)
                if isinstance(answer, Admitted):
                    found[node] = answer
        return found

    def _homeless(self, placements: Sequence[ModelPlacement]) -> list[str]:
        """Nodes on which no known order of admission leads to the homes that the model wants."""
        nodes = sorted({each.node for each in placements if each.home is not None})
        return [node for node in nodes if self._learning.admitted(node, _homes(placements, node)) is None]

    def _by_priority(self, placements: Sequence[ModelPlacement]) -> tuple[int, ...]:
        """How many pods are placed of each priority, the highest first."""
        placed = {each.pod for each in placements}
        numbers = {pod.priority: 0 for pod in self._problem.pods}
        for pod in self._problem.pods:
            numbers[pod.priority] += pod.ref in placed
        return tuple(numbers[priority] for priority in sorted(numbers, reverse=True))

    def _with_true_homes(self, placements: Sequence[ModelPlacement]) -> list[ModelPlacement]:
        """The placements with the homes to which the kubelets bring the pods in the order of the queue."""
        answers = (
            answer
            for node in _ask(placements, self._admitting).values()
            if isinstance(node, Admitted)
            for answer in node.answers
        )
        homes = {answer.pod: home_of(answer) for answer in answers}
        return [replace(each, home=each.home if each.home == homes.get(each.pod) else None) for each in placements]

    def _heed(self, lesson: Lesson) -> None:
        problem = self._problem
        conflicts = [each for each in lesson.conflicts if each not in problem.conflicts]
        gatherings = [each for each in lesson.gatherings if each not in problem.gatherings]
        tables = [each for each in lesson.tables if each not in problem.tables]
        if conflicts or gatherings or tables:
            self._problem = replace(
                problem,
                conflicts=(*problem.conflicts, *conflicts),
                gatherings=(*problem.gatherings, *gatherings),
                tables=(*problem.tables, *tables),
            )


def _homes(placements: Iterable[ModelPlacement], node: str) -> dict[PodRef, int | None]:
    """The pods on a node, each with the NUMA node that the model wants for all that it has."""
    return {each.pod: each.home for each in placements if each.node == node}


def _by_node(placements: Iterable[ModelPlacement]) -> dict[str, list[PodRef]]:
    found: dict[str, list[PodRef]] = {}
    for placement in placements:
        found.setdefault(placement.node, []).append(placement.pod)
    return found


def _ask(placements: Iterable[ModelPlacement], admitting: Admitting) -> dict[str, Admitted | TurnedAway]:
    by_node = _by_node(placements)
    return {node: admitting.ask(node, pods) for node, pods in by_node.items() if node in admitting.states}


def _kept(
    problem: JointProblem, placements: tuple[ModelPlacement, ...], admitting: Admitting
) -> tuple[ModelPlacement, ...]:
    """The placements without pods that a node refuses after those before them, and without what rests on these."""
    gone: set[PodRef] = set()
    for node, pods in _by_node(placements).items():
        kept: list[PodRef] = []
        for ref in pods if node in admitting.states else ():
            if isinstance(admitting.ask(node, [*kept, ref]), Admitted):
                kept.append(ref)
            else:
                gone.add(ref)
    demands = {pod.ref: pod for pod in problem.pods}
    while True:
        lost = {picks.claim.ref for each in placements if each.pod in gone for picks in each.claims}
        more = {
            each.pod
            for each in placements
            if each.pod not in gone and (lost & set(demands[each.pod].claims) or demands[each.pod].after in gone)
        } | _of_broken_gangs(problem, placements, gone)
        if not more:
            return tuple(each for each in placements if each.pod not in gone)
        gone |= more


def _of_broken_gangs(
    problem: JointProblem, placements: tuple[ModelPlacement, ...], gone: Collection[PodRef]
) -> set[PodRef]:
    """Pods that stay, but too few of whose group do."""
    staying = {each.pod for each in placements if each.pod not in gone}
    left = [(staying.intersection(gang.members), gang.min_count) for gang in problem.gangs]
    return {ref for members, least in left if len(members) < least for ref in members}
