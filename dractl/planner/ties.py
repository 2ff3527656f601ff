"""What follows from a choice among equally good nodes: other choices are played through (DESIGN, decision 11)."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.identities import PodRef
from dractl.planner.plan import Answer
from dractl.solution.outcomes import Placement, PodOutcome, Verdict

PLAYED_THROUGH: Final = 8
"""Other choices that are predicted anew."""

LARGEST: Final = 2_000
"""Pods times nodes beyond which none is: it would take too long. What follows is marked all the same."""

PredictWith = Callable[[Mapping[PodRef, str]], Answer]
"""The prediction if a pod takes another one of its equally good nodes."""


class _Choice(Struct, frozen=True):
    """A pod that might as well go to this node."""

    pod: PodRef
    node: str


def weigh_ties(prediction: Answer, predict_with: PredictWith, nodes: int) -> Answer:
    """Mark what rests on the choice: undecided if another one changes whether a pod fits, else not certain."""
    choices = list(islice(_other_choices(prediction), PLAYED_THROUGH + 1))
    if not choices or len(prediction.outcomes) == 1:
        return prediction
    if len(prediction.outcomes) * nodes > LARGEST or len(choices) > PLAYED_THROUGH:
        return _with_doubts(prediction)
    outcomes = list(prediction.outcomes)
    for choice in choices:
        other = {outcome.pod: outcome for outcome in predict_with({choice.pod: choice.node}).outcomes}
        outcomes = [_weighed(outcome, other.get(outcome.pod), choice) for outcome in outcomes]
    return replace(prediction, outcomes=tuple(outcomes))


def _other_choices(prediction: Answer) -> Iterator[_Choice]:
    for outcome in prediction.outcomes:
        if outcome.placement is not None:
            yield from (_Choice(outcome.pod, node) for node in outcome.tied if node != outcome.placement.node)


def _weighed(outcome: PodOutcome, other: PodOutcome | None, choice: _Choice) -> PodOutcome:
    """The outcome in the light of one other choice."""
    if other is None or outcome.pod == choice.pod or outcome.verdict is Verdict.UNDECIDED:
        return outcome
    because = f"{choice.pod} may as well go to {choice.node}"
    if other.verdict is not outcome.verdict:
        why = f"{because}; then this pod {_becomes(other)}, else it {_becomes(outcome)}"
        return replace(outcome, verdict=Verdict.UNDECIDED, placement=None, message="", uncertain=why)
    if _differs(outcome.placement, other.placement) and not outcome.uncertain:
        return replace(outcome, uncertain=f"{because}, and then it gets another node or other devices")
    return outcome


def _differs(one: Placement | None, other: Placement | None) -> bool:
    """Another node or other devices; who of several pods a shared claim was allocated for does not matter."""
    if one is None or other is None:
        return one is not other
    return one.node != other.node or (one.allocations != other.allocations and bool(one.allocations))


def _becomes(outcome: PodOutcome) -> str:
    if outcome.placement is not None and outcome.verdict is Verdict.PLACED:
        return f"is placed on {outcome.placement.node}"
    return {Verdict.WAITING: "waits", Verdict.DOES_NOT_FIT: "does not fit"}.get(outcome.verdict, "is undecided")


def _with_doubts(prediction: Answer) -> Answer:
    """Every pod behind the first choice may be decided otherwise; which ones was not played through."""
    first = next(place for place, outcome in enumerate(prediction.outcomes) if len(outcome.tied) > 1)
    pod = prediction.outcomes[first].pod
    doubt = f"it is decided after {pod}, whose node is not fixed"
    outcomes = [
        outcome if place <= first or outcome.uncertain else replace(outcome, uncertain=doubt)
        for place, outcome in enumerate(prediction.outcomes)
    ]
    return replace(prediction, outcomes=tuple(outcomes))
