"""What is to be said about DeviceTaintRules before they reach a cluster: whom they hit, and whether that is meant."""

from collections.abc import Iterator, Sequence

from dractl.api.identities import DeviceId, PodRef
from dractl.api.objects import Sourced
from dractl.api.pods import is_active
from dractl.api.resource import DeviceTaintRule, DeviceTaintSelector
from dractl.finding import Finding, Severity
from dractl.observe.device_taints import EVICTING
from dractl.observe.dry_run import TaintWorld
from dractl.observe.taint_selectors import unmatched

_A_HANDFUL = 4
_WHAT = "name the driver, pool or device that is meant"


def taint_findings(world: TaintWorld, rules: Sequence[Sourced[DeviceTaintRule]]) -> Iterator[Finding]:
    """Rules that select everything or nothing, and those that evict more than half of what runs."""
    known = world.known_devices()
    for rule in rules:
        yield from _everything(rule, world)
        yield from _nothing(rule, known)
        yield from _most(rule, world)


def _everything(rule: Sourced[DeviceTaintRule], world: TaintWorld) -> Iterator[Finding]:
    if rule.object.spec.deviceSelector != DeviceTaintSelector():
        return
    published, allocated = world.selected_by(rule.object)
    evicts = rule.object.spec.taint.effect == EVICTING
    yield Finding(
        "taints/selects-all",
        Severity.ERROR if evicts else Severity.WARNING,
        f"the empty selector matches every device of the cluster: {published} published, {allocated} allocated",
        rule.place.at("spec", "deviceSelector"),
        str(rule.ref),
        _WHAT,
    )


def _nothing(rule: Sourced[DeviceTaintRule], known: Sequence[DeviceId]) -> Iterator[Finding]:
    selector = rule.object.spec.deviceSelector
    if selector is None:
        message = "without a deviceSelector the rule matches no device"
        yield Finding("taints/selects-nothing", Severity.WARNING, message, rule.place.at("spec"), str(rule.ref), _WHAT)
        return
    nothing = unmatched(selector, known)
    if nothing is not None:
        place = rule.place.at("spec", "deviceSelector", nothing.field)
        yield Finding("taints/selects-nothing", Severity.WARNING, nothing.message, place, str(rule.ref), nothing.remedy)


def _most(rule: Sourced[DeviceTaintRule], world: TaintWorld) -> Iterator[Finding]:
    """A warning where it happens, a remark where effect None only shows it. Of a few pods most are no catastrophe."""
    active = (pod.metadata for pod in world.pods if pod.spec.nodeName and is_active(pod))
    runs = {PodRef(each.namespace, each.name) for each in active}
    running, hit = len(runs), sum(each.pod in runs for each in world.evictions_by(rule.object))
    if hit * 2 <= running or running < _A_HANDFUL:
        return
    evicts = rule.object.spec.taint.effect == EVICTING
    yield Finding(
        "taints/evicts-most",
        Severity.WARNING if evicts else Severity.INFO,
        f"{'evicts' if evicts else 'with effect NoExecute would evict'} {hit} of {running} running pods",
        rule.place.at("spec"),
        str(rule.ref),
        "" if evicts else "this is a dry run; the effect NoExecute would do it",
    )
