"""Cases of kind `validate`: would the API server take this object (conformance/README.md, validate)."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from dractl.api.core import Pod
from dractl.api.creation import as_created
from dractl.api.dropped import without_dropped_fields
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.scheduling import PodGroup
from dractl.api.stored import to_stored
from dractl.cel.library.formatting import quoted
from dractl.errors import FieldPath, Origin, Place, Position
from dractl.gates import Gates, gates_of
from dractl.manifests.compose import read_yaml
from dractl.manifests.decode import Decoded, decode_object
from dractl.manifests.json_text import read_json
from dractl.manifests.kinds import kinds
from dractl.manifests.served import NEWEST_RELEASE
from dractl.manifests.source import Document, Notation
from dractl.manifests.tree import Tree
from dractl.manifests.walk import Problem, Stage
from dractl.validation.check import violations
from dractl.validation.paths import reported_field
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation
from dractl.validation.warnings import warnings_of

COMPARED: Final = ("decode_error_kind", "strict_errors", "errors", "warnings", "defaulted")

_RELEASE: Final = "1.37"
_EVERY_GATE: Final = Gates(_RELEASE, frozenset(gates_of(_RELEASE)), {})
_LOCKED: Final = frozenset(name for name, gate in gates_of(_RELEASE).items() if gate.default and gate.locked)
_EVERY_DRA_GATE: Final = Gates(
    _RELEASE,
    frozenset(
        name
        for name, gate in gates_of(_RELEASE).items()
        if gate.default or name.startswith("DRA") or name in ("NodeDeclaredFeatures", "GenericWorkload")
    ),
    {},
)
"""The gates for whole objects: those that are not about devices are at their defaults."""
_ABOUT_CLAIMS: Final = re.compile(r"resourceClaims|\.resources\.claims")
_GRAVEST_FIRST: Final = (Stage.NO_KIND, Stage.NOT_REGISTERED, Stage.MALFORMED, Stage.STRICT)
_TYPE_PATHS: Final = (("apiVersion",), ("kind",))
_SPACE: Final = " \t\r\n"
_MOST_STRICT_ERRORS: Final = 100
_TWICE: Final = re.compile(r"the key '(?P<key>.*)' is written twice in one (?:map|object)")
_OVERLAP: Final = re.compile(r"the key '(?P<key>.*)' comes from `<<` and a second time")
_KEY: Final = re.compile(r"""(?:"[^"]*"|'[^']*'|[^:]*)\s*:""")
_BRACKETED: Final = re.compile(r"\[((?:\D[^\]]*)?)\]")
_SAYS_NOTHING: Final = re.compile(r"\s*(?:#.*)?$")
_OPAQUE: Final = re.compile(r"\.(?:parameters|fieldsV1)[.\[]")


def answer(case_input: Mapping[str, Any]) -> dict[str, Any]:
    """Read one document as the API server does, and say what it would answer."""
    text = case_input["text"] if "text" in case_input else json.dumps(case_input["object"], ensure_ascii=False)
    tree = _first_document(text)
    if not all(_TWICE.match(fault.message) for fault in tree.faults):
        return _unreadable("malformed")
    if not isinstance(tree.value, dict):
        return _unreadable("no_kind" if tree.value is None else "malformed")
    decoded = decode_object(
        tree.value, tree.document.notation, default_namespace="default", has_fractions=tree.has_fractions
    )
    strict = _strict(tree, decoded.problems)
    if decoded.value is None:
        return _unreadable(_stage(decoded.problems))
    return {
        "decode_error_kind": "strict" if strict else None,
        "strict_errors": strict,
        **_created(decoded, case_input),
    }


def _first_document(text: str) -> Tree:
    """The document that the server reads, which does not split as kubectl does (reading.md, "Documents and bytes")."""
    if text.lstrip(_SPACE).startswith("{"):
        return read_json(Document(Origin("case"), text, Notation.JSON))
    return read_yaml(Document(Origin("case"), text.removeprefix("\ufeff")), positions=True)


def _unreadable(kind: str) -> dict[str, Any]:
    return {"decode_error_kind": kind, "strict_errors": [], "errors": [], "warnings": [], "defaulted": None}


def _stage(problems: tuple[Problem, ...]) -> str:
    """The stage at which reading ended; kinds that dractl does not need are nothing to this server either.

    A version or kind that is no text fails before a missing one is noticed.
    """
    if any(problem.stage is Stage.MALFORMED and problem.path in _TYPE_PATHS for problem in problems):
        return Stage.MALFORMED.value
    stages = {problem.stage for problem in problems} or {Stage.NOT_REGISTERED}
    return next(str(stage.value) for stage in _GRAVEST_FIRST if stage in stages)


# --- strict errors ---------------------------------------------------------------------------------------------------


def _strict(tree: Tree, problems: tuple[Problem, ...]) -> list[str]:
    """What the server lists: it stops after so many, and reads YAML as JSON whose keys are sorted."""
    unknown = [_dotted(problem.path) for problem in problems if problem.stage is Stage.STRICT]
    texts = [f"unknown field {quoted(path)}" for path in unknown]
    if tree.document.notation is Notation.YAML:
        return [*_yaml_duplicates(tree), *sorted(texts)[:_MOST_STRICT_ERRORS]]
    return [*dict.fromkeys(_json_duplicates(tree, unknown)), *texts][:_MOST_STRICT_ERRORS]


