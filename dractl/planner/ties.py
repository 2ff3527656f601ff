"""What follows from a choice among equally good nodes: other choices are played through (DESIGN, decision 11)."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.identities import PodRef
from dractl.cluster.scheduler_faults import SchedulerFault
from dractl.planner.plan import Answer, Victim
from dractl.solution.outcomes import Placement, PodOutcome, Verdict

LARGEST: Final = 16_000
"""Pods times nodes times other choices up to which each choice is predicted anew; more would take too long.

What follows from the choices is marked all the same.
"""

PredictWith = Callable[[Mapping[PodRef, str]], Answer]
"""The prediction if a pod takes another one of its equally good nodes."""


class _Choice(Struct, frozen=True):
    """A pod that might as well go to this node, or for which others might as well be deleted there (`is_room`)."""

    pod: PodRef
    node: str
    is_room: bool = False

    def __str__(self) -> str:
        if self.is_room:
            return f"room for {self.pod} may as well be made on {self.node}"
        return f"{self.pod} may as well go to {self.node}"


def weigh_ties(prediction: Answer, predict_with: PredictWith, nodes: int) -> Answer:
    """Mark what rests on the choice: undecided if another one changes whether a pod fits, else not certain."""
    prediction = _behind_mixed_up_groups(prediction)
    most = LARGEST // max(len(prediction.outcomes) * nodes, 1)
    choices = list(islice(_other_choices(prediction), most + 1))
    if not choices or (len(prediction.outcomes) == 1 and not (prediction.preempted or prediction.rooms)):
        return prediction
    if len(choices) > most:
        return _with_doubts(prediction)
    outcomes, victims = list(prediction.outcomes), dict(prediction.preempted)
    for choice in choices:
        other = predict_with({choice.pod: choice.node})
        by_pod = {outcome.pod: outcome for outcome in other.outcomes}
        outcomes = [_weighed(outcome, by_pod.get(outcome.pod), choice) for outcome in outcomes]
        victims = _weighed_victims(victims, other, choice)
    return replace(prediction, outcomes=tuple(outcomes), preempted=victims)


def _other_choices(prediction: Answer) -> Iterator[_Choice]:
    for outcome in prediction.outcomes:
        if outcome.placement is not None:
            yield from (_Choice(outcome.pod, node) for node in outcome.tied if node != outcome.placement.node)
    for pod, nodes in prediction.rooms.items():
        yield from (_Choice(pod, node, is_room=True) for node in nodes[1:])


def _weighed(outcome: PodOutcome, other: PodOutcome | None, choice: _Choice) -> PodOutcome:
    """The outcome in the light of one other choice."""
    is_its_own = outcome.pod == choice.pod and not choice.is_room
    if other is None or is_its_own or outcome.verdict is Verdict.UNDECIDED:
        return outcome
    if other.verdict is not outcome.verdict:
        why = f"{choice}; then this pod {_becomes(other)}, else it {_becomes(outcome)}"
        # Of a pod that has a node here, what other nodes said does not explain why it may get none.
        rejections = outcome.rejections if outcome.placement is None else ()
        return replace(
            outcome, verdict=Verdict.UNDECIDED, placement=None, message="", rejections=rejections, uncertain=why
        )
    if _differs(outcome.placement, other.placement) and not outcome.uncertain:
        return replace(outcome, uncertain=f"{choice}, and then it gets another node or other devices")
    return outcome


def _weighed_victims(victims: Mapping[PodRef, Victim], other: Answer, choice: _Choice) -> dict[PodRef, Victim]:
    """Who is deleted, in the light of one other choice."""
    instead = [str(ref) for ref in other.preempted if ref not in victims]
    then = f"{', '.join(instead)} {'is' if len(instead) == 1 else 'are'} deleted instead" if instead else "it is not"
    return {
        ref: victim
        if ref in other.preempted or victim.uncertain
        else replace(victim, uncertain=f"{choice}, and then {then}")
        for ref, victim in victims.items()
    }


def _differs(one: Placement | None, other: Placement | None) -> bool:
    """Another node or other devices; who of several pods a shared claim was allocated for does not matter."""
    if one is None or other is None:
        return one is not other
    return one.node != other.node or (one.allocations != other.allocations and bool(one.allocations))


def _becomes(outcome: PodOutcome) -> str:
    if outcome.placement is not None and outcome.verdict is Verdict.PLACED:
        return f"is placed on {outcome.placement.node}"
    if outcome.preempted_by is not None:
        return f"is deleted again to make room for {outcome.preempted_by}"
    return {Verdict.WAITING: "waits", Verdict.DOES_NOT_FIT: "does not fit"}.get(outcome.verdict, "is undecided")


def _with_doubts(prediction: Answer) -> Answer:
    """Every pod behind the first choice may be decided otherwise; which ones was not played through."""
    first = next(
        place
        for place, outcome in enumerate(prediction.outcomes)
        if len(outcome.tied) > 1 or outcome.pod in prediction.rooms
    )
    pod = prediction.outcomes[first].pod
    outcomes = _doubted(prediction.outcomes, first, f"it is decided after {pod}, whose node is not fixed")
    return replace(
        prediction,
        outcomes=tuple(_doubted_room(outcome, prediction.rooms) for outcome in outcomes),
        preempted={
            ref: replace(victim, uncertain=_where_room_is_made(victim.preemptor))
            if victim.preemptor in prediction.rooms
            else victim
            for ref, victim in prediction.preempted.items()
        },
    )


def _doubted_room(outcome: PodOutcome, rooms: Collection[PodRef]) -> PodOutcome:
    if outcome.pod not in rooms or outcome.uncertain:
        return outcome
    return replace(outcome, uncertain=_where_room_is_made(outcome.pod))


def _where_room_is_made(preemptor: PodRef) -> str:
    return f"on which node room is made for {preemptor} is not fixed"


def _behind_mixed_up_groups(prediction: Answer) -> Answer:
    """What v1.37.2 counts as taken after such a group depends on which of its members writes first."""
    mixed_up = [
        place
        for place, outcome in enumerate(prediction.outcomes)
        if SchedulerFault.MIXED_UP_GROUP_CLAIMS in outcome.faults
    ]
    if not mixed_up:
        return prediction
    pod = prediction.outcomes[mixed_up[0]].pod
    doubt = f"it is decided after the group of {pod}, which mixes its claims up: what is free then is not fixed"
    return replace(prediction, outcomes=_doubted(prediction.outcomes, mixed_up[0], doubt))


def _doubted(outcomes: Sequence[PodOutcome], first: int, doubt: str) -> tuple[PodOutcome, ...]:
    """The outcomes, all behind the first one with the doubt unless they have one already."""
    return tuple(
        outcome if place <= first or outcome.uncertain else replace(outcome, uncertain=doubt)
        for place, outcome in enumerate(outcomes)
    )
