"""Kind `taints`: which pods the device taint eviction controller evicts, and what it writes into rules (taints.md)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from dractl.api.codec import to_api
from dractl.api.core import Pod
from dractl.api.resource import DeviceTaintRule, ResourceClaim, ResourceSlice
from dractl.api.times import parse_time, time_text
from dractl.observe.device_taints import Origin, RuleOrigin
from dractl.observe.dry_run import TaintWorld
from dractl.observe.eviction import AffectedClaim, Eviction
from dractl.observe.rule_status import WrittenCondition, written_conditions

COMPARED: Final = ("claims", "pods", "rules")
_WATCHED: Final = timedelta(hours=2)


def answer(case_input: Mapping[str, Any]) -> dict[str, Any]:
    """Ask what `dractl taint` shows, and everything that follows within two hours."""
    world = TaintWorld(
        [to_api(each, ResourceSlice) for each in case_input["slices"]],
        [to_api(each, DeviceTaintRule) for each in case_input["rules"]],
        [to_api(each, ResourceClaim) for each in case_input["claims"]],
        [to_api(each, Pod) for each in case_input["pods"]],
        parse_time(case_input["now"]),
    )
    until = world.now + _WATCHED
    return {
        "claims": [_affected(each) for each in world.affected.values()],
        "pods": [{**_affected(each), "deletedAt": _deleted_at(each, world.now, until)} for each in world.evictions],
        "rules": [
            {"name": rule.metadata.name, "conditions": [_condition(each) for each in written]}
            for rule, written in zip(world.rules, written_conditions(world, until), strict=True)
        ],
    }


def _affected(found: AffectedClaim | Eviction) -> dict[str, Any]:
    ref = found.claim if isinstance(found, AffectedClaim) else found.pod
    return {
        "namespace": ref.namespace,
        "name": ref.name,
        "evictAt": time_text(found.evict_at),
        "taints": [_origin(origin) for origin in found.reasons],
    }


def _origin(origin: Origin) -> dict[str, Any]:
    if isinstance(origin, RuleOrigin):
        return {"rule": origin.rule}
    device = origin.device
    return {
        "slice": origin.slice,
        "driver": device.driver,
        "pool": device.pool,
        "device": device.device,
        "taintIndex": origin.index,
    }


def _deleted_at(eviction: Eviction, now: datetime, until: datetime) -> str | None:
    if eviction.is_terminating or eviction.evict_at > until:
        return None
    return time_text(max(eviction.evict_at, now))


def _condition(written: WrittenCondition) -> dict[str, Any]:
    condition = written.condition
    return {
        "at": time_text(written.at),
        "type": condition.type,
        "status": condition.status,
        "observedGeneration": condition.observedGeneration,
        "lastTransitionTime": condition.lastTransitionTime,
        "reason": condition.reason,
        "message": condition.message,
    }


def first_difference(expect: Mapping[str, Any], answer: Mapping[str, Any], without: frozenset[str]) -> str | None:
    """All fields; where the order of hearing decides, nothing is compared (taints.md §6)."""
    if expect["order_sensitive"]:
        return None
    for field in COMPARED:
        if field not in without and expect.get(field) != answer.get(field):
            return f"{field}: expected {_text(expect.get(field))}, got {_text(answer.get(field))}"
    return None


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