def _dotted(path: FieldPath) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def _json_duplicates(tree: Tree, unknown: list[str]) -> Iterator[str]:
    """Each by its path; the server does not look into what it does not know, nor into what is for drivers."""
    for fault in tree.faults:
        path = _BRACKETED.sub(r".\1", fault.field)
        is_inside = any(path == outer or path.startswith((f"{outer}.", f"{outer}[")) for outer in unknown)
        if not is_inside and not _OPAQUE.search(path):
            yield f"duplicate field {quoted(path)}"


def _yaml_duplicates(tree: Tree) -> list[str]:
    """All in one text, by the lines of their values; a key that is merged and written too is one of them."""
    lines = tree.document.text.splitlines()
    found = [
        (_line_of_value(lines, fault.position), match["key"])
        for fault in tree.faults
        if (match := _TWICE.match(fault.message)) and fault.position
    ] + [
        (spot.value.line, match["key"])
        for finding in tree.findings
        if (match := _OVERLAP.match(finding.message)) and finding.place and (spot := tree.spot(finding.place.path))
    ]
    if not found:
        return []
    found.sort(key=lambda each: each[0])
    texts = [f"  line {line}: key {_as_go_shows(key)} already set in map" for line, key in found]
    return ["\n".join(["yaml: unmarshal errors:", *texts])]


def _line_of_value(lines: list[str], key: Position) -> int:
    """The line of what belongs to a key: that of the key, or the next that says anything."""
    behind = _KEY.sub("", lines[key.line - 1][key.column - 1 :], count=1)
    said = (
        number for number, line in enumerate([behind, *lines[key.line :]], key.line) if not _SAYS_NOTHING.match(line)
    )
    return next(said, key.line)


def _as_go_shows(key: str) -> str:
    return key if key in ("true", "false") or key.isdigit() else quoted(key)


# --- creation --------------------------------------------------------------------------------------------------------


def _created(decoded: Decoded, case_input: Mapping[str, Any]) -> dict[str, Any]:
    gates = _gates(case_input)
    created = _kept(as_created(decoded.value, suffix="x1x2x", now="now"), decoded, gates)
    labels = case_input.get("namespaceLabels") or {}
    found = list(violations(created, Rulebook.of(gates), labels))
    is_whole = bool(case_input.get("whole"))
    is_about_claims = isinstance(created, Pod | PodGroup) and not is_whole
    errors = [_error(violation, decoded) for violation in found]
    if is_about_claims:
        errors = [error for error in errors if _ABOUT_CLAIMS.search(error["field"])]
    return {
        "errors": errors,
        "warnings": [] if is_about_claims or is_whole else list(warnings_of(created)),
        "defaulted": None if is_about_claims or is_whole else _plain(created, decoded),
    }


def _kept(created: Any, decoded: Decoded, gates: Gates) -> Any:
    """The object without the fields whose gates are off."""
    ref = ObjectRef(decoded.kind, decoded.namespace, decoded.name)
    (kept,) = without_dropped_fields(ObjectSet([Sourced(created, ref, Place(Origin("case")), decoded.version)]), gates)[
        0
    ]
    return kept.object


def _gates(case_input: Mapping[str, Any]) -> Gates:
    if case_input.get("whole"):
        return _EVERY_DRA_GATE
    enabled = case_input.get("features")
    return _EVERY_GATE if enabled is None else Gates(_RELEASE, _LOCKED.union(enabled), {})


def _error(violation: Violation, decoded: Decoded) -> dict[str, Any]:
    field = reported_field(violation, decoded.kind, decoded.version)
    return {"type": str(violation.type), "field": field, "detail": violation.message}


def _plain(created: Any, decoded: Decoded) -> dict[str, Any]:
    group = decoded.version.rpartition("/")[0]
    kind = kinds()[group, decoded.kind]
    return {"apiVersion": kind.current(NEWEST_RELEASE), "kind": kind.name, **to_stored(created)}


# --- comparison ------------------------------------------------------------------------------------------------------


def first_difference(expect: Mapping[str, Any], given: Mapping[str, Any], without: frozenset[str]) -> str | None:
    """The first compared field that differs; see the corpus' README for what is compared."""
    kind = expect["decode_error_kind"]
    fields = COMPARED if kind in (None, "strict") else ("decode_error_kind",)
    for field in fields:
        if field in without:
            continue
        difference = _difference(_compared(field, expect[field]), _compared(field, given[field]))
        if difference is not None:
            return f"{field}{difference}"
    return None


def _compared(field: str, value: Any) -> Any:
    if field == "errors":
        return {(error["type"], error["field"]) for error in value}
    return set(value) if field in ("strict_errors", "warnings") else value


def _difference(wanted: Any, got: Any) -> str | None:
    """The first place where two values differ as JSON, with both values there."""
    if isinstance(wanted, set):
        return None if wanted == got else f": missing {sorted(wanted - got)}, not expected {sorted(got - wanted)}"
    if isinstance(wanted, dict) and isinstance(got, dict):
        if wanted.keys() != got.keys():
            return f": missing {sorted(wanted.keys() - got.keys())}, not expected {sorted(got.keys() - wanted.keys())}"
        inner = ((f".{key}", _difference(wanted[key], got[key])) for key in wanted)
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        inner = ((f"[{index}]", _difference(*pair)) for index, pair in enumerate(zip(wanted, got, strict=True)))
    elif wanted == got and isinstance(wanted, bool) == isinstance(got, bool):
        return None
    else:
        return f": expected {json.dumps(wanted, ensure_ascii=False)}, got {json.dumps(got, ensure_ascii=False)}"
    return next((f"{step}{difference}" for step, difference in inner if difference is not None), None)
