"""One Kubernetes object: which kind it is, whether that can be read, and its typed form in the current version."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from msgspec.structs import replace as replace_problem

from dractl.api.base import ObjectMeta
from dractl.api.codec import to_api
from dractl.api.defaults import with_defaults
from dractl.errors import FieldPath
from dractl.manifests import remedies
from dractl.manifests.kinds import (
    OLD_GROUPS,
    SUCCESSORS,
    Kind,
    Version,
    group_and_version,
    kinds,
    version_fault,
)
from dractl.manifests.served import DRA, NEWEST_RELEASE, SCHEDULING
from dractl.manifests.source import Notation
from dractl.manifests.strict import is_clean
from dractl.manifests.walk import Problem, Stage, walk
from dractl.near_misses import nearest, nearest_word

_LONGEST_BASE: Final = 58
_MANY: Final = 2
_CLOSED_GROUPS: Final = ("", "apps", "batch", DRA, SCHEDULING)
_TYPE_FIELDS: Final = ("apiVersion", "kind")


class Decoded(Struct, frozen=True):
    """What became of one object. Without a value and without problems its kind is one that dractl does not need.

    With problems that only strict reading finds (unknown fields, a missing name) there is a value all the same: what
    the API server would look at, if it did not refuse the object. `rest` is what can be looked at where plain values
    have wrong types.
    """

    kind: str
    version: str = ""
    name: str = ""
    namespace: str = ""
    value: Any = None
    rest: Any = None
    problems: tuple[Problem, ...] = ()


def decode_object(
    data: Mapping[str, Any],
    notation: Notation,
    *,
    default_namespace: str,
    release: str = NEWEST_RELEASE,
    has_fractions: bool = False,
) -> Decoded:
    """Read one object: its version is converted to the current one, and defaults are filled in (validation.md §1).

    The problems' paths begin at the object's root. `release` is that of the cluster, of which they speak.
    """
    named = _named(data)
    fields = [_looked_up(field, data, notation) for field in _TYPE_FIELDS]
    problems = _type_problems(data, fields, release)
    api_version, kind_name = (data.get(field) for field in fields)
    if problems:
        guess = _guess(data)
        if guess is not None:
            told = {problem.path for problem in problems}
            problems += [problem for problem in walk(data, guess.shape, notation)[1] if problem.path not in told]
        return _refused(named, kind_name if isinstance(kind_name, str) else "", problems)
    assert isinstance(api_version, str)
    assert isinstance(kind_name, str)
    found = _find(api_version, kind_name, release)
    if isinstance(found, Problem):
        found = _at_written_fields(found, fields)
        return _refused(named, kind_name, [found])
    if found is None:
        return Decoded(_skipped_name(api_version, kind_name))
    kind, version = found
    return _read(data, kind, version, notation, default_namespace, has_fractions)


def _named(data: Mapping[str, Any]) -> tuple[str, str]:
    metadata = data.get("metadata")
    if not isinstance(metadata, dict):
        return "", ""
    name = metadata.get("name") or metadata.get("generateName")
    namespace = metadata.get("namespace")
    return (name if isinstance(name, str) else ""), (namespace if isinstance(namespace, str) else "")


def _refused(named: tuple[str, str], kind: str, problems: list[Problem]) -> Decoded:
    return Decoded(kind, name=named[0], namespace=named[1], problems=_with_remedies(problems, kind))


def _with_remedies(problems: Iterable[Problem], kind: str) -> tuple[Problem, ...]:
    """An unknown field that resembles nothing at least gets the command that lists its neighbours."""
    return tuple(
        problem
        if problem.remedy or problem.stage is not Stage.STRICT
        else replace_problem(problem, remedy=f"`{_explain(kind, problem.path)}` lists the fields")
        for problem in problems
    )


def _explain(kind: str, path: FieldPath) -> str:
    return "kubectl explain " + ".".join([kind.lower(), *(step for step in path[:-1] if isinstance(step, str))])


# --- which kind ------------------------------------------------------------------------------------------------------


def _looked_up(field: str, data: Mapping[str, Any], notation: Notation) -> str:
    """The key under which the API server finds a field of the type: in any case, and the last that is not null.

    YAML reaches it as JSON with sorted keys. What is spelt otherwise is an unknown field all the same.
    """
    keys = data if notation is Notation.JSON else sorted(map(str, data))
    found = [key for key in keys if key.lower() == field.lower() and data.get(key) is not None]
    return found[-1] if found else field


def _type_problems(data: Mapping[str, Any], fields: Sequence[str], release: str) -> list[Problem]:
    """What is wrong with apiVersion and kind themselves; `fields` are the keys that hold them."""
    if not any(key.lower() in ("apiversion", "kind") for key in data):
        remedy = "leave the file out if it is no Kubernetes object"
        return [Problem(Stage.NO_KIND, (), "apiVersion and kind are missing", remedy, at_key=True)]
    problems = []
    for field, key in zip(_TYPE_FIELDS, fields, strict=True):
        value = data.get(key)
        if value is not None and not isinstance(value, str):
            message = f"must be text, but is {remedies.describe(value)}"
            problems.append(Problem(Stage.MALFORMED, (key,), message, remedies.for_text(value)))
        elif not value:
            path = (key,) if key != field else ()
            problems.append(
                Problem(Stage.NO_KIND, path, f"{field} is missing", _missing_remedy(field, data, release), at_key=True)
            )
    return problems


def _at_written_fields(problem: Problem, fields: Sequence[str]) -> Problem:
    """A problem with the type, at the key that is written."""
    written = dict(zip(_TYPE_FIELDS, fields, strict=True))
    return replace_problem(problem, path=tuple(written.get(str(step), step) for step in problem.path))


def _missing_remedy(field: str, data: Mapping[str, Any], release: str) -> str:
    guess = [kind for kind in kinds().values() if kind.name == data.get("kind")]
    return f"write `apiVersion: {guess[0].current(release)}`" if field == "apiVersion" and guess else ""


def _guess(data: Mapping[str, Any]) -> Version | None:
    """The kind that was probably meant, so that its other faults can be reported in the same run."""
    return next((kind.versions[0] for kind in kinds().values() if kind.name == data.get("kind")), None)


def _find(api_version: str, kind_name: str, release: str) -> tuple[Kind, Version] | Problem | None:
    """The kind and version; a problem if it is one that can never be read; None if dractl does not need it."""
    group, version_name = group_and_version(api_version)
    if api_version.count("/") > 1:
        return Problem(Stage.MALFORMED, ("apiVersion",), f'"{api_version}" is not a group and a version')
    if not version_name:
        return Problem(Stage.NO_KIND, ("apiVersion",), f'"{api_version}" names no version')
    kind = kinds().get((group, kind_name)) or kinds().get((OLD_GROUPS.get(group, group), kind_name))
    if kind is None:
        return _unknown_kind(group, api_version, kind_name, release)
    version = kind.version(version_name) if kind.group == group else None
    if version is None:
        message, remedy = version_fault(kind, api_version, release)
        return Problem(Stage.NOT_REGISTERED, ("apiVersion",), message, remedies.for_text(api_version) or remedy)
    return kind, version


def _unknown_kind(group: str, api_version: str, kind_name: str, release: str) -> Problem | None:
    template = remedies.for_text(api_version) or remedies.for_text(kind_name)
    if template:
        return Problem(Stage.NOT_REGISTERED, ("kind",), f"there is no kind {kind_name} in {api_version}", template)
    if (group, kind_name) in SUCCESSORS:
        since, remedy = SUCCESSORS[group, kind_name]
        message = f"{kind_name} is gone since Kubernetes {since}"
        return Problem(Stage.NOT_REGISTERED, ("kind",), message, remedy)
    known = [name for known_group, name in kinds() if known_group == group]
    other_case = next((name for name in known if name.lower() == kind_name.lower()), None)
    message = f"there is no kind {kind_name} in {api_version}"
    if other_case and group in _CLOSED_GROUPS:
        return Problem(Stage.NOT_REGISTERED, ("kind",), message, f"write `{other_case}`: upper and lower case matter")
    if group != DRA:
        return _wrong_group(group, kind_name, message, release, known)
    elsewhere = next((kind for kind in kinds().values() if kind.name == kind_name), None)
    if elsewhere:
        return Problem(
            Stage.NOT_REGISTERED, ("apiVersion",), message, f"{kind_name} is in {elsewhere.understood(release)}"
        )
    near = nearest_word(kind_name, known)
    remedy = f"did you mean {near}?" if near else f"its kinds are {', '.join(sorted(known))}"
    return Problem(Stage.NOT_REGISTERED, ("kind",), message, remedy)


def _wrong_group(group: str, kind_name: str, message: str, release: str, known: Sequence[str]) -> Problem | None:
    """A kind that dractl knows, in another group of Kubernetes itself or in one misspelt: `v1 Deployment`.

    Or one misspelt in the right group: nearly one of those that are `known` there.
    """
    right = next((kind for kind in kinds().values() if kind.name == kind_name), None)
    if right is None:
        meant = nearest(kind_name, known) if group in _CLOSED_GROUPS else ""
        return Problem(Stage.NOT_REGISTERED, ("kind",), message, f"did you mean {meant}?") if meant else None
    is_core = not right.group and group == "core"
    if group not in _CLOSED_GROUPS and not is_core and not nearest(group, [right.group]):
        return None
    return Problem(Stage.NOT_REGISTERED, ("apiVersion",), message, f"{kind_name} is in {right.understood(release)}")


def _skipped_name(api_version: str, kind_name: str) -> str:
    group, _ = group_and_version(api_version)
    same_name = any(name == kind_name for _, name in kinds())
    return f"{kind_name}.{group}" if same_name else kind_name


# --- its fields ------------------------------------------------------------------------------------------------------


def _read(
    data: Mapping[str, Any], kind: Kind, version: Version, notation: Notation, namespace: str, has_fractions: bool
) -> Decoded:
    read: Any = data
    problems: list[Problem] = []
    if has_fractions or not is_clean(data, version.shape):
        read, problems = walk(data, version.shape, notation)
    name, written_namespace = _named(data)
    full_namespace = (written_namespace or namespace) if kind.is_namespaced else ""
    if not name and not any(_is_about_name(problem) for problem in problems):
        problems.append(_nameless())
    problems += _unrendered_names(data)
    value = _with_namespace(_current(read, version), full_namespace) if read is not None else None
    is_whole = all(problem.stage in (Stage.STRICT, Stage.OURS) for problem in problems)
    return Decoded(
        kind.name,
        f"{kind.group}/{version.name}" if kind.group else version.name,
        name,
        full_namespace,
        value if is_whole else None,
        value if not is_whole else None,
        _with_remedies(problems, kind.name),
    )


def _is_about_name(problem: Problem) -> bool:
    """Whether the name may be missing because of this: something is wrong there, or the field is misspelt."""
    if problem.path[:2] in (("metadata",), ("metadata", "name")):
        return True
    return len(problem.path) == 1 and bool(nearest_word(str(problem.path[0]), ["metadata"]))


def _nameless() -> Problem:
    return Problem(
        Stage.OURS,
        ("metadata",),
        "metadata.name is missing",
        "every object needs a name or a generateName",
        at_key=True,
    )


def lost_indentation(data: Mapping[str, Any], problems: Iterable[Problem]) -> Problem | None:
    """The one mistake behind many: every line stands at the left edge, as text copied from a web page may.

    Then `metadata` and `spec` are empty, and what belongs below them is beside them.
    """
    empty = [field for field in ("metadata", "spec") if field in data and data[field] is None]
    strays = [problem.path[0] for problem in problems if problem.stage is Stage.STRICT and len(problem.path) == 1]
    if not empty or len(strays) < _MANY:
        return None
    message = (
        f"the indentation is lost: nothing is below `{'` and `'.join(empty)}`, and {len(strays)} fields that belong "
    )
    return Problem(
        Stage.STRICT,
        (empty[0],),
        f"{message}further in stand at the left edge",
        "indent what belongs below a key by two spaces more than the key",
        at_key=True,
    )


def _unrendered_names(data: Mapping[str, Any]) -> Iterator[Problem]:
    """A template's expression in quotes is sound YAML and a name all the same that no object can have."""
    metadata = data.get("metadata")
    for field in ("name", "generateName", "namespace"):
        text = metadata.get(field) if isinstance(metadata, dict) else None
        remedy = remedies.for_text(text)
        if remedy:
            yield Problem(Stage.OURS, ("metadata", field), f'"{text}" is not a name', remedy)


def _current(read: Any, version: Version) -> Any:
    value: Any = with_defaults(to_api(read, version.type))
    return value if version.to_current is None else version.to_current(value)


def _with_namespace(value: Any, namespace: str) -> Any:
    """The namespace that was meant; what a cluster-wide object names is cleared, as the API server does."""
    metadata: ObjectMeta = value.metadata
    return value if metadata.namespace == namespace else replace(value, metadata=replace(metadata, namespace=namespace))


def with_generated_name(value: Any, index: int) -> Any:
    """An object of which only `generateName` is given, named: an index takes the place of the random suffix."""
    metadata: ObjectMeta = value.metadata
    name = f"{metadata.generateName[:_LONGEST_BASE]}{index}"
    return replace(value, metadata=replace(metadata, name=name))
