"""What the controller writes into the status of DeviceTaintRules, and when (taints.md §5)."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct

from dractl.api.base import Condition
from dractl.api.identities import PodRef
from dractl.api.resource import DeviceTaintRule
from dractl.api.times import parse_time, time_text
from dractl.observe.device_taints import RuleOrigin
from dractl.observe.dry_run import TaintWorld
from dractl.observe.eviction import Eviction

CONDITION: Final = "EvictionInProgress"
_PAUSE: Final = timedelta(seconds=10)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_DELAY: Final = timedelta(milliseconds=1)
"""An eviction comes behind a check that is due in the same second."""


class WrittenCondition(Struct, frozen=True):
    """A condition, and the moment at which it is written."""

    at: datetime
    condition: Condition


def first_condition(world: TaintWorld, rule: DeviceTaintRule) -> Condition:
    """What the controller says of a rule that it meets for the first time, before it has evicted anything."""
    return _Rule(world, rule).condition(set(), world.now)


def written_conditions(world: TaintWorld, until: datetime) -> list[list[WrittenCondition]]:
    """For each rule, in the order of the world, every condition that is written up to that moment."""
    controller = _Controller(world)
    controller.run(until)
    return [rule.written for rule in controller.rules]


class _Rule:
    """One rule: whom it evicts, what was written last, and when the next check is due."""

    def __init__(self, world: TaintWorld, rule: DeviceTaintRule) -> None:
        self._world: Final = world
        self._rule: Final = rule
        self._evictions: Final = world.evictions_by(rule)
        self._last = _stored_condition(rule)
        self.due = _NEVER
        self.evicted = 0
        self.written: Final[list[WrittenCondition]] = []

    def ask(self, due: datetime) -> None:
        """Ask for a check; while another one waits this counts only if it is due earlier."""
        self.due = min(self.due, due)

    def is_reason(self, eviction: Eviction) -> bool:
        return eviction.is_because_of(RuleOrigin(self._rule.metadata.name))

    def check(self, now: datetime, gone: Collection[PodRef]) -> None:
        """Write the condition if it has changed; the same generation's is left alone for ten seconds."""
        self.due = _NEVER
        last = self._last
        if last is not None and (last.observedGeneration or 0) == self._rule.metadata.generation:
            settled = parse_time(last.lastTransitionTime) + _PAUSE if last.lastTransitionTime else now
            if now < settled:
                self.ask(settled)
                return
        found = self.condition(gone, now)
        if last is None or _content(last) != _content(found):
            self._last = found
            self.written.append(WrittenCondition(now, found))

    def condition(self, gone: Collection[PodRef], now: datetime) -> Condition:
        pending = [each.pod for each in self._evictions if not each.is_terminating and each.pod not in gone]
        status, reason, message = self._state(pending)
        sentences = [message] if message else []
        if self.evicted:
            sentences.append(f"{_pods(self.evicted)} evicted since starting the controller.")
        return Condition(
            type=CONDITION,
            status=status,
            observedGeneration=self._rule.metadata.generation,
            lastTransitionTime=time_text(now),
            reason=reason,
            message=" ".join(sentences),
        )

    def _state(self, pending: list[PodRef]) -> tuple[str, str, str]:
        match self._rule.spec.taint.effect:
            case "NoExecute" if pending:
                needs = "needs" if len(pending) == 1 else "need"
                return (
                    "True",
                    "PodsPendingEviction",
                    f"{_pods(len(pending))} {needs} to be evicted in {_where(pending)}.",
                )
            case "NoExecute":
                return "False", "Completed" if self.evicted else "NotStarted", ""
            case "None":
                return "False", "NoEffect", self._dry_run(pending)
        return "False", "OtherEffect", "Eviction only happens for the NoExecute effect."

    def _dry_run(self, pending: list[PodRef]) -> str:
        published, allocated = self._world.selected_by(self._rule)
        return (
            f"{_devices(published, 'published')} {_devices(allocated, 'allocated')} "
            f"{_pods(len(pending))} would be evicted in {_where(pending)} if the effect was NoExecute. "
            "This information will not be updated again. Recreate the DeviceTaintRule to trigger an update."
        )


def _stored_condition(rule: DeviceTaintRule) -> Condition | None:
    return next((each for each in rule.status.conditions or () if each.type == CONDITION), None)


def _content(condition: Condition) -> tuple[str, int, str, str]:
    return condition.status, condition.observedGeneration or 0, condition.reason, condition.message


def _pods(number: int) -> str:
    return f"{number} pod" if number == 1 else f"{number} pods"


def _where(pods: Iterable[PodRef]) -> str:
    number = len({pod.namespace for pod in pods})
    return f"{number} namespace" if number == 1 else f"{number} different namespaces"


def _devices(number: int, kind: str) -> str:
    return f"{number} {kind} device selected." if number == 1 else f"{number} {kind} devices selected."


def _delayed(moment: datetime) -> datetime:
    return moment + _DELAY if moment < _NEVER else moment


class _Controller:
    """Runs through time from one event to the next: checks of rules, evictions of pods.

    Rules are checked when they appear, and ten seconds after a pod was found that they evict.
    """

    def __init__(self, world: TaintWorld) -> None:
        self.rules: Final = [_Rule(world, rule) for rule in world.rules]
        self._evictions: Final = sorted(
            ((_delayed(max(each.evict_at, world.now)), each) for each in world.evictions), key=lambda pair: pair[0]
        )
        self._gone: Final[set[PodRef]] = set()
        for rule in self.rules:
            rule.check(world.now, self._gone)
            if any(rule.is_reason(eviction) for eviction in world.evictions):
                rule.ask(world.now + _PAUSE)

    def run(self, until: datetime) -> None:
        """Let everything happen up to that moment."""
        for moment, eviction in self._evictions:
            if moment > until:
                break
            self._check_rules(moment)
            self._evict(moment, eviction)
        self._check_rules(until)

    def _check_rules(self, until: datetime) -> None:
        while (rule := min(self.rules, key=lambda each: each.due, default=None)) is not None and rule.due <= until:
            rule.check(rule.due, self._gone)

    def _evict(self, now: datetime, eviction: Eviction) -> None:
        """Delete the pod; one that is being deleted already stays and counts all the same."""
        if not eviction.is_terminating:
            self._gone.add(eviction.pod)
        for rule in self.rules:
            if rule.is_reason(eviction):
                rule.evicted += 1
                rule.ask(now + _PAUSE)
