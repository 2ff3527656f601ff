"""Where the optimum differs from the prediction; the two are never mixed."""

from collections import Counter

from dractl.api.identities import DeviceId, PodRef
from dractl.phrases import counted, listed
from dractl.planner.plan import Answer, Optimum, Plan
from dractl.planner.settings import Preference
from dractl.report.phrases import device_names
from dractl.report.rows import rows_of
from dractl.solution.node_share import NodeShare
from dractl.solution.outcomes import PodOutcome, Verdict

_MOVES_NAMED = 3


class Difference:
    """The optimum beside the prediction.

    `changed` are the optimum's outcomes for pods that get another node or other devices, in its order. `improves` says
    whether it places more pods than the prediction, pods of higher priority first; `aligns` whether it aligns more of
    them where that is wanted.
    """

    def __init__(self, plan: Plan) -> None:
        self._prediction = plan.prediction
        self._before = {outcome.pod: outcome for outcome in plan.prediction.outcomes}
        self._optimum = plan.optimum.answer if plan.optimum is not None else None
        self._orders = plan.optimum.orders if plan.optimum is not None else {}
        outcomes = self._optimum.outcomes if self._optimum is not None else ()
        self.changed = tuple(outcome for outcome in outcomes if self._differs(outcome))
        self.improves = self._optimum is not None and _is_more(self._optimum, plan.prediction)
        self.aligns = plan.optimum is not None and _aligns_more(plan.optimum, plan.prediction)
        self._gained = {
            outcome.pod
            for outcome in self.changed
            if outcome.verdict is Verdict.PLACED and not _is_placed(self._before.get(outcome.pod))
        }

    def gains(self, pod: PodRef) -> bool:
        """Whether the pod is placed only by an optimum that is better on the whole."""
        return self.improves and pod in self._gained

    def way_to_fit(self, pod: PodRef) -> str:
        """How the pod would fit: `if ml/a ran on node-b`, or the node alone where no other pod stands in its way."""
        others = [text for outcome in self.changed if outcome.pod != pod and (text := self._move(outcome))]
        if not others:
            return "".join(
                f"on {_node(outcome)}{self._turn(outcome)}" for outcome in self.changed if outcome.pod == pod
            )
        if len(others) > _MOVES_NAMED:
            return f"if {counted(len(others), 'other pod')} were placed otherwise, as shown below"
        return f"if {listed(others)}"

    def overtaken_by(self, pod: PodRef) -> list[PodRef]:
        """Pods before which it would have to come to its node, although they come first by themselves."""
        order = next((order for order in self._orders.values() if pod in order), ())
        turn = {ref: number for number, ref in enumerate(self._before)}
        later = order[order.index(pod) + 1 :] if order else ()
        return [each for each in later if turn[each] < turn[pod]]

    @property
    def gets_aligned(self) -> list[PodOutcome]:
        """The optimum's outcomes for pods that it aligns and the prediction leaves crossed."""
        if self._optimum is None or not self.aligns:
            return []
        crossed = {ref for ref, alignment in self._prediction.alignments.items() if not alignment.is_aligned}
        aligned = {ref for ref, alignment in self._optimum.alignments.items() if alignment.is_aligned}
        return [outcome for outcome in self._optimum.outcomes if outcome.pod in crossed & aligned]

    def way_to_align(self, pod: PodRef) -> str:
        """How the pod would be aligned: `if it took gpu-2`, or what others would do where it changes nothing itself."""
        own = self.own_changes(pod)
        if own:
            return f"if it {listed(own)}"
        node = next(_node(outcome) for outcome in self.changed if outcome.pod == pod)
        others = [self._move(outcome) for outcome in self.changed if outcome.pod != pod and _node(outcome) == node]
        return f"if {listed(moves)}" if (moves := list(filter(None, others))) else "if all were placed as shown below"

    def own_changes(self, pod: PodRef) -> list[str]:
        """What is different about the pod itself: `ran on n2`, `took gpu-2`, `came there before ml/a`."""
        before = self._before[pod]
        after = next((outcome for outcome in self.changed if outcome.pod == pod), before)
        node = _node(after)
        found = [f"ran on {node}"] if node != _node(before) else []
        if devices := self.other_devices(pod):
            found.append(f"took {listed(device_names(devices, node))}")
        for word, pods in (("before", self.overtaken_by(pod)), ("after", self.overtaken_of(pod))):
            if pods:
                found.append(f"came there {word} {listed([str(each) for each in pods])}")
        return found

    def other_devices(self, pod: PodRef) -> list[DeviceId]:
        """The pod's devices in the optimum, if they are not those of the prediction."""
        after = next((outcome for outcome in self.changed if outcome.pod == pod), None)
        if after is None or self._optimum is None:
            return []
        taken = _devices(self._optimum, after)
        return [device for _, device in taken] if taken != _devices(self._prediction, self._before[pod]) else []

    def overtaken_of(self, pod: PodRef) -> list[PodRef]:
        """Pods that would have to come to its node before it, although they come later by themselves."""
        return [
            other
            for order in self._orders.values()
            if pod in order
            for other in order
            if pod in self.overtaken_by(other)
        ]

    def _turn(self, outcome: PodOutcome) -> str:
        overtaken = [str(each) for each in self.overtaken_by(outcome.pod)]
        return f" if it came there before {listed(overtaken)}" if overtaken else ""

    def _differs(self, outcome: PodOutcome) -> bool:
        before = self._before.get(outcome.pod)
        if before is None or _node(before) != _node(outcome) or _share(before) != _share(outcome):
            return True
        return self._optimum is not None and _devices(self._prediction, before) != _devices(self._optimum, outcome)

    def _move(self, outcome: PodOutcome) -> str:
        """In the conditional; nothing for a pod that the prediction does not place either."""
        before = self._before.get(outcome.pod)
        if before is None or before.placement is None or self._optimum is None:
            return ""
        if outcome.placement is None:
            return f"{outcome.pod} were not placed"
        node = outcome.placement.node
        if before.placement.node != node:
            return f"{outcome.pod} ran on {node}"
        taken = [device for _, device in _devices(self._optimum, outcome)]
        if taken == [device for _, device in _devices(self._prediction, before)]:
            return ""
        return f"{outcome.pod} took {listed(device_names(taken, node))}"


