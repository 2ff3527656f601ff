"""Fields that the API server removes from new objects while their gate is off, before it validates (gates.md §4)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.core import Pod
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import (
    DeviceClass,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourcePoolStatusRequest,
    ResourceSlice,
)
from dractl.api.scheduling import PodGroup, Workload
from dractl.api.workload import CronJob, DaemonSet, Deployment, Job, ReplicaSet, ReplicationController, StatefulSet
from dractl.errors import FieldPath, Place
from dractl.finding import Finding, Severity
from dractl.gates import IN_VAIN, RELEASES, Gates, gates_of

_EACH: Final = "[]"
"""In a pattern: every item of the list, or every value of the map, that the field before it holds."""

_DEMANDS: Final = ("requests[].exactly", "requests[].firstAvailable[]")
_CLAIM: Final = {
    "DRADeviceTaints": tuple(f"{demand}.tolerations" for demand in _DEMANDS),
    "DRAConsumableCapacity": (*(f"{demand}.capacity" for demand in _DEMANDS), "constraints[].distinctAttribute"),
    "DRADerivedAttributes": tuple(f"{demand}.derivedAttributes" for demand in _DEMANDS),
    "DRAAdminAccess": ("requests[].exactly.adminAccess",),
    "DRAPrioritizedList": ("requests[].firstAvailable",),
}
_DEVICE: Final = {
    "DRADeviceTaints": ("taints",),
    "DRAPartitionableDevices": ("consumesCounters", "nodeName", "nodeSelector", "allNodes"),
    "DRADeviceCompatibilityGroups": ("consumesCounters[].compatibilityGroups",),
    "DRADeviceBindingConditions": ("bindingConditions", "bindingFailureConditions", "bindsToNode"),
    "DRAConsumableCapacity": ("allowMultipleAllocations", "capacity[].requestPolicy"),
    "DRAListTypeAttributes": tuple(f"attributes[].{field}" for field in ("bools", "ints", "strings", "versions")),
    "DRANodeAllocatableResources": ("nodeAllocatableResources",),
}
_POD: Final = {"GenericWorkload": ("schedulingGroup",), "PodLevelResources": ("resources",)}
_GROUP: Final = {
    "DRAWorkloadResourceClaims": ("resourceClaims",),
    "TopologyAwareWorkloadScheduling": ("schedulingConstraints",),
    "PodGroupPreemptionPolicy": ("preemptionPolicy",),
}

Patterns: TypeAlias = Mapping[str, tuple[str, ...]]
"""Of each gate the fields that go with it."""


def _below(prefix: str, patterns: Patterns) -> Patterns:
    return {gate: tuple(f"{prefix}{field}" for field in fields) for gate, fields in patterns.items()}


def _joined(*many: Patterns) -> Patterns:
    gates = dict.fromkeys(gate for patterns in many for gate in patterns)
    return {gate: tuple(field for patterns in many for field in patterns.get(gate, ())) for gate in gates}


_FIELDS: Final[Mapping[type, Patterns]] = {
    ResourceSlice: _joined(
        {
            "DRAPartitionableDevices": ("spec.sharedCounters", "spec.perDeviceNodeSelection"),
            "DRAPartitionableDevicesType": ("spec.partitionTypeAttribute",),
            "DRAOptionalNodeOperations": ("spec.skipNodeOperations",),
        },
        _below("spec.devices[].", _DEVICE),
    ),
    DeviceClass: {"DRAExtendedResource": ("spec.extendedResourceName",)},
    ResourceClaim: _below("spec.devices.", _CLAIM),
    ResourceClaimTemplate: _below("spec.spec.devices.", _CLAIM),
    ResourcePoolStatusRequest: {"DRAPartitionableDevicesType": ("spec.defaultPartitionTypeAttribute",)},
    Pod: _below("spec.", _POD),
    PodGroup: _joined(_below("spec.", _GROUP), {"CompositePodGroup": ("spec.parentCompositePodGroupName",)}),
    Workload: _below("spec.podGroupTemplates[].", _GROUP),
    CronJob: _below("spec.jobTemplate.spec.template.spec.", _POD),
    **dict.fromkeys(
        (ReplicationController, ReplicaSet, Deployment, StatefulSet, DaemonSet, Job),
        _below("spec.template.spec.", _POD),
    ),
}


class Loss(Struct, frozen=True):
    """A field that an object loses; `pattern` names all fields of this kind."""

    sourced: Sourced[Any]
    gate: str
    pattern: str
    path: FieldPath

    @property
    def place(self) -> Place:
        """Where the field stands."""
        return self.sourced.place.at(*self.path)


def without_dropped_fields(objects: ObjectSet, gates: Gates) -> tuple[ObjectSet, tuple[Loss, ...]]:
    """The objects as a cluster would keep them, and every field that is lost.

    Manifests lose the fields, and so do objects that dractl made, as controllers would make them anew; what comes from
    a cluster keeps what it has.
    """
    losses: list[Loss] = []
    kept: list[Sourced[Any]] = []
    for sourced in objects:
        is_new = sourced.made_by is not None or not sourced.metadata.is_dump
        value = sourced.object
        for gate, pattern in _off(type(value), gates) if is_new else ():
            lost: list[FieldPath] = []
            value = _without(value, _steps(pattern), (), lost)
            losses += [Loss(sourced, gate, pattern, path) for path in lost]
        kept.append(sourced if value is sourced.object else _holding(sourced, value))
    return (ObjectSet(kept) if losses else objects), tuple(losses)


def loss_findings(losses: Iterable[Loss], gates: Gates) -> Iterator[Finding]:
    """A note for each kind and gate, at the first place; which fields of an object are lost is said once."""
    by_object: dict[tuple[ObjectRef, str], list[Loss]] = {}
    for loss in losses:
        by_object.setdefault((loss.sourced.ref, loss.gate), []).append(loss)
    by_fields: dict[tuple[str, str, str], list[Loss]] = {}
    for (ref, gate), lost in by_object.items():
        names = ", ".join(dict.fromkeys(loss.pattern.replace(_EACH, "") for loss in lost))
        by_fields.setdefault((ref.kind, gate, names), []).extend(lost)
    for (_, gate, pattern), alike in by_fields.items():
        number = len({loss.sourced.ref for loss in alike})
        more = f", and of {number - 1} more" if number > 1 else ""
        yield Finding(
            "gates/dropped",
            Severity.INFO,
            f"the API server drops {pattern}{more}, for {_briefly(why_off(gate, gates))}",
            alike[0].place,
            str(alike[0].sourced.ref),
            f"{_how_to_keep(gate, gates.release)}, or do without the field",
        )


def _how_to_keep(gate: str, release: str) -> str:
    if gate in gates_of(release):
        return f"turn the gate on in the cluster and here, with --feature-gates {gate}=true"
    knowing = [each for each in RELEASES if gate in gates_of(each)]
    return f"use Kubernetes {' or '.join(knowing)}, which {'knows' if len(knowing) == 1 else 'know'} the gate"


def _briefly(text: str) -> str:
    """Without the use that the input makes of the gate, which the note names anyway."""
    before, uses, _ = text.partition(IN_VAIN)
    return f"{before})" if uses else text


def why_off(gate: str, gates: Gates) -> str:
    """`DRADeviceTaints is off (default of 1.35)`"""
    return f"{gate} is off ({gates.reasons.get(gate, f'unknown in {gates.release}')})"


def _holding(sourced: Sourced[Any], value: Any) -> Sourced[Any]:
    return Sourced(value, sourced.ref, sourced.place, sourced.version, sourced.made_by)


def _off(kind: type, gates: Gates) -> Iterator[tuple[str, str]]:
    for gate, patterns in _FIELDS.get(kind, {}).items():
        if not gates.is_on(gate):
            for pattern in patterns:
                yield gate, pattern


# --- taking fields out -----------------------------------------------------------------------------------------------


@cache
def _steps(pattern: str) -> tuple[str, ...]:
    """`requests[].exactly.tolerations` as the steps requests, [], exactly, tolerations."""
    return tuple(pattern.replace(_EACH, f".{_EACH}").split("."))


def _without(value: Any, steps: Sequence[str], path: FieldPath, lost: list[FieldPath]) -> Any:
    """The value without the fields that the steps lead to, or the same one if there are none; `lost` gets the paths."""
    if value is None:
        return None
    step, rest = steps[0], steps[1:]
    if step == _EACH:
        return _each(value, lambda item, key: _without(item, rest, (*path, key), lost))
    content = getattr(value, step)
    if rest:
        changed = _without(content, rest, (*path, step), lost)
        return value if changed is content else replace(value, **{step: changed})
    if content is None:
        return value
    lost.append((*path, step))
    return replace(value, **{step: None})


def _each(values: Any, change: Callable[[Any, Any], Any]) -> Any:
    """A list or map with every item changed, the same one if none was."""
    if isinstance(values, dict):
        changed = {key: change(item, key) for key, item in values.items()}
        return values if all(changed[key] is item for key, item in values.items()) else changed
    items = [change(item, index) for index, item in enumerate(values)]
    return values if all(new is old for new, old in zip(items, values, strict=True)) else items
