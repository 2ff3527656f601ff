"""Names, labels, annotations, owners and finalizers of any object (validation.md §4)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from dractl.api.base import ObjectMeta, OwnerReference
from dractl.validation.formats import Flaws, label, label_key, label_value, missing, size
from dractl.validation.violation import Violation, ViolationType, below, of_key

_LARGEST_ANNOTATIONS: Final = 256 * 1024
_STANDARD_FINALIZERS: Final = ("orphan", "foregroundDeletion", "kubernetes")
_OWNER_FIELDS: Final = ("apiVersion", "kind", "name", "uid")


def check_metadata(
    metadata: ObjectMeta, *, name_form: Callable[[str], Flaws], is_namespaced: bool, looks_at_base: bool
) -> Iterator[Violation]:
    """What is wrong with the metadata of an object whose names have this form; paths begin at the metadata.

    `looks_at_base` is whether the server looks at `generateName` as well.
    """
    if metadata.generateName and looks_at_base:
        # The server adds a suffix, so that a hyphen at the end is fine.
        yield from below(name_form(_with_end(metadata.generateName)), "generateName")
    if metadata.name:
        yield from below(name_form(metadata.name), "name")
    elif not metadata.generateName:
        yield missing("a name", "write `name: …`").below("name")
    if is_namespaced and metadata.namespace:
        yield from below(label(metadata.namespace), "namespace")
    yield from check_labels(metadata.labels)
    yield from check_annotations(metadata.annotations)
    yield from below(_owners(metadata.ownerReferences or ()), "ownerReferences")
    yield from below(_finalizers(metadata.finalizers or ()), "finalizers")


def _with_end(text: str) -> str:
    return f"{text[:-1]}a" if text.endswith("-") else text


def check_labels(labels: Mapping[str, str] | None) -> Iterator[Violation]:
    """Keys and values of labels, all reported at `labels`."""
    yield from below(label_flaws(labels), "labels")


def label_flaws(labels: Mapping[str, str] | None) -> Iterator[Violation]:
    """Keys and values of labels, all reported at the map itself."""
    for key, value in (labels or {}).items():
        yield from of_key("label", key, label_key(key))
        yield from of_key("label", key, label_value(value))


def check_annotations(annotations: Mapping[str, str] | None) -> Iterator[Violation]:
    """Keys of annotations in any case, and their size altogether."""
    if not annotations:
        return
    for key in annotations:
        yield from below(of_key("annotation", key, label_key(key.lower())), "annotations")
    total = sum(size(key) + size(value) for key, value in annotations.items())
    if total > _LARGEST_ANNOTATIONS:
        message = f"{total} bytes of annotations are too many: at most {_LARGEST_ANNOTATIONS} are allowed"
        yield Violation(("annotations",), ViolationType.TOO_LONG, message, "keep large data in a ConfigMap")


def _owners(owners: Sequence[OwnerReference]) -> Iterator[Violation]:
    for index, owner in enumerate(owners):
        for field in _OWNER_FIELDS:
            if not getattr(owner, field):
                yield missing(f"the owner's {field}", "an owner is named in full, or not at all").below(index, field)
        if owner.apiVersion and not _is_group_and_version(owner.apiVersion):
            message = f'"{owner.apiVersion}" is not a version, nor a group and a version'
            yield Violation((index, "apiVersion"), ViolationType.INVALID, message, "write it as in the owner itself")
    if sum(owner.controller is True for owner in owners) > 1:
        message = "only one owner can be the controller"
        yield Violation((), ViolationType.INVALID, message, "keep `controller: true` for one of them")


def _is_group_and_version(api_version: str) -> bool:
    """`VERSION` or `GROUP/VERSION`, of any form; the group may be empty."""
    group_and_version = api_version.split("/")
    return len(group_and_version) <= 2 and bool(group_and_version[-1])


def _finalizers(finalizers: Sequence[str]) -> Iterator[Violation]:
    for index, finalizer in enumerate(finalizers):
        yield from label_key(finalizer)
        if "/" not in finalizer and finalizer not in _STANDARD_FINALIZERS:
            message = f'"{finalizer}" has no domain and is none of the standard finalizers'
            yield Violation((index,), ViolationType.INVALID, message, "write it as DOMAIN/NAME")