def _aligns_more(optimum: Optimum, prediction: Answer) -> bool:
    is_wanted = optimum.prefers is Preference.ALIGNED and not _is_more(prediction, optimum.answer)
    return is_wanted and optimum.answer.aligned > prediction.aligned


def _is_more(optimum: Answer, prediction: Answer) -> bool:
    possible, predicted = _placed_by_priority(optimum), _placed_by_priority(prediction)
    levels = sorted({*predicted, *possible}, reverse=True)
    return [possible[level] for level in levels] > [predicted[level] for level in levels]


def _placed_by_priority(answer: Answer) -> Counter[int]:
    return Counter(answer.pods[outcome.pod].spec.priority or 0 for outcome in answer.outcomes if _is_placed(outcome))


def _is_placed(outcome: PodOutcome | None) -> bool:
    return outcome is not None and outcome.verdict is Verdict.PLACED


def _node(outcome: PodOutcome) -> str:
    return outcome.placement.node if outcome.placement is not None else ""


def _share(outcome: PodOutcome) -> NodeShare | None:
    return outcome.placement.share if outcome.placement is not None else None


def _devices(answer: Answer, outcome: PodOutcome) -> list[tuple[str, DeviceId]]:
    """The devices of the pod's claims with the entry and request that they serve, whatever their order."""
    return sorted(
        (f"{row.use.entry}:{row.request}", DeviceId(result.driver, result.pool, result.device))
        for row in rows_of(answer, [outcome])
        if row.use is not None
        for result in row.results
    )
