"""The allocator's published answers as problems and allocations, and answers with one thing spoilt."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dractl.api.codec import to_api
from dractl.api.core import Node
from dractl.api.defaults import with_defaults
from dractl.api.identities import DeviceId
from dractl.api.quantity import Quantity
from dractl.api.resource import (
    AllocationResult,
    DeviceAllocationConfiguration,
    DeviceClass,
    DeviceRequestAllocationResult,
    ResourceClaim,
    ResourceSlice,
)
from dractl.cluster.features import GATES, Features, Implementation
from dractl.cluster.pools import PoolIndex
from dractl.cluster.usage import Usage
from dractl.problem.demands import demands_of
from dractl.problem.problem import Problem, build_problem

_ALL_GATES: Final = (*GATES.values(), "DRAResourceClaimDeviceStatus")
Allocations = tuple[AllocationResult, ...]


def problem_of(given: Mapping[str, Any]) -> Problem:
    """The problem that a case of kind `allocate` poses."""
    forced, gates = given.get("allocator"), given.get("features")
    features = Features.of(_ALL_GATES if gates is None else gates, Implementation(forced) if forced else None)
    node = to_api(given["node"], Node)
    classes = {each["metadata"]["name"]: to_api(each, DeviceClass) for each in given["classes"]}
    claims = [with_defaults(to_api(each, ResourceClaim)) for each in given["claims"]]
    held = [to_api(each, ResourceClaim) for each in given["allocated"]]
    return build_problem(
        node,
        PoolIndex([to_api(each, ResourceSlice) for each in given["slices"]], features).for_node(node),
        [demands_of(each, classes, features) for each in claims],
        Usage.of(held, features),
        features,
    )


def allocations_of(expected: Mapping[str, Any]) -> Allocations:
    """The allocations that the real allocator gave."""
    return tuple(to_api(each, AllocationResult) for each in expected["allocations"])


# --- spoiling --------------------------------------------------------------------------------------------------------


def spoilt(problem: Problem, allocations: Allocations, chance: random.Random) -> Iterator[tuple[str, Allocations]]:
    """Answers that cannot be right, each with what was done to a sound one."""
    which = chance.randrange(len(allocations))
    results = list(allocations[which].devices.results or ())
    if not results:
        return
    at = chance.randrange(len(results))
    result = results[at]
    yield "a claim without an answer", allocations[:-1]
    yield "a result dropped", _with_results(allocations, which, results[:at] + results[at + 1 :])
    yield "a result twice", _with_results(allocations, which, [*results, result])
    for what, changed in _changed_results(problem, result):
        yield what, _with_results(allocations, which, [*results[:at], changed, *results[at + 1 :]])
    if len({(each.request, each.driver, each.pool, each.device) for each in results}) > 1:
        yield "results backwards", _with_results(allocations, which, results[::-1])
    for what, configs in _changed_configs(allocations[which].devices.config or ()):
        yield what, _with_configs(allocations, which, configs)
    if allocations[which].nodeSelector is not None:
        yield "no node selector", _replaced(allocations, which, nodeSelector=None)


def _changed_results(
    problem: Problem, result: DeviceRequestAllocationResult
) -> Iterator[tuple[str, DeviceRequestAllocationResult]]:
    replace = msgspec.structs.replace
    yield "another request", replace(result, request=f"{result.request}-x")
    yield "another device", replace(result, device=f"{result.device}-x")
    yield "admin access turned", replace(result, adminAccess=None if result.adminAccess else True)
    yield "another binding condition", replace(result, bindingConditions=["example.com/never"])
    yield "other skipped operations", replace(result, skipNodeOperations=["Never"])
    held = next((device.id for device in problem.devices if device.id in problem.usage.exclusive), None)
    if held is not None and not result.adminAccess:
        yield "a held device", _moved(result, held)
    if result.shareID is None:
        yield "a share id too many", replace(result, shareID="share-x")
    else:
        yield "a share id too few", replace(result, shareID=None)
    for name, amount in (result.consumedCapacity or {}).items():
        more = {**(result.consumedCapacity or {}), name: amount + Quantity(1)}
        yield "another amount", replace(result, consumedCapacity=more)


def _changed_configs(
    configs: Sequence[DeviceAllocationConfiguration],
) -> Iterator[tuple[str, Sequence[DeviceAllocationConfiguration]]]:
    if configs:
        yield "a config dropped", configs[1:]
        yield "a config twice", [*configs, configs[-1]]
    if list(configs) != list(reversed(configs)):
        yield "configs backwards", configs[::-1]


def swapped(problem: Problem, allocations: Allocations, chance: random.Random) -> Allocations | None:
    """One device replaced by another that the problem offers; the answer may still be sound."""
    which = chance.randrange(len(allocations))
    results = list(allocations[which].devices.results or ())
    if not results or len(problem.devices) < 2:
        return None
    at = chance.randrange(len(results))
    result = results[at]
    own = DeviceId(result.driver, result.pool, result.device)
    other = chance.choice([device.id for device in problem.devices if device.id != own])
    return _with_results(allocations, which, [*results[:at], _moved(result, other), *results[at + 1 :]])


def _moved(result: DeviceRequestAllocationResult, to: DeviceId) -> DeviceRequestAllocationResult:
    return msgspec.structs.replace(result, driver=to.driver, pool=to.pool, device=to.device)


def _with_results(
    allocations: Allocations, which: int, results: Sequence[DeviceRequestAllocationResult]
) -> Allocations:
    devices = msgspec.structs.replace(allocations[which].devices, results=list(results))
    return _replaced(allocations, which, devices=devices)


def _with_configs(
    allocations: Allocations, which: int, configs: Sequence[DeviceAllocationConfiguration]
) -> Allocations:
    devices = msgspec.structs.replace(allocations[which].devices, config=list(configs))
    return _replaced(allocations, which, devices=devices)


def _replaced(allocations: Allocations, which: int, **fields: Any) -> Allocations:
    changed = msgspec.structs.replace(allocations[which], **fields)
    return (*allocations[:which], changed, *allocations[which + 1 :])
