"""What the cluster leaves out because a feature gate is off: each device, request and claim with its place (A6).

Fields that the API server drops from new objects are gone by then; what is left stands in stored objects, where the
components meet it (dra.md §2, scheduling.md §16, gates.md §4).
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import Struct

from dractl.api.feature_use import Use, uses_of
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import DeviceTaintRule, ResourceSlice
from dractl.cluster.features import Features, Implementation
from dractl.cluster.pools import pool_of
from dractl.errors import FieldPath, path_text
from dractl.finding import Finding, Severity
from dractl.gates import Gates, gates_of


class Skipped(Struct, frozen=True):
    """A field that needs a gate which is off: what becomes of it."""

    sourced: Sourced[Any]
    path: FieldPath
    features: Features

    @property
    def field(self) -> str:
        """The last name of the path."""
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")

    @property
    def is_result(self) -> bool:
        """Whether the field is part of an allocation."""
        return self.path[:2] == ("status", "allocation")

    @property
    def is_stable(self) -> bool:
        """Whether the oldest of the three allocators answers."""
        return self.features.implementation is Implementation.STABLE


Effect = Callable[[Skipped], str]
"""What follows from a skipped field, as a clause; nothing if it makes no difference."""


def gate_findings(objects: ObjectSet, gates: Gates, features: Features) -> Iterator[Finding]:
    """One finding for each object, gate and effect, at the first field concerned; generated objects are left out."""
    if gates.used <= gates.enabled:
        return
    for sourced in objects:
        if sourced.made_by is None:
            yield from _of_object(sourced, gates, features)


def _of_object(sourced: Sourced[Any], gates: Gates, features: Features) -> Iterator[Finding]:
    found: dict[tuple[str, str], list[FieldPath]] = {}
    for gate, path in _skipped_uses(sourced, gates):
        text = _EFFECTS.get(gate, _ignored)(Skipped(sourced, path, features))
        if text:
            found.setdefault((gate, text), []).append(path)
    for (gate, text), paths in found.items():
        yield _finding(sourced, gate, text, paths, gates)


def _skipped_uses(sourced: Sourced[Any], gates: Gates) -> list[Use]:
    """The uses whose gate is off; where a whole slice is left out, not those of its devices for the same gate."""
    uses = [(gate, path) for gate, path in uses_of(sourced.object) if not gates.is_on(gate)]
    if not isinstance(sourced.object, ResourceSlice):
        return uses
    whole = {gate for gate, path in uses if path in _WHOLE_SLICE}
    return [(gate, path) for gate, path in uses if gate not in whole or path in _WHOLE_SLICE]


def _finding(sourced: Sourced[Any], gate: str, text: str, paths: list[FieldPath], gates: Gates) -> Finding:
    place, more = paths[0], len(paths) - 1
    where = path_text(place) + (f" and {more} more" if more else "")
    return Finding(
        rule=f"gates/{gate}",
        severity=Severity.WARNING,
        message=f"{f'{where}: ' if where else ''}{text}, because {gate} is off ({gates.why(gate)})",
        place=sourced.place.at(*place),
        subject=str(sourced.ref),
        remedy=_remedy(gate, gates),
    )


def _remedy(gate: str, gates: Gates) -> str:
    if gate in gates_of(gates.release):
        return f"if the cluster has the gate on, say so: --feature-gates {gate}=true"
    return "if the cluster is of a release that knows the gate, say so: --kubernetes-version"


# --- devices ---------------------------------------------------------------------------------------------------------

_WHOLE_SLICE: Final[tuple[FieldPath, ...]] = (("spec", "sharedCounters"), ("spec", "perDeviceNodeSelection"))


def _ignored(_: Skipped) -> str:
    return "the field has no effect"


def _taints(skipped: Skipped) -> str:
    if skipped.field == "taints":
        return "the taint keeps nobody away"
    return "the tolerations change nothing"


def _taint_rule(skipped: Skipped) -> str:
    return "the rule taints no device" if isinstance(skipped.sourced.object, DeviceTaintRule) else ""


def _partitions(skipped: Skipped) -> str:
    if skipped.path in _WHOLE_SLICE:
        devices = len(skipped.sourced.object.spec.devices or ())
        pool = pool_of(skipped.sourced.object)
        size = f" (devices: {devices})" if devices else ""
        return f"the slice{size} is not looked at, but counts for the completeness of pool {pool}"
    if skipped.field == "consumesCounters":
        return "no request gets the device"
    return "the device's own node is not looked at"


def _groups(skipped: Skipped) -> str:
    pool = pool_of(skipped.sourced.object)
    return f"the slice does not exist for the scheduler, so pool {pool} is incomplete or gone"


def _binding(skipped: Skipped) -> str:
    if skipped.is_result:
        return "pods with the claim are bound without waiting for the conditions"
    if skipped.field == "bindingConditions":
        return "no request gets the device, and its pool comes last"
    if skipped.field == "bindsToNode":
        return "the claim is not bound to the node" if skipped.is_stable else ""
    return ""


def _capacity(skipped: Skipped) -> str:
    if skipped.is_result:
        return "the claim holds the whole device"
    match skipped.field:
        case "allowMultipleAllocations":
            return "each claim gets the device as a whole"
        case "requestPolicy":
            return "the capacity is neither compared nor used up"
        case "capacity":
            return "the capacity is not compared" if skipped.is_stable else _UNSCHEDULABLE
        case "distinctAttribute":
            return _UNSCHEDULABLE if skipped.is_stable else ""
    return ""


def _lists(_: Skipped) -> str:
    return "constraints do not see the list"


def _fractions(_: Skipped) -> str:
    return "amounts are rounded up to whole units, whatever the step"


def _node_operations(skipped: Skipped) -> str:
    if skipped.is_result:
        return "the kubelet does not start pods with the claim (`feature gate is disabled on kubelet`)"
    if skipped.features.implementation is Implementation.EXPERIMENTAL:
        return "no request gets the slice's devices"
    return "the devices are allocated, and the kubelet calls their driver all the same"


# --- claims, classes and the rest ------------------------------------------------------------------------------------

_UNSCHEDULABLE: Final = "the scheduler fails for every pod with such a claim"


def _unschedulable(_: Skipped) -> str:
    return _UNSCHEDULABLE


def _extended(skipped: Skipped) -> str:
    return "pods that ask for this resource get no device of the class" if skipped.path[0] == "spec" else ""


def _group_claims(_: Skipped) -> str:
    return "the claims are not made, and pods that name them wait"


_EFFECTS: Final[dict[str, Effect]] = {
    "DRADeviceTaints": _taints,
    "DRADeviceTaintRules": _taint_rule,
    "DRAPartitionableDevices": _partitions,
    "DRAPartitionableDevicesType": lambda _: "the status of the pool has no summary of partitions",
    "DRADeviceCompatibilityGroups": _groups,
    "DRADeviceBindingConditions": _binding,
    "DRAConsumableCapacity": _capacity,
    "DRAFractionalCapacityRange": _fractions,
    "DRAListTypeAttributes": _lists,
    "DRANodeAllocatableResources": lambda _: "the device takes nothing of the node's own resources",
    "DRAOptionalNodeOperations": _node_operations,
    "DRADerivedAttributes": _unschedulable,
    "DRAAdminAccess": _unschedulable,
    "DRAPrioritizedList": _unschedulable,
    "DRAExtendedResource": _extended,
    "DRAResourcePoolStatus": lambda _: "nobody answers the request",
    "DRAResourceClaimDeviceStatus": lambda _: "what drivers say of the devices counts for nothing",
    "DRAWorkloadResourceClaims": _group_claims,
    "PodLevelResources": lambda _: "the containers' resources count, not the pod's",
    "GenericWorkload": lambda _: "pods are scheduled one by one, as if there were no group",
}
