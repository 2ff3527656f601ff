"""All courses that things can take when pods come to a kubelet: who is let in after whom, and who comes to lie where.

Pods that the kubelet cannot tell apart are of one kind, and only how many of each kind have come matters: a census.
From every state that a census can lead to, one more pod of each kind is let in, or not. Example: of two kinds with one
pod each, (0,0) leads to (1,0) and (0,1); where the second kind is refused after the first, one way only leads to (1,1).
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.kubelet import Admission, KubeletState, admit, sight
from dractl.kubelet.demand import PodDemand
from dractl.planner.kubelets import share_of

MOST_WAYS: Final = 20_000
"""Followed up to one census, from every state that a census leads to."""

Census = tuple[int, ...]
"""How many pods of each kind."""

Homes = tuple[tuple[int, int], ...]
"""For each pod that has all that the kubelet gives it on one NUMA node its kind and that node; sorted."""


class Kind(Struct, frozen=True):
    """Pods that a kubelet cannot tell apart, in queue order. A pod that others wait for, or that waits, is alone."""

    demand: PodDemand
    pods: tuple[PodRef, ...]


class Step(Struct, frozen=True):
    """One pod of a kind is let in; `home` is the NUMA node on which all lies that the kubelet gives it."""

    kind: int
    home: int | None


class Courses(Struct, frozen=True, eq=False):
    """For each census that can be reached the ways in which the pods can come to lie, and how each comes about.

    `is_complete`: what is not here cannot be, up to the census `most`. So many questions were `asked`.
    """

    most: Census
    reached: Mapping[Census, Mapping[Homes, tuple[Step, ...]]]
    is_complete: bool
    asked: int

    def hopeless(self, census: Census) -> list[Census]:
        """Pods among these that are refused whatever else comes, up to `most`: the smallest such sets of them."""
        borders = {
            after
            for before in self.reached
            for kind in range(len(census))
            if (after := _one_more(before, kind)) not in self.reached and _is_within(after, census)
        }
        lasting = [each for each in borders if not any(_is_within(each, reached) for reached in self.reached)]
        return sorted(
            each for each in lasting if not any(other != each and _is_within(other, each) for other in lasting)
        )


class _Place(Struct):
    """A state of the node that was reached, with all ways that lead there."""

    state: KubeletState
    ways: dict[Homes, tuple[Step, ...]] = field(default_factory=dict)


class Explorer:
    """Finds the courses on one node. `after` names pods that another one has to come before, where both come."""

    def __init__(
        self,
        state: KubeletState,
        kinds: Sequence[Kind],
        pods: Mapping[PodRef, Pod],
        after: Mapping[PodRef, PodRef],
        *,
        with_homes: bool,
    ) -> None:
        self._state: Final = state
        self._kinds: Final = kinds
        self._pods: Final = pods
        self._with_homes: Final = with_homes
        turn = {ref: number for number, kind in enumerate(kinds) for ref in kind.pods}
        self._earlier: Final = {turn[ref]: turn[first] for ref, first in after.items() if {ref, first} <= turn.keys()}
        self._later: Final = {first: ref for ref, first in self._earlier.items()}

    def explore(self, most: Census, admissions: int, width: int | None = None) -> Courses:
        """All courses up to a census, found with at most so many questions to the kubelet.

        With a width only so many states are followed for each number of pods, spread evenly over all that there are.
        """
        nobody: Census = (0,) * len(self._kinds)
        asked, ways, is_complete = 0, 0, True
        layer = {(nobody, sight(self._state)): _Place(self._state, {(): ()})}
        reached: dict[Census, dict[Homes, tuple[Step, ...]]] = {nobody: {(): ()}}
        while layer:
            following: dict[tuple[Census, Hashable], _Place] = {}
            for (census, _), place in layer.items():
                for kind in range(len(self._kinds)):
                    if census[kind] == most[kind] or self._is_too_late(kind, census):
                        continue
                    ways += len(place.ways)
                    if asked == admissions or ways > MOST_WAYS:
                        return Courses(most, reached, is_complete=False, asked=asked)
                    asked += 1
                    self._come(kind, census, place, following)
            for (census, _), place in following.items():
                known = reached.setdefault(census, {})
                for homes, steps in place.ways.items():
                    known.setdefault(homes, steps)
            layer = following
            if width is not None and len(layer) > width:
                step, is_complete = len(layer) / width, False
                states = list(layer.items())
                layer = dict(states[int(place * step)] for place in range(width))
        return Courses(most, reached, is_complete, asked)

    def _is_too_late(self, kind: int, census: Census) -> bool:
        """Whether a pod has come already that has to come after this one."""
        later = self._later.get(kind)
        return later is not None and census[later] > 0

    def _come(self, kind: int, census: Census, place: _Place, following: dict[tuple[Census, Hashable], _Place]) -> None:
        demand, ref = self._kinds[kind].demand, self._kinds[kind].pods[census[kind]]
        answer = admit(place.state, self._pods[ref], demand=demand)
        if not isinstance(answer, Admission) or not answer.admitted:
            return
        step = Step(kind, home_of(answer) if self._with_homes else None)
        after = following.setdefault((_one_more(census, kind), sight(answer.state)), _Place(answer.state))
        for homes, steps in place.ways.items():
            grown = homes if step.home is None else tuple(sorted((*homes, (kind, step.home))))
            after.ways.setdefault(grown, (*steps, step))


def home_of(answer: Admission) -> int | None:
    """The NUMA node on which a pod has all that the kubelet gives it; None if it has nothing, or on several."""
    share = share_of(answer)
    nodes = share.numa
    for device in share.devices:
        nodes |= device.nodes
    return next(iter(nodes)) if share.numa and len(nodes) == 1 else None


def _one_more(census: Census, kind: int) -> Census:
    return (*census[:kind], census[kind] + 1, *census[kind + 1 :])


def _is_within(census: Census, most: Census) -> bool:
    return all(number <= limit for number, limit in zip(census, most, strict=True))
