"""Whether a node's kubelet lets some pods in, and in which order: the optimum may choose it (DESIGN, decision 5).

A node that refuses pods in every order is taken to refuse them with further pods beside them as well: these could only
take more away.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.kubelet import Admission, KubeletState, Stopped, admit, sight
from dractl.kubelet.demand import PodDemand
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
        self._after: Final = after
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
        search = _Search(demands, kinds, self.pods, self._after)
        found = search.walk(state, tuple(pods))
        return TurnedAway(search.asked <= MOST_ADMISSIONS) if found is None else Admitted(found)

    def conflict(self, node: str, pods: Sequence[PodRef], everyone: Sequence[PodRef]) -> NodeConflict:
        """As few of the refused pods as are refused already, for all nodes and pods that are alike."""
        core = list(pods)
        for ref in reversed(pods):
            fewer = [each for each in core if each != ref]
            answer = self.ask(node, fewer) if fewer else None
            if isinstance(answer, TurnedAway) and answer.is_proven:
                core = fewer
        state = self.states[node]
        demands = self._demands(state, everyone)
        numbers: dict[PodDemand, int] = {}
        for ref in core:
            numbers[demands[ref]] = numbers.get(demands[ref], 0) + 1
        together = tuple(
            AlikePods(frozenset(ref for ref in everyone if demands[ref] == demand), number)
            for demand, number in numbers.items()
        )
        return NodeConflict(tuple(self._alike[sight(state)]), together)

    def refused_alone(self, pods: Sequence[PodRef]) -> Iterator[NodeConflict]:
        """Pods that a node does not even let in when no other pod of the plan is there."""
        for nodes in self._alike.values():
            state = self.states[nodes[0]]
            alike: dict[PodDemand, list[PodRef]] = {}
            for ref, demand in self._demands(state, pods).items():
                alike.setdefault(demand, []).append(ref)
            for refs in alike.values():
                if isinstance(self.ask(nodes[0], refs[:1]), TurnedAway):
                    yield NodeConflict(tuple(nodes), (AlikePods(frozenset(refs), 1),))

    def _demands(self, state: KubeletState, pods: Sequence[PodRef]) -> dict[PodRef, PodDemand]:
        return {ref: state.kubelet.demand_of(self.pods[ref]) for ref in pods}
