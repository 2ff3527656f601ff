"""What an API server would make of the input: gates, fields that it removes, and what it refuses."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.dropped import Loss, loss_findings, why_off, without_dropped_fields
from dractl.api.feature_use import gates_in_use
from dractl.api.objects import ObjectSet, Sourced
from dractl.errors import Fault, Place
from dractl.finding import Finding
from dractl.gates import Gates, resolve
from dractl.planner.settings import Settings
from dractl.validation import LIST_TYPES, check


class Admission(Struct, frozen=True):
    """The objects that a cluster would hold, the gates in force, and what is wrong with the objects."""

    objects: ObjectSet
    gates: Gates
    faults: tuple[Fault, ...]
    findings: tuple[Finding, ...]


def gates_in_force(objects: ObjectSet, settings: Settings) -> Gates:
    """The gates that the user and the input ask for. Raises UsageError for settings that no cluster has."""
    return resolve(release=settings.release, settings=settings.feature_gates, used=gates_in_use(objects))


def admit(
    objects: ObjectSet, settings: Settings, told: Iterable[Place] = (), beside: Sequence[Sourced[Any]] = ()
) -> Admission:
    """Let the objects into an imagined cluster; what it would refuse are the faults.

    `told` are the places of faults that reading has found. Objects `beside` are checked and not let in: others have
    their names, or values of theirs are guesses. Raises UsageError as `gates_in_force` does.
    """
    gates = gates_in_force(objects.with_more(beside), settings)
    kept, losses = without_dropped_fields(objects, gates)
    kept_beside, lost_beside = without_dropped_fields(ObjectSet(beside), gates)
    faults, findings = check(kept.with_more(kept_beside), gates, told)
    explained = tuple(_with_losses(fault, (*losses, *lost_beside), gates) for fault in faults)
    return Admission(kept, gates, explained, (*loss_findings(losses, gates), *findings))


_NEEDED: Final = ("firstAvailable", "perDeviceNodeSelection", "distinctAttribute", *LIST_TYPES)
"""Fields without which what is left may be refused (gates.md §4)."""


def _with_losses(fault: Fault, losses: Iterable[Loss], gates: Gates) -> Fault:
    """A fault that is there because a field was removed says so."""
    loss = next((loss for loss in losses if fault.place is not None and _is_cause(loss, fault.place)), None)
    if loss is None:
        return fault
    reason = f"`{loss.path[-1]}` was removed, for {why_off(loss.gate, gates)}"
    remedy = f"add --feature-gates {loss.gate}=true if the cluster has the gate on"
    return replace(fault, message=f"{fault.message}: {reason}", remedy=remedy)


def _is_cause(loss: Loss, place: Place) -> bool:
    """Whether the field stood in what is at fault, or right beside it."""
    lost = loss.place
    is_near = lost.path[:-1] in (place.path, place.path[:-1])
    return loss.path[-1] in _NEEDED and is_near and lost.origin == place.origin
