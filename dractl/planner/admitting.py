"""Whether a node's kubelet lets some pods in, and in which order: the optimum may choose it (DESIGN, decision 5)."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.kubelet import Admission, KubeletState, Stopped, admit, sight
from dractl.kubelet.demand import PodDemand
from dractl.planner.courses import Kind
from dractl.planner.numa_rooms import is_even
from dractl.problem.nodes import AlikePods, NodeConflict

MOST_ADMISSIONS: Final = 5_000
"""Asked of a kubelet about one set of pods; then the set counts as refused, which is no proof."""


class Admitted(Struct, frozen=True):
    """The kubelet's answers to pods that it lets in, in their order: at least one."""

    answers: tuple[Admission, ...]

    @property
    def order(self) -> tuple[PodRef, ...]:
        """The pods in the order in which they come."""
        return tuple(answer.pod for answer in self.answers)

    @property
    def state(self) -> KubeletState:
        """The node afterwards."""
        return self.answers[-1].state


class TurnedAway(Struct, frozen=True):
    """There is no such order, or none was found in time (`is_proven` is False)."""

    is_proven: bool


class _Search(Struct):
    """A walk through the orders of pods; pods that the kubelet cannot tell apart are tried once."""

    demands: Mapping[PodRef, PodDemand]
    kinds: Mapping[PodDemand, int]
    pods: Mapping[PodRef, Pod]
    after: Mapping[PodRef, PodRef]
    asked: int = 0
    hopeless: set[Hashable] = field(default_factory=set)

    def walk(self, state: KubeletState, left: tuple[PodRef, ...]) -> tuple[Admission, ...] | None:
        """The first order in which all are let in, the earlier pods of the queue first wherever that is possible."""
        if not left:
            return ()
        known = (sight(state), tuple(sorted(self.kinds[self.demands[ref]] for ref in left)))
        if known in self.hopeless or self.asked > MOST_ADMISSIONS:
            return None
        tried: set[PodDemand] = set()
        for ref in left:
            if self.demands[ref] in tried or self.after.get(ref) in left:
                continue
            tried.add(self.demands[ref])
            self.asked += 1
            answer = admit(state, self.pods[ref], demand=self.demands[ref])
            if isinstance(answer, Stopped) or not answer.admitted:
                continue
            found = self.walk(answer.state, tuple(each for each in left if each != ref))
            if found is not None:
                return (answer, *found)
        self.hopeless.add(known)
        return None


class Admitting:
    """Asks the kubelets of all nodes; nodes whose kubelet is not known let everything in."""

    def __init__(
        self, states: Mapping[str, KubeletState], pods: Mapping[PodRef, Pod], after: Mapping[PodRef, PodRef]
    ) -> None:
        self.states: Final = states
        self.pods: Final = pods
        self.after: Final = after
        self._alike: Final[dict[Hashable, list[str]]] = {}
        for name, state in states.items():
            self._alike.setdefault(sight(state), []).append(name)

    @property
    def kinds(self) -> Iterable[Sequence[str]]:
        """Nodes that answer alike, together."""
        return self._alike.values()

    def ask(self, node: str, pods: Sequence[PodRef]) -> Admitted | TurnedAway:
        """An order for these pods on one node."""
        state = self.states[node]
        demands = self._demands(state, pods)
        kinds = {demand: number for number, demand in enumerate(dict.fromkeys(demands.values()))}
        search = _Search(demands, kinds, self.pods, self.after)
        found = search.walk(state, tuple(pods))
        return TurnedAway(search.asked <= MOST_ADMISSIONS) if found is None else Admitted(found)

    def in_order(self, node: str, pods: Sequence[PodRef]) -> Admitted | TurnedAway:
        """The pods in this order."""
        state, answers = self.states[node], []
        for ref in pods:
            answer = admit(state, self.pods[ref])
            if isinstance(answer, Stopped) or not answer.admitted:
                return TurnedAway(is_proven=False)
            answers.append(answer)
            state = answer.state
        return Admitted(tuple(answers))

    def fewest_refused(self, node: str, pods: Sequence[PodRef]) -> list[PodRef]:
        """As few of the refused pods as are refused already."""
        core = list(pods)
        for ref in reversed(pods):
            fewer = [each for each in core if each != ref]
            answer = self.ask(node, fewer) if fewer else None
            if isinstance(answer, TurnedAway) and answer.is_proven:
                core = fewer
        return core

    def alike(self, node: str) -> tuple[str, ...]:
        """The nodes that answer as this one does."""
        return tuple(self._alike[sight(self.states[node])])

    def kinds_of(self, node: str, pods: Sequence[PodRef]) -> tuple[Kind, ...]:
        """Pods that a node cannot tell apart, as far as it looks at them at all; those that wait for others alone."""
        chained = {*self.after, *self.after.values()}
        found: dict[Hashable, tuple[PodDemand, list[PodRef]]] = {}
        for ref, demand in self._demands(self.states[node], pods).items():
            if _asks_for_something(demand):
                key = (demand, ref if ref in chained else None)
                found.setdefault(key, (demand, []))[1].append(ref)
        return tuple(Kind(demand, tuple(refs)) for demand, refs in found.values())

    def refused_alone(self, pods: Sequence[PodRef]) -> Iterator[NodeConflict]:
        """Pods that a node lets in neither alone nor beside any others.

        That is sure where the kubelet decides about a pod once, because others only take away what it may choose from.
        Of several containers the first may go elsewhere beside other pods, and leave room for the second.
        """
        for nodes in self._alike.values():
            state = self.states[nodes[0]]
            if state.kubelet.cpu is not None and not is_even(state.kubelet.cpu):
                continue
            for kind in self.kinds_of(nodes[0], pods):
                if _is_decided_once(kind.demand) and isinstance(self.ask(nodes[0], kind.pods[:1]), TurnedAway):
                    yield NodeConflict(tuple(nodes), (AlikePods(frozenset(kind.pods), 1),))

    def _demands(self, state: KubeletState, pods: Sequence[PodRef]) -> dict[PodRef, PodDemand]:
        return {ref: state.kubelet.demand_of(self.pods[ref]) for ref in pods}


def _asks_for_something(demand: PodDemand) -> bool:
    """Whether any manager gives the pod anything; all others are let in, and change nothing."""
    containers = any(each.cpus or each.memory or each.devices for each in demand.containers)
    return bool(containers or demand.cpus or demand.memory or demand.devices or demand.pooled)


def _is_decided_once(demand: PodDemand) -> bool:
    return sum(bool(each.cpus or each.memory or each.devices) for each in demand.containers) == 1
