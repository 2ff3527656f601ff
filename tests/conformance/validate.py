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
from dractl.errors import FieldPath, Origin, Place
from dractl.gates import Gates, gates_of
from dractl.manifests.decode import Decoded, decode_object
from dractl.manifests.document import read_document
from dractl.manifests.kinds import kinds
from dractl.manifests.source import Notation, Source, decode, split
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
_TWICE: Final = re.compile(r"the key '(?P<key>.*)' is written twice in one (?P<where>map|object)")


def answer(case_input: Mapping[str, Any]) -> dict[str, Any]:
    """Read one document as the API server does, and say what it would answer."""
    text = case_input["text"] if "text" in case_input else json.dumps(case_input["object"], ensure_ascii=False)
    documents = split("case", decode(Source("case", text.encode())))
    if not documents:
        return _unreadable("no_kind")
    tree = read_document(documents[0])
    is_no_json = tree.document.maybe_json or (len(documents) > 1 and tree.document.notation is Notation.JSON)
    if is_no_json or not all(_TWICE.match(fault.message) for fault in tree.faults):
        return _unreadable("malformed")
    if not isinstance(tree.value, dict):
        return _unreadable("no_kind" if tree.value is None else "malformed")
    decoded = decode_object(
        tree.value, tree.document.notation, default_namespace="default", has_fractions=tree.has_fractions
    )
    strict = [*_duplicates(tree), *_unknown(decoded.problems)]
    if decoded.value is None:
        return _unreadable(_stage(decoded.problems))
    return {
        "decode_error_kind": "strict" if strict else None,
        "strict_errors": strict,
        **_created(decoded, case_input),
    }


def _unreadable(kind: str) -> dict[str, Any]:
    return {"decode_error_kind": kind, "strict_errors": [], "errors": [], "warnings": [], "defaulted": None}


def _stage(problems: tuple[Problem, ...]) -> str:
    """The stage at which reading ended; kinds that dractl does not need are nothing to this server either."""
    stages = {problem.stage for problem in problems} or {Stage.NOT_REGISTERED}
    return next(str(stage.value) for stage in _GRAVEST_FIRST if stage in stages)


# --- strict errors ---------------------------------------------------------------------------------------------------


def _unknown(problems: tuple[Problem, ...]) -> Iterator[str]:
    for problem in problems:
        if problem.stage is Stage.STRICT:
            yield f"unknown field {json.dumps(_dotted(problem.path), ensure_ascii=False)}"


def _dotted(path: FieldPath) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def _duplicates(tree: Tree) -> Iterator[str]:
    """In JSON each by its path; in YAML all in one text, by their lines."""
    lines = []
    for fault in tree.faults:
        found = _TWICE.match(fault.message)
        assert found is not None
        assert fault.position is not None
        if found["where"] == "object":
            yield f'duplicate field "{fault.field}"'
        else:
            lines.append(f'  line {fault.position.line}: key "{found["key"]}" already set in map')
    if lines:
        yield "\n".join(["yaml: unmarshal errors:", *lines])


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
    return _EVERY_GATE if enabled is None else Gates(_RELEASE, frozenset(enabled), {})


def _error(violation: Violation, decoded: Decoded) -> dict[str, Any]:
    field = reported_field(violation, decoded.kind, decoded.version)
    return {"type": str(violation.type), "field": field, "detail": violation.message}


def _plain(created: Any, decoded: Decoded) -> dict[str, Any]:
    group = decoded.version.rpartition("/")[0]
    kind = kinds()[group, decoded.kind]
    return {"apiVersion": kind.current, "kind": kind.name, **to_stored(created)}


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
