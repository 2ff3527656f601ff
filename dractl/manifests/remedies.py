"""What to write instead of a field that does not exist or a value of the wrong type."""

import re
from collections.abc import Sequence
from typing import Any, Final

from dractl.errors import FieldPath, path_text
from dractl.manifests.json_text import JsonNumber
from dractl.manifests.shapes import ListOf, MapOf, Simple, Structure, fields_of
from dractl.manifests.source import Notation
from dractl.manifests.syntax import unrendered
from dractl.near_misses import nearest_word

_VERSION: Final = re.compile(r"^(?:ResourceV1|CoreV1|V\d+(?:(?:alpha|beta)\d+)?)")

_CLASS_GONE: Final = "claims ask for devices in `spec.devices.requests` since Kubernetes 1.31"
_ALLOCATABLE: Final = "it is `nodeAllocatableResources` since Kubernetes 1.37, with the fields `mapping` and `overhead`"
_RENAMED: Final = {
    ("Device", "nodeAllocatableResourceMappings"): _ALLOCATABLE,
    ("BasicDevice", "nodeAllocatableResourceMappings"): _ALLOCATABLE,
    ("PodResourceClaim", "source"): (
        "`source` is gone since Kubernetes 1.31: write `resourceClaimName` or `resourceClaimTemplateName` in its place"
    ),
    ("ResourceClaimSpec", "resourceClassName"): f"{_CLASS_GONE}: name the class in `[].exactly.deviceClassName`",
    ("ResourceClaimSpec", "parametersRef"): f"{_CLASS_GONE}; parameters for the driver go into `spec.devices.config`",
    ("ResourceClaimSpec", "allocationMode"): f"{_CLASS_GONE}, and are always allocated when a pod needs them",
}
"""Fields that once existed, by the structure's name without its version."""

_FEW: Final = 3
_NOT_WRITTEN: Final = ("status", "managedFields")
_BOOLEAN_WORDS: Final = "YAML takes y, yes, on, true (and n, no, off, false) for booleans"


def for_unknown_field(key: str, value: Any, enclosing: Sequence[tuple[str, FieldPath]]) -> str:
    """A remedy for a field that the innermost of the enclosing structures lacks; empty if nothing can be said."""
    structure, _ = enclosing[-1]
    template = unrendered(key) or (unrendered(value) if isinstance(value, str) else None)
    if template:
        return template[1]
    renamed = _RENAMED.get((_VERSION.sub("", structure), key))
    return (
        renamed
        or _resource_first(key, structure, enclosing[-1][1])
        or _mixed_versions(key, structure)
        or _other_case(key, structure)
        or _boolean_key(key)
        or _label_of_selector(key, value, structure)
        or _singular(key, structure)
        or _other_level(key, enclosing)
        or _nearest(key, structure)
    )


def _resource_first(key: str, structure: str, path: FieldPath) -> str:
    """`nodeAllocatableResources.mapping.cpu`, as some documents have it: the resource's name is the outer key."""
    if _VERSION.sub("", structure) != "NodeAllocatableResource" or path[-1] not in fields_of(structure):
        return ""
    return f"the resource comes first: write it as `{path[-2]}.{key}.{path[-1]}`"


def _mixed_versions(key: str, structure: str) -> str:
    plain = _VERSION.sub("", structure)
    version = structure.removesuffix(plain)
    if version == "V1beta1":
        if plain == "DeviceRequest" and key == "exactly":
            return "v1beta1 has no `exactly`: move its fields up into the request, or write resource.k8s.io/v1"
        if plain == "Device" and key in fields_of("V1beta1BasicDevice"):
            return f"v1beta1 has `{key}` below `basic`: put it there, or write resource.k8s.io/v1"
        return ""
    if plain == "Device" and key == "basic":
        return (
            "two versions are mixed: only v1beta1 has `basic`. Move its fields up into the device, "
            "or write resource.k8s.io/v1beta1"
        )
    if plain == "DeviceRequest" and key in fields_of("V1ExactDeviceRequest"):
        return f"two versions are mixed: v1 has `{key}` below `exactly`. Put it there, or write resource.k8s.io/v1beta1"
    return ""


def _other_case(key: str, structure: str) -> str:
    same = next((field for field in fields_of(structure) if field.lower() == key.lower()), None)
    return f"write `{same}`: upper and lower case matter" if same else ""


def _label_of_selector(key: str, value: Any, structure: str) -> str:
    is_label = _VERSION.sub("", structure) == "LabelSelector" and isinstance(value, str)
    return f"labels stand below `matchLabels`: write `matchLabels: {{{key}: {value}}}`" if is_label else ""


def _singular(key: str, structure: str) -> str:
    """A plural for a singular or the reverse: a slip, even where the word is a field somewhere else."""
    other = next((field for field in fields_of(structure) if f"{key}s" == field or f"{field}s" == key), None)
    return f"did you mean `{other}`?" if other else ""


def _boolean_key(key: str) -> str:
    return f"put the key in quotes: {_BOOLEAN_WORDS}" if key in ("true", "false") else ""


def _other_level(key: str, enclosing: Sequence[tuple[str, FieldPath]]) -> str:
    """A field of what is right below, of an enclosing structure or of one beside it: the indentation is wrong."""
    below = _structures_with(key, enclosing[-1][0], in_lists=True)
    is_further_out = any(key in fields_of(structure) for structure, _ in enclosing[:-1])
    if 0 < len(below) <= (1 if is_further_out else _FEW):
        return f"it belongs below `{below[0]}`"
    for structure, path in reversed(enclosing[:-1]):
        if key in fields_of(structure):
            return f"it belongs {'into ' + path_text(path) if path else 'to the top'}: check the indentation"
        beside = _structures_with(key, structure)
        if 0 < len(beside) <= _FEW:
            return f"it belongs into {path_text((*path, beside[0]))}: check the indentation"
    return _elsewhere(key, enclosing[0][0])


