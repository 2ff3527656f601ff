"""What an optimum that prefers aligned pods gains: which pods, how, and what there is to do for it."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from dractl.errors import Place
from dractl.phrases import counted, listed, verb
from dractl.planner.aligning import where_all_lies
from dractl.planner.plan import Answer, Optimum, Plan
from dractl.planner.settings import Preference
from dractl.report.differences import Difference
from dractl.report.view import View
from dractl.solution.outcomes import PodOutcome


class Gain(Struct, frozen=True):
    """A pod that the optimum aligns: `crossed` is how it lies by the prediction, `steps` lead to where it would lie."""

    outcome: PodOutcome
    place: Place
    crossed: str
    way: str
    steps: tuple[str, ...]


def gains(plan: Plan, difference: Difference) -> Iterator[Gain]:
    """Pods that the prediction leaves crossed, in the order of the optimum."""
    predicted = {outcome.pod: outcome for outcome in plan.prediction.outcomes}
    for outcome in difference.gets_aligned:
        placement = predicted[outcome.pod].placement
        if placement is None or placement.share is None:
            continue
        alignment = plan.prediction.alignments[outcome.pod]
        lying = where_all_lies(placement.share, alignment, plan.machines[placement.node].machine)
        crossed = f"it is not on one NUMA node of {placement.node}: {lying}"
        way = f"It would be aligned {difference.way_to_align(outcome.pod)}."
        steps = (*_steps(plan, difference, outcome), "The scheduler will not find this by itself.")
        yield Gain(outcome, outcome.place, crossed, way, steps)


def aligned_text(answer: Answer, optimum: Optimum | None) -> str:
    """`; 2 of 3 pods aligned, proven`, where alignment is wanted; nothing else."""
    if optimum is None or optimum.prefers is not Preference.ALIGNED:
        return ""
    text = f"; {answer.aligned} of {counted(len(answer.alignments), 'pod')} aligned"
    if answer is not optimum.answer:
        return text
    return f"{text}, {'proven' if optimum.is_aligned_proven else 'not proven'}"


def alignment_lines(plan: Plan) -> Iterator[str]:
    """Below the optimum: who is aligned that the prediction leaves crossed, or that nobody could be."""
    if plan.optimum is None or plan.optimum.prefers is not Preference.ALIGNED:
        return
    names = [str(outcome.pod) for outcome in Difference(plan).gets_aligned]
    if names:
        pods = counted(len(names), "pod")
        yield f"{pods} aligned that the prediction leaves crossed: {listed(names)}"
    elif not plan.optimum.answer.alignments and not plan.prediction.alignments:
        yield "nothing to align: no pod has devices whose NUMA node is known beside CPUs or memory of its own"


def _steps(plan: Plan, difference: Difference, outcome: PodOutcome) -> Iterator[str]:
    pod, node = outcome.pod, outcome.placement.node if outcome.placement is not None else ""
    if any(change.startswith("ran on ") for change in difference.own_changes(pod)):
        yield f"Send it to {node} with a nodeSelector."
    if difference.other_devices(pod) and plan.optimum is not None:
        located = plan.optimum.answer.alignments[pod].devices
        told = listed(list(dict.fromkeys(each.because for each in located)))
        yield f"Let its request select devices by {told}: they have to be on NUMA node {located[0].nodes}."
    if difference.overtaken_by(pod):
        yield "Create it first, or give it a higher priority."
    elif others := difference.overtaken_of(pod):
        names = listed([str(each) for each in others])
        yield f"Create {names} first, or give {verb(len(others), 'it', 'them')} a higher priority."


def plain_alignment(plan: Plan, view: View) -> dict[str, Any]:
    """As data: how many pods each side aligns, of how many that have something to align, and what the optimum gains."""
    optimum = plan.optimum
    sides = {"prediction": plan.prediction, **({"optimum": optimum.answer} if optimum is not None else {})}
    return {
        **{name: {"aligned": side.aligned, "of": len(side.alignments)} for name, side in sides.items()},
        "proven": optimum is not None and optimum.is_aligned_proven,
        "gained": [
            {"pod": str(gain.outcome.pod), "crossed": gain.crossed, "way": gain.way, "steps": list(gain.steps)}
            for gain in gains(plan, Difference(plan))
            if view.shows(gain.outcome.pod)
        ],
    }
