"""Every object against the rules of its kind: errors in manifests, findings in dumps (validation.md)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from dractl.api.base import ObjectMeta
from dractl.api.core import Namespace
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import ResourceClaim, ResourceClaimTemplate
from dractl.errors import Fault, Place
from dractl.finding import Finding, Severity
from dractl.gates import Gates
from dractl.validation.admin_access import check_admin_access
from dractl.validation.default_priority import second_defaults
from dractl.validation.kinds import rules_of
from dractl.validation.made_pods import check_made_pods
from dractl.validation.metadata import check_metadata
from dractl.validation.mistakes import Mistakes
from dractl.validation.paths import reported_field
from dractl.validation.rulebook import STORED, Rulebook
from dractl.validation.violation import Violation, ViolationType, below

Labels: TypeAlias = Mapping[str, str]


def violations(value: Any, rulebook: Rulebook, namespace_labels: Labels | None = None) -> Iterator[Violation]:
    """What the API server would refuse about one object: metadata, spec, and the namespace it is in.

    `namespace_labels` are the labels of its namespace, None where nothing is known of it.
    """
    rules = rules_of(type(value))
    metadata = check_metadata(
        value.metadata,
        name_form=rules.name_form,
        is_namespaced=rules.is_namespaced,
        looks_at_base=rules.looks_at_generate_name,
    )
    yield from below(metadata, "metadata")
    if rules.check_spec is not None:
        yield from rules.check_spec(value, rulebook)
    if isinstance(value, ResourceClaim):
        yield from check_admin_access(value.spec, value.metadata.namespace, namespace_labels, ("spec",))
    elif isinstance(value, ResourceClaimTemplate):
        yield from check_admin_access(value.spec.spec, value.metadata.namespace, namespace_labels, ("spec", "spec"))


def check(objects: ObjectSet, gates: Gates, told: Iterable[Place] = ()) -> tuple[list[Fault], list[Finding]]:
    """What the API server would refuse while these gates are in force, in the order of the input.

    In a manifest that is a fault. What comes from a cluster was let in once, perhaps under other gates: there it is a
    finding, and the object is planned as it stands. So is a workload that is let in and whose pods are not. What the
    input cannot decide is a warning. Objects that dractl made itself are not looked at. `told` are the places of faults
    that reading has found: what only follows from one of them is left out.
    """
    mistakes = Mistakes(told)
    rules_for_new = Rulebook.of(gates)
    late_defaults = second_defaults(objects)
    labels = {sourced.ref.name: sourced.metadata.labels or {} for sourced in objects.of(Namespace)}
    faults: list[Fault] = []
    findings: list[Finding] = []
    for sourced in objects:
        if sourced.made_by is not None:
            continue
        is_stored = _came_from_a_cluster(sourced.metadata)
        rulebook = STORED if is_stored else rules_for_new
        found = list(violations(sourced.object, rulebook, labels.get(sourced.ref.namespace)))
        if sourced.ref in late_defaults and not is_stored:
            found.append(late_defaults[sourced.ref])
        if not found:
            findings += _about_pods(sourced, rules_for_new)
        for violation in found:
            if violation.is_echo or mistakes.explain(sourced.place.at(*violation.place), violation):
                continue
            if is_stored or not violation.is_certain:
                findings.append(_finding(sourced, violation))
            else:
                faults.append(_fault(sourced, violation))
    return faults, findings


def _about_pods(sourced: Sourced[Any], rulebook: Rulebook) -> Iterator[Finding]:
    """What keeps a workload from making the pods that it should."""
    for violation in check_made_pods(sourced.object, rulebook):
        if not violation.is_echo:
            field = reported_field(violation, sourced.ref.kind, sourced.version)
            yield Finding(
                "workloads/pods-refused",
                Severity.ERROR,
                f"the API server refuses the pods that are made from this: {field}: {violation.message}",
                _place(sourced, violation),
                str(sourced.ref),
                violation.remedy,
            )


def _came_from_a_cluster(metadata: ObjectMeta) -> bool:
    """Whether this is a dump, be it one that was trimmed: it has a creation time, or a name that a server generated.

    Nobody writes a name beside `generateName`; those that dractl makes end with an index.
    """
    suffix = metadata.name.removeprefix(metadata.generateName) if metadata.generateName else ""
    was_named = suffix not in ("", metadata.name) and not suffix.isdigit()
    return metadata.is_dump or was_named or metadata.creationTimestamp is not None


def _place(sourced: Sourced[Any], violation: Violation) -> Place:
    place = sourced.place.at(*violation.place)
    return place.key_at() if violation.at_key else place.in_text(violation.within)


def _fault(sourced: Sourced[Any], violation: Violation) -> Fault:
    place = _place(sourced, violation)
    return Fault(
        violation.message,
        violation.remedy,
        file=place.origin.file,
        place=place,
        subject=str(sourced.ref),
        field=reported_field(violation, sourced.ref.kind, sourced.version),
    )


def _finding(sourced: Sourced[Any], violation: Violation) -> Finding:
    """A trimmed dump may lack what the object has in the cluster: what is missing is no more than a warning.

    What depends on an object that the input lacks is a remark: it is in the cluster, as a rule.
    """
    field = reported_field(violation, sourced.ref.kind, sourced.version)
    is_missing = violation.type is ViolationType.REQUIRED or not sourced.metadata.is_dump
    severity = Severity.WARNING if is_missing else Severity.ERROR
    return Finding(
        "validation/refused" if violation.is_certain else "validation/undecided",
        severity if violation.is_certain else Severity.INFO,
        f"{field}: {violation.message}",
        _place(sourced, violation),
        str(sourced.ref),
        violation.remedy,
    )