def _elsewhere(key: str, root: str) -> str:
    """A field of that name, in upper or lower case, anywhere in the kind, where few structures have one."""
    found: dict[str, tuple[str, str]] = {}
    seen = {root}
    waiting: list[tuple[str, str]] = [(root, "")]
    while waiting:
        level, waiting = waiting, []
        for structure, path in level:
            for name, shape in fields_of(structure).items():
                if name.lower() == key.lower():
                    found.setdefault(structure, (path, name))
                inner, step = shape, name
                while isinstance(inner, ListOf | MapOf):
                    inner, step = (inner.item, f"{step}[]") if isinstance(inner, ListOf) else (inner.value, f"{step}[]")
                if isinstance(inner, Structure) and inner.name not in seen and name not in _NOT_WRITTEN:
                    seen.add(inner.name)
                    waiting.append((inner.name, f"{path}.{step}" if path else step))
    if not 0 < len(found) <= _FEW:
        return ""
    path, name = next(iter(found.values()))
    return f"`{name}` belongs into {path}" if path else f"`{name}` belongs to the top"


def _structures_with(key: str, structure: str, *, in_lists: bool = False) -> list[str]:
    """The fields of a structure, status apart, that hold a structure (or a list of one) with this key."""
    found = []
    for name, shape in fields_of(structure).items():
        inner = shape.item if in_lists and isinstance(shape, ListOf) else shape
        if name != "status" and isinstance(inner, Structure) and key in fields_of(inner.name):
            found.append(name)
    return found


def _nearest(key: str, structure: str) -> str:
    near = nearest_word(key, fields_of(structure))
    if near:
        return f"did you mean `{near}`?"
    return f"known here: {', '.join(sorted(fields_of(structure)))}" if len(fields_of(structure)) <= 8 else ""


def describe(value: Any) -> str:
    """A value in a few words: `the number 5`, `the text "a"`, `a list`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'the text "{value if len(value) <= 40 else value[:37] + "…"}"'
    if isinstance(value, int | float):
        return f"the number {_as_written(value)}"
    return "a list" if isinstance(value, list) else "a map" if isinstance(value, dict) else "nothing"


def _as_written(value: float) -> str:
    return value.text if isinstance(value, JsonNumber) else str(value)


def for_wrong_type(value: Any, wanted: str, notation: Notation) -> str:
    """A remedy for a value of the wrong type; empty if nothing helpful can be said."""
    template = for_text(value)
    if template:
        return template
    if wanted == "text" and isinstance(value, bool):
        return f"put it in quotes: {_BOOLEAN_WORDS}" if notation is Notation.YAML else "put it in quotes"
    if wanted == "text" and isinstance(value, int | float):
        return "put it in quotes"
    if isinstance(value, str) and wanted in ("an integer", "true or false"):
        quoted = value.lower() in ("true", "false") if wanted == "true or false" else value.lstrip("+-").isdigit()
        return "take the quotes away" if quoted else ""
    if wanted == "an integer" and isinstance(value, JsonNumber) and value.is_integer():
        return f"write {int(value)}: in JSON an integer has digits only"
    if wanted == "a list":
        return for_no_list(notation)
    if wanted == "a map" and isinstance(value, list):
        return "write its `key: value` entries without `- ` or [ ]" if notation is Notation.YAML else "put it into { }"
    return ""


def for_no_list(notation: Notation) -> str:
    """A remedy for a value that stands where a list is expected."""
    return "begin each item with `- `" if notation is Notation.YAML else "put it into [ ]"


def for_amount(value: Any, structure: str) -> str:
    """A remedy for an amount that is written where its structure is expected; empty for all others."""
    is_amount = isinstance(value, str | int | float) and not isinstance(value, bool)
    if not is_amount or fields_of(structure).get("value") is not Simple.QUANTITY or for_text(value):
        return ""
    shown = f'"{value}"' if isinstance(value, str) else _as_written(value)
    return f"write the amount below it, as `value: {shown}`"


def for_text(value: Any) -> str:
    """A remedy for what a template left behind, a text or the key of a map; empty for all others."""
    texts = [value] if isinstance(value, str) else list(value) if isinstance(value, dict) else []
    found = next((found for found in map(unrendered, texts) if found), None)
    return found[1] if found else ""


def for_quantity(text: str) -> str:
    """A remedy for a text that is no quantity."""
    template = unrendered(text)
    if template:
        return template[1]
    compact = text.replace(" ", "")
    match = re.fullmatch(r"([+-]?[0-9.]+)([A-Za-z]*)", compact)
    if match:
        suffix = {"gb": "G", "gib": "Gi", "mb": "M", "mib": "Mi", "kb": "k", "kib": "Ki", "tb": "T", "tib": "Ti"}
        unit = suffix.get(match[2].lower(), match[2])
        if unit.lower() in ("ki", "mi", "gi", "ti", "pi", "ei"):
            unit = unit.capitalize()
        unit = {"K": "k", "g": "G", "t": "T"}.get(unit, unit)
        if unit != text[len(match[1]) :]:
            return f"write {match[1]}{unit}"
    return "write a number and, without a space, one of n u m k M G T P E or Ki Mi Gi Ti Pi Ei, for example 8Gi"
