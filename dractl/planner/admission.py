"""What an API server would make of the input: gates, fields that it removes, and what it refuses."""

from dataclasses import dataclass

from dractl.api.dropped import without_dropped_fields
from dractl.api.feature_use import gates_in_use
from dractl.api.objects import ObjectSet
from dractl.errors import Fault
from dractl.finding import Finding
from dractl.gates import Gates, resolve
from dractl.planner.settings import Settings
from dractl.validation import check


@dataclass(frozen=True, slots=True)
class Admission:
    """The objects that a cluster would hold, the gates in force, and what is wrong with the objects."""

    objects: ObjectSet
    gates: Gates
    faults: tuple[Fault, ...]
    findings: tuple[Finding, ...]


def gates_in_force(objects: ObjectSet, settings: Settings) -> Gates:
    """The gates that the user and the input ask for. Raises UsageError for settings that no cluster has."""
    return resolve(release=settings.release, settings=settings.feature_gates, used=gates_in_use(objects))


def admit(objects: ObjectSet, settings: Settings) -> Admission:
    """Let the objects into an imagined cluster; what it would refuse are the faults. Raises UsageError as above."""
    gates = gates_in_force(objects, settings)
    kept, dropped = without_dropped_fields(objects, gates)
    faults, findings = check(kept, gates)
    return Admission(kept, gates, tuple(faults), (*dropped, *findings))
