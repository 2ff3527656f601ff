"""That pods of the input are about to be evicted: a plan leaves them where they are, and says so (taints.md §3)."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from dractl.api.core import Pod
from dractl.api.identities import ObjectRef, PodRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import DeviceTaintRule, ResourceClaim, ResourceSlice
from dractl.finding import Finding, Severity
from dractl.gates import Gates
from dractl.observe.device_taints import EVICTING, Origin, RuleOrigin
from dractl.observe.dry_run import TaintWorld

_ANY_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Who is to be evicted does not depend on when one asks."""


def eviction_findings(objects: ObjectSet, gates: Gates) -> Iterator[Finding]:
    """One finding for each rule, and each slice whose devices have taints, that evicts pods."""
    if not gates.is_on("DRADeviceTaints"):
        return
    rules = objects.of(DeviceTaintRule) if gates.is_on("DRADeviceTaintRules") else []
    slices = objects.of(ResourceSlice)
    if not (any(_evicts(rule.object) for rule in rules) or any(_has_evicting(slice_.object) for slice_ in slices)):
        return
    world = TaintWorld(
        [each.object for each in slices],
        [each.object for each in rules],
        [each.object for each in objects.of(ResourceClaim)],
        [each.object for each in objects.of(Pod)],
        _ANY_TIME,
    )
    evicted: dict[ObjectRef, dict[PodRef, None]] = {}
    for eviction in world.evictions:
        for origin in () if eviction.is_terminating else eviction.reasons:
            evicted.setdefault(_source(origin), {})[eviction.pod] = None
    sources: list[Sourced[Any]] = [*rules, *slices]
    for sourced in sources:
        if pods := evicted.get(sourced.ref):
            yield _finding(sourced, len(pods))


def _evicts(rule: DeviceTaintRule) -> bool:
    return rule.spec.taint.effect == EVICTING


def _has_evicting(slice_: ResourceSlice) -> bool:
    return any(taint.effect == EVICTING for device in slice_.spec.devices or () for taint in device.taints or ())


def _source(origin: Origin) -> ObjectRef:
    if isinstance(origin, RuleOrigin):
        return ObjectRef("DeviceTaintRule", "", origin.rule)
    return ObjectRef("ResourceSlice", "", origin.slice)


def _finding(source: Sourced[Any], number: int) -> Finding:
    is_rule = isinstance(source.object, DeviceTaintRule)
    pods = f"{number} pod" if number == 1 else f"{number} pods"
    return Finding(
        "taints/evicts",
        Severity.WARNING,
        f"{pods} would be evicted{'' if is_rule else ' because of taints of its devices'}; a plan leaves "
        f"{'it' if number == 1 else 'them'} in place",
        source.place.at("spec", "taint" if is_rule else "devices"),
        str(source.ref),
        "`dractl taint` with the same input says who, when, and where to next",
    )
