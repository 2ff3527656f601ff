"""Evictions in words: of which rule or taint, when, and where to next."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from dractl.api.identities import DeviceId
from dractl.api.resource import DeviceTaintSelector
from dractl.api.times import time_text
from dractl.observe.device_taints import origin_text
from dractl.observe.eviction import Cause, Eviction
from dractl.phrases import counted, listed, verb
from dractl.planner.plan import Plan
from dractl.planner.taints import PodEviction, RuleReport, TaintReport
from dractl.report.explanation import Explainer, Explanation
from dractl.report.phrases import device_names, taint_text
from dractl.report.rows import rows_of
from dractl.solution.outcomes import PodOutcome, Verdict

_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60


def selector_text(selector: DeviceTaintSelector | None) -> str:
    """`driver gpu.example.com, pool node-a`, `every device`, or `no device`."""
    if selector is None:
        return "no device"
    parts = [
        f"{name} {value}" for name in ("driver", "pool", "device") if (value := getattr(selector, name)) is not None
    ]
    return ", ".join(parts) or "every device"


def time_left(moment: datetime, now: datetime) -> str:
    """`at once`, or `in 5m (2026-01-31T12:05:00Z)`."""
    seconds = int((moment - now).total_seconds())
    if seconds <= 0:
        return "at once"
    return f"in {_duration(seconds)} ({time_text(moment)})"


def _duration(seconds: int) -> str:
    """The two largest units."""
    parts = []
    for size, unit in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "m"), (1, "s")):
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts[:2])


def when(each: PodEviction, report: TaintReport) -> str:
    """When the pod is evicted, or that it is not."""
    if each.eviction.is_terminating:
        return "is being deleted already"
    if each.is_supposed:
        return "no (effect None)"
    return time_left(each.eviction.evict_at, report.now)


def because(eviction: Eviction, node: str, now: datetime) -> list[str]:
    """Each claim, taint and origin once, with its devices and why it does not evict yet; the most pressing first."""
    groups: dict[tuple[str, str, str, str], list[Cause]] = {}
    for cause in sorted(eviction.causes, key=lambda each: each.deadline):
        key = (cause.claim.name, taint_text(cause.taint.taint), origin_text(cause.taint.origin), _until(cause, now))
        groups.setdefault(key, []).append(cause)
    return [
        f"claim {claim}: {_devices(causes, node)} {verb(len(causes), 'has', 'have')} {taint} ({origin}){until}"
        for (claim, taint, origin, until), causes in groups.items()
    ]


def _until(cause: Cause, now: datetime) -> str:
    """What keeps the taint from evicting now: a toleration, or a time of its own that lies ahead."""
    if cause.deadline <= now:
        return ""
    if cause.deadline == cause.taint.added:
        return f", whose timeAdded is {time_text(cause.deadline)}"
    return f", tolerated until {time_text(cause.deadline)}"


def _devices(causes: Iterable[Cause], node: str) -> str:
    return listed(device_names([cause.device for cause in causes], node))


def without_rules(report: TaintReport) -> str:
    """What counts where no rule is looked at."""
    if not report.gates.is_on("DRADeviceTaints"):
        return "No taint counts: gate DRADeviceTaints is off."
    if not report.gates.is_on("DRADeviceTaintRules"):
        return "No rule counts: gate DRADeviceTaintRules is off. Taints that drivers have published do."
    return "No rule: only taints that drivers have published count."


def hints(report: TaintReport, shown: Sequence[PodEviction]) -> list[str]:
    """Tolerations that do not protect, pods that nobody makes anew or that have to go, rules that evict nobody."""
    half = [str(each.eviction.pod) for each in shown if _is_half_tolerated(each)]
    orphans = [
        str(each.eviction.pod) for each in shown if each.next is not None and each.pod.metadata.controller is None
    ]
    texts = []
    hidden = len(report.evictions) - len(shown)
    if hidden:
        texts.append(f"{counted(hidden, 'pod')} of other namespaces {verb(hidden, 'is', 'are')} not shown.")
    if half:
        texts.append(
            f"{listed(half)}: a toleration of the claim names no effect. That satisfies the scheduler and does not "
            "protect from eviction: write `effect: NoExecute`."
        )
    if orphans:
        has = verb(len(orphans), "has", "have")
        texts.append(f"{listed(orphans)} {has} no controller: once evicted, nobody makes {_them(orphans)} anew.")
    if report.preempted:
        victims = [str(pod) for pod in report.preempted]
        texts.append(f"To make room for the evicted pods the scheduler would delete {listed(victims)}.")
    texts += [
        f"rule {each.rule.ref.name} evicts nobody: it keeps new claims away that do not tolerate its taint."
        for each in report.rules
        if each.rule.object.spec.taint.effect == "NoSchedule"
    ]
    return texts


def _them(names: Sequence[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _is_half_tolerated(each: PodEviction) -> bool:
    return any(cause.is_half_tolerated for cause in each.eviction.causes)


class NextExplainer:
    """Explains what becomes of evicted pods, each by the plan that says where it goes."""

    def __init__(self) -> None:
        self._by_plan: Final[dict[int, Explainer]] = {}

    def unplaced(self, each: PodEviction) -> Explanation | None:
        """Why a pod finds no place; None if it finds one, or nothing is planned for it."""
        if each.next is None or each.aftermath is None or each.next.verdict is Verdict.PLACED:
            return None
        if id(each.aftermath) not in self._by_plan:
            self._by_plan[id(each.aftermath)] = Explainer(each.aftermath)
        return self._by_plan[id(each.aftermath)].of(each.next)


def doubts(shown: Iterable[PodEviction]) -> list[str]:
    """What stands behind the places that are marked `*`, each once."""
    uncertain = (each.next.uncertain for each in shown if each.next is not None and each.next.verdict is Verdict.PLACED)
    return [f"* not certain, {doubt}" for doubt in dict.fromkeys(filter(None, uncertain))]


# --- where to next ---------------------------------------------------------------------------------------------------


def next_place(each: PodEviction, report: TaintReport) -> str:
    """Where the pod could go, in a few words."""
    if each.eviction.is_terminating:
        return "–"
    if each.has_finished:
        return "has finished, needs none"
    if each.next is None or each.aftermath is None:
        return f"as {each.pod.spec.schedulerName or 'another scheduler'} decides"
    if each.next.placement is None:
        return str(each.next.verdict)
    node = each.next.placement.node
    devices = next_devices(each.next, each.aftermath)
    names = listed(device_names(devices, node), at_most=8)
    share = each.next.placement.share
    place = f"{node}: {names}" if names else node
    if share is not None and share.cpus:
        place = f"{place}, CPUs {share.cpus}"
    if each.next.uncertain:
        place = f"{place}*"
    if each.again is not None:
        return f"back to {place}, and evicted again {time_left(each.again.evict_at, each.leaves_at(report.now))}"
    if each.next.verdict is not Verdict.PLACED:
        return f"{place} ({each.next.verdict})"
    return place


def next_devices(outcome: PodOutcome, plan: Plan) -> list[DeviceId]:
    """The devices that the pod gets there, in the order of its requests."""
    return [
        DeviceId(result.driver, result.pool, result.device)
        for row in rows_of(plan.prediction, [outcome])
        for result in row.results
    ]


# --- in all ----------------------------------------------------------------------------------------------------------


def device_counts(rule: RuleReport) -> str:
    """`3 published, 2 allocated`."""
    return f"{rule.published} published, {rule.allocated} allocated"


def summary(report: TaintReport) -> list[str]:
    """How many pods are evicted, in how many namespaces, up to which priority, and how many find another place."""
    real, supposed = report.of_kind(supposed=False), report.of_kind(supposed=True)
    unread = [_unread(report.unread)] if report.unread else []
    if not (real or supposed):
        return ["No pod of the input would be evicted.", *unread] if unread else ["No pod would be evicted."]
    lines = []
    if real:
        lines.append(f"{counted(len(real), 'pod')} would be evicted {_extent(real, report)}.")
    else:
        lines.append("0 pods are evicted: effect None only looks.")
    if supposed:
        more = " more" if real else ""
        lines.append(
            f"With effect NoExecute {counted(len(supposed), 'pod')}{more} would be evicted {_extent(supposed, report)}."
        )
    lines += unread
    moving = [each for each in (*real, *supposed) if each.next is not None]
    if moving:
        lines.append(f"Made anew, {_found(moving)}.")
    if len({each.leaves_at(report.now) for each in moving}) > 1:
        lines.append("Places are looked for as if all of them left at once.")
    return lines


def _unread(number: int) -> str:
    holds = f"{counted(number, 'pod')} that the input lacks {verb(number, 'holds', 'hold')}"
    return f"{holds} devices with such a taint: whether {verb(number, 'it is', 'they are')} evicted cannot be told."


def _found(moving: Sequence[PodEviction]) -> str:
    open_ones = sum(each.is_undecided for each in moving)
    found = sum(not each.is_homeless for each in moving)
    if len(moving) > 1:
        doubt = f"; of {open_ones} it is not certain" if open_ones else ""
        return f"{found} of {len(moving)} pods would find a lasting place{doubt}"
    return (
        "the pod may find a lasting place"
        if open_ones
        else f"the pod would find {'a' if found else 'no'} lasting place"
    )


def _extent(evictions: Sequence[PodEviction], report: TaintReport) -> str:
    namespaces = len({each.eviction.pod.namespace for each in evictions})
    highest = max(each.pod.spec.priority or 0 for each in evictions)
    finished = sum(each.has_finished for each in evictions)
    ended = f", {finished} of which {verb(finished, 'has', 'have')} finished" if finished else ""
    return (
        f"({report.running} {verb(report.running, 'runs', 'run')} now){ended}, in {counted(namespaces, 'namespace')}, "
        f"up to priority {highest}"
    )
