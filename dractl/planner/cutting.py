"""The joint model's answer, run through the kubelets and cut off until they let it in (DESIGN, decision 5)."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.identities import PodRef
from dractl.model import ModelPlacement, Optimum, optimize
from dractl.planner.admitting import Admitted, Admitting, TurnedAway
from dractl.planner.numa_rooms import room_of
from dractl.problem.joint import JointProblem
from dractl.problem.nodes import NumaRoom

MOST_ROUNDS: Final = 200


class LetIn(Struct, frozen=True):
    """The model's last answer, and how each node whose kubelet is known lets its pods in."""

    found: Optimum
    nodes: Mapping[str, Admitted]


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
        is_proven=found.is_proven and is_final and asked.is_proven,
        is_unique=found.is_unique and is_final,
    )
    nodes = {node: answer for node, answer in _ask(placements, admitting).items() if isinstance(answer, Admitted)}
    return LetIn(found, nodes)


class _Rounds:
    """The model asked again and again. `bound` holds as long as every cut was proven."""

    def __init__(self, problem: JointProblem, admitting: Admitting, seconds: float) -> None:
        self._problem = problem
        self._admitting: Final = admitting
        self._everyone: Final = [pod.ref for pod in problem.pods]
        self._seconds = seconds
        self.is_proven = True
        self.bound = len(problem.pods)

    def until_let_in(self) -> tuple[Optimum, list[str]]:
        """The last answer, and the nodes that refuse it still."""
        for _ in range(MOST_ROUNDS):
            found = optimize(self._problem, time_limit_seconds=self._seconds)
            self._seconds -= found.seconds
            if self.is_proven:
                self.bound = min(self.bound, found.bound)
            refused = {
                node: answer
                for node, answer in _ask(found.placements, self._admitting).items()
                if isinstance(answer, TurnedAway)
            }
            if not refused or self._seconds <= 0:
                break
            self._cut_off(found, refused)
        return found, list(refused)

    def _cut_off(self, found: Optimum, refused: Mapping[str, TurnedAway]) -> None:
        on_nodes = _by_node(found.placements)
        conflicts = [self._admitting.conflict(node, on_nodes[node], self._everyone) for node in refused]
        self._problem = replace(self._problem, conflicts=tuple(dict.fromkeys([*self._problem.conflicts, *conflicts])))
        self.is_proven &= all(answer.is_proven for answer in refused.values())


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
