"""`dractl taint`: what rules and taints evict, when and why, and where the evicted pods could go next."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from msgspec import Struct

from dractl.api.base import Condition
from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_active, is_terminal
from dractl.api.resource import DeviceTaintRule, ResourceClaim, ResourceSlice
from dractl.cluster.features import Features
from dractl.cluster.node_machine import NodeMachine
from dractl.finding import Finding
from dractl.gates import Gates
from dractl.observe.dry_run import NO_EFFECT, TaintWorld
from dractl.observe.eviction import Eviction
from dractl.observe.gate_effects import gate_findings
from dractl.observe.rule_status import first_condition
from dractl.observe.taint_findings import taint_findings
from dractl.observe.unread_holders import unread_finding, unread_holders
from dractl.planner.aftermath import after_evictions, machines_after_evictions, with_dry_runs_evicting
from dractl.planner.plan import Plan
from dractl.planner.planning import plan
from dractl.planner.settings import Settings
from dractl.solution.outcomes import PodOutcome, Verdict


class RuleReport(Struct, frozen=True, eq=False):
    """One rule: what the controller writes into its status first, and whom it evicts, or would if it only looks."""

    rule: Sourced[DeviceTaintRule]
    condition: Condition
    published: int
    allocated: int
    evictions: tuple[Eviction, ...]

    @property
    def only_looks(self) -> bool:
        """Whether the effect is None: the evictions would happen with the effect NoExecute."""
        return self.rule.object.spec.taint.effect == NO_EFFECT


class PodEviction(Struct, frozen=True, eq=False):
    """A pod that is evicted, or would be if rules with the effect None evicted: then it `is_supposed`.

    `next` is where it could go, None where nothing has to take its place or another scheduler decides; `aftermath` is
    the plan that says so. `again` is the eviction that waits for it there.
    """

    eviction: Eviction
    pod: Pod
    is_supposed: bool
    next: PodOutcome | None = None
    aftermath: Plan | None = None
    again: Eviction | None = None

    def leaves_at(self, now: datetime) -> datetime:
        """When the pod is deleted, at the earliest now."""
        return max(self.eviction.evict_at, now)

    @property
    def has_finished(self) -> bool:
        """Whether the pod has ended: the controller deletes it all the same."""
        return is_terminal(self.pod)

    @property
    def is_undecided(self) -> bool:
        """Whether the cluster does not fix if the pod finds a place that lasts."""
        if self.next is None:
            return False
        is_tolerated = any(cause.deadline > cause.taint.added for cause in self.eviction.causes)
        may_return = self.again is not None or is_tolerated
        return self.next.verdict is Verdict.UNDECIDED or (bool(self.next.uncertain) and may_return)

    @property
    def is_homeless(self) -> bool:
        """Whether the pod needs another place and finds none that lasts."""
        return self.next is not None and (self.next.verdict is not Verdict.PLACED or self.again is not None)


class TaintReport(Struct, frozen=True, eq=False):
    """Everything about one cluster at one moment.

    `unread` pods and groups of pods hold affected claims and are not in the input.
    """

    gates: Gates
    now: datetime
    rules: tuple[RuleReport, ...]
    evictions: tuple[PodEviction, ...]
    running: int
    unread: int
    findings: tuple[Finding, ...]

    @property
    def preempted(self) -> list[PodRef]:
        """Pods that the scheduler would delete to make room for those that are evicted."""
        plans = {id(each.aftermath): each.aftermath for each in self.evictions if each.aftermath is not None}
        return list(dict.fromkeys(pod for plan in plans.values() for pod in plan.prediction.preempted))

    def of_kind(self, *, supposed: bool) -> list[PodEviction]:
        """The pods that are evicted, or those that only would be; those that are being deleted already left out."""
        return [each for each in self.evictions if each.is_supposed is supposed and not each.eviction.is_terminating]


def taint_report(
    objects: ObjectSet,
    settings: Settings,
    gates: Gates,
    now: datetime,
    machines: Mapping[str, NodeMachine] = MappingProxyType({}),
) -> TaintReport:
    """Ask what follows from the taints of slices and from the rules of the input, taken as they stand.

    `machines` are the nodes whose hardware or kubelet is known. Raises what `plan` raises.
    """
    rules = objects.of(DeviceTaintRule) if gates.is_on("DRADeviceTaintRules") else []
    world = _world(objects, [rule.object for rule in rules], gates, now)
    supposed = world.supposed()
    unread = tuple(unread_holders(world, objects.of(ResourceClaim)))
    real = {each.pod: each for each in world.evictions}
    places = _places(objects, world.evictions, settings, gates, now, machines)
    more = places
    if len(supposed.evictions) > len(world.evictions):
        more = _places(with_dry_runs_evicting(objects), supposed.evictions, settings, gates, now, machines)
    pods = {PodRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(Pod)}
    return TaintReport(
        gates=gates,
        now=now,
        rules=tuple(
            RuleReport(
                rule,
                first_condition(world, rule.object),
                *world.selected_by(rule.object),
                tuple(world.evictions_by(rule.object)),
            )
            for rule in rules
        ),
        evictions=tuple(
            (places if each.pod in real else more).of(real.get(each.pod, each), pods[each.pod], each.pod not in real)
            for each in supposed.evictions
        ),
        running=sum(bool(pod.spec.nodeName) and is_active(pod) for pod in pods.values()),
        unread=sum(len(each.names) for each in unread),
        findings=(
            *gate_findings(objects, gates, Features.of(gates.enabled)),
            *taint_findings(world, rules),
            *(unread_finding(each, world) for each in unread),
        ),
    )


def _world(objects: ObjectSet, rules: Sequence[DeviceTaintRule], gates: Gates, now: datetime) -> TaintWorld:
    """Without the gate DRADeviceTaints taints mean nothing."""
    slices = objects.of(ResourceSlice) if gates.is_on("DRADeviceTaints") else []
    return TaintWorld(
        [each.object for each in slices],
        rules,
        [each.object for each in objects.of(ResourceClaim)],
        [each.object for each in objects.of(Pod)],
        now,
    )


class _Places(Struct, frozen=True, eq=False):
    """What becomes of the evicted pods: their outcomes, and the evictions that wait for them where they are placed."""

    plan: Plan | None
    outcomes: Mapping[PodRef, PodOutcome]
    again: Mapping[PodRef, Eviction]

    def of(self, eviction: Eviction, pod: Pod, is_supposed: bool) -> PodEviction:
        """The eviction with what comes behind it."""
        outcome, again = self.outcomes.get(eviction.pod), self.again.get(eviction.pod)
        return PodEviction(eviction, pod, is_supposed, outcome, self.plan if outcome is not None else None, again)


def _places(
    objects: ObjectSet,
    evictions: Sequence[Eviction],
    settings: Settings,
    gates: Gates,
    now: datetime,
    machines: Mapping[str, NodeMachine],
) -> _Places:
    evicted = {each.pod for each in evictions if not each.is_terminating}
    leaving = [
        pod
        for pod in objects.of(Pod)
        if PodRef(pod.ref.namespace, pod.ref.name) in evicted and not is_terminal(pod.object)
    ]
    if not leaving:
        return _Places(None, {}, {})
    after = plan(after_evictions(objects, leaving), settings, gates, machines_after_evictions(machines, leaving))
    names = {PodRef(pod.ref.namespace, pod.ref.name) for pod in leaving}
    outcomes = {each.pod: each for each in after.prediction.outcomes if each.pod in names}
    rules = [each.object for each in after.cluster.objects.of(DeviceTaintRule)]
    world = TaintWorld(
        [each.object for each in objects.of(ResourceSlice)],
        rules if gates.is_on("DRADeviceTaintRules") else [],
        after.prediction.claims.values(),
        after.prediction.pods.values(),
        now,
    )
    return _Places(after, outcomes, {each.pod: each for each in world.evictions if each.pod in names})
