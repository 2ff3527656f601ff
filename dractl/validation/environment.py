"""The environment of a container: names, and where values come from (answers in validate-core)."""

import re
from collections.abc import Iterator
from typing import Final

from dractl.api.processes import EnvVar, EnvVarSource, KeySelector, ObjectFieldSelector, ResourceFieldSelector
from dractl.near_misses import did_you_mean
from dractl.validation.formats import LONGEST_SUBDOMAIN, label_key, missing, subdomain
from dractl.validation.violation import Violation, ViolationType, below, invalid

_PRINTABLE: Final = re.compile(r"[ -<>-~]+")
_FIELDS: Final = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
_OTHER_FIELDS: Final = frozenset(
    {"metadata.labels", "metadata.annotations", "spec.restartPolicy", "spec.schedulerName", "status.phase"}
)
"""Fields of pods that the server knows, and that no variable can have."""
_OLD_NAME: Final = "spec.host"
_OF_KEYS: Final = re.compile(r"metadata\.(?P<map>labels|annotations)\['(?P<key>[^']*)'\]")
_RESOURCES: Final = tuple(
    f"{of}.{name}" for of in ("limits", "requests") for name in ("cpu", "ephemeral-storage", "memory")
)
_HUGE_PAGES: Final = ("limits.hugepages-", "requests.hugepages-")
_KEYS: Final = re.compile(r"[-._a-zA-Z0-9]+")
_SOURCES: Final = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")


def check_variable(variable: EnvVar) -> Iterator[Violation]:
    """One variable; paths begin at it."""
    if not variable.name:
        yield missing("the variable's name", "write `name: …`").below("name")
    elif not _PRINTABLE.fullmatch(variable.name):
        message = f'"{variable.name}" is no name for a variable'
        yield invalid(message, 'use printable ASCII characters, and no "="', "name")
    if variable.valueFrom is not None:
        yield from below(_check_source(variable.valueFrom, variable.value), "valueFrom")


def _check_source(source: EnvVarSource, value: str) -> Iterator[Violation]:
    present = [field for field in _SOURCES if getattr(source, field) is not None]
    if not present:
        yield invalid("it says nothing about where the value comes from", f"set one of {', '.join(_SOURCES)}")
    elif value:
        yield invalid("`value` and `valueFrom` are set together", "keep one of them")
    elif len(present) > 1:
        yield invalid(f"{' and '.join(f'`{field}`' for field in present)} are set together", "keep one of them")
    if source.fieldRef is not None:
        yield from below(_check_field(source.fieldRef), "fieldRef")
    if source.resourceFieldRef is not None:
        yield from below(_check_resource(source.resourceFieldRef), "resourceFieldRef", "resource")
    for field, selector in (("configMapKeyRef", source.configMapKeyRef), ("secretKeyRef", source.secretKeyRef)):
        if selector is not None:
            yield from below(_check_key(selector), field)


def _check_field(selector: ObjectFieldSelector) -> Iterator[Violation]:
    """A field of the pod. The server tells fields that it does not know from those that variables cannot have."""
    path = selector.fieldPath
    if not path:
        yield missing("the field of the pod", "write `fieldPath: metadata.name`").below("fieldPath")
    elif selector.apiVersion not in ("", "v1"):
        yield invalid(f"there are no pods of version {selector.apiVersion}", "write `apiVersion: v1`", "fieldPath")
    elif keyed := _OF_KEYS.fullmatch(path):
        # The keys of annotations may be in upper case.
        key = keyed["key"] if keyed["map"] == "labels" else keyed["key"].lower()
        for flaw in label_key(key):
            yield Violation((), flaw.type, flaw.message, flaw.remedy, written_at=("fieldPath",))
    elif path not in (*_FIELDS, _OLD_NAME):
        kind = ViolationType.NOT_SUPPORTED if path in _OTHER_FIELDS else ViolationType.INVALID
        remedy = did_you_mean(path, _FIELDS) or f"write one of {', '.join(_FIELDS)}, or metadata.labels['KEY']"
        yield Violation(("fieldPath",), kind, f'no variable can have the field "{path}"', remedy)


def _check_resource(selector: ResourceFieldSelector) -> Iterator[Violation]:
    name = selector.resource
    if not name:
        yield missing("the resource", "write `resource: limits.cpu`")
    elif name not in _RESOURCES and not name.startswith(_HUGE_PAGES):
        remedy = did_you_mean(name, _RESOURCES) or f"write one of {', '.join(_RESOURCES)}"
        yield Violation((), ViolationType.NOT_SUPPORTED, f'no variable can have the resource "{name}"', remedy)


def _check_key(selector: KeySelector) -> Iterator[Violation]:
    """A key of a ConfigMap or a Secret; nobody looks whether it is there."""
    yield from below(subdomain(selector.name), "name")
    key = selector.key
    if not key:
        yield missing("the key", "write `key: …`").below("key")
    elif len(key) > LONGEST_SUBDOMAIN or not _KEYS.fullmatch(key) or key == "." or key.startswith(".."):
        yield invalid(f'"{key}" is no key of it', 'use letters, digits, "-", "_" and "."', "key")
