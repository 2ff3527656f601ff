"""`.dractl.yaml`: defaults for options, and findings to leave out. Found upwards from the working directory."""

import difflib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from dractl.errors import BadInput, Fault, Origin, Place, path_text
from dractl.manifests import Source

if TYPE_CHECKING:
    from dractl.observe.lint import Suppression

NAME: Final = ".dractl.yaml"


class Config(Struct, frozen=True):
    """`defaults` are values of options by their parameter's name; `source` is the file, to look up lines in."""

    defaults: Mapping[str, Any]
    ignored: tuple["Suppression", ...] = ()
    folder: Path | None = None
    source: Source | None = None

    def relative(self, file: str) -> str:
        """The name of a file as patterns in the configuration mean it: from the configuration's folder."""
        if self.folder is None:
            return file
        path = Path(file).resolve()
        return path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else path.as_posix()


def find_config(start: Path) -> Config:
    """The configuration of the nearest folder that has one; an empty one where none has. Raises BadInput."""
    folder = start.resolve()
    for each in (folder, *folder.parents):
        file = each / NAME
        if file.is_file():
            return read_config(file, start)
    return Config({})


def read_config(file: Path, start: Path) -> Config:
    """What the file says. Raises BadInput with everything that is wrong with it."""
    name = str(file.relative_to(start)) if file.is_relative_to(start) else str(file)
    try:
        source = Source(name, file.read_bytes())
    except OSError as error:
        raise BadInput([Fault(f"cannot be read: {error.strerror or error}", file=name)]) from None
    reader = _Reader(source)
    config = Config(dict(reader.defaults()), tuple(reader.ignored()), file.parent, source)
    if reader.faults:
        raise BadInput(reader.faults)
    return config


class _Reader:
    """The one document of the file, field by field."""

    def __init__(self, source: Source) -> None:
        from dractl.manifests import Locator
        from dractl.manifests.document import read_document
        from dractl.manifests.source import decode, split

        self.faults: list[Fault] = []
        self._locator: Final = Locator([source])
        self._place = Place(Origin(source.name))
        self._data: Mapping[str, Any] = {}
        documents = split(source.name, decode(source))
        if len(documents) > 1:
            self.faults.append(Fault("holds more than one document", "write one", file=source.name))
        for document in documents[:1]:
            tree = read_document(document)
            self.faults += tree.faults
            self._place = Place(document.origin)
            if isinstance(tree.value, dict):
                self._data = tree.value
            elif tree.value is not None:
                self._wrong((), "must be a mapping", "write for example `failOn: warning`")
        for key in self._data:
            if key not in _FIELDS:
                close = difflib.get_close_matches(str(key), _FIELDS, n=1)
                known = f"did you mean {close[0]}?" if close else f"known are {', '.join(_FIELDS)}"
                self._wrong((key,), "there is no such setting", known)

    def defaults(self) -> Iterator[tuple[str, Any]]:
        """The options that have a default, as text the way the command line has it."""
        for field, (parameter, read) in _DEFAULTS.items():
            if self._data.get(field) is not None:
                value = read(self._data[field])
                if value is None:
                    self._wrong((field,), f"{self._data[field]!r} cannot be used", _EXAMPLES[field])
                else:
                    yield parameter, value

    def ignored(self) -> Iterator["Suppression"]:
        """The entries of `ignore`."""
        entries = self._data.get("ignore") or []
        if not isinstance(entries, list):
            self._wrong(("ignore",), "must be a list", _EXAMPLES["ignore"])
            return
        for number, entry in enumerate(entries):
            found = self._entry(entry, number)
            if found is not None:
                yield found

    def _entry(self, entry: Any, number: int) -> "Suppression | None":
        from dractl.observe.lint import Suppression

        place = self._place.at("ignore", number)
        if isinstance(entry, str):
            return Suppression(entry, place)
        if not isinstance(entry, dict) or not isinstance(entry.get("rule"), str):
            self._wrong(("ignore", number), "names no rule", _EXAMPLES["ignore"])
            return None
        for key in entry:
            if key not in _ENTRY_FIELDS:
                self._wrong(("ignore", number, key), "there is no such field", f"known are {', '.join(_ENTRY_FIELDS)}")
        paths, objects = _texts(entry.get("paths")), _texts(entry.get("objects"))
        if paths is None or objects is None:
            self._wrong(("ignore", number), "paths and objects must be lists of patterns", _EXAMPLES["ignore"])
            return None
        return Suppression(entry["rule"], place, paths, objects)

    def _wrong(self, path: tuple[str | int, ...], message: str, remedy: str) -> None:
        place = self._place.key_at(*path)
        position = self._locator.locate(place)
        name = place.origin.file
        self.faults.append(Fault(message, remedy, file=name, place=place, position=position, field=path_text(path)))


def _release(value: Any) -> str | None:
    """`"1.37"`, or 1.37 as YAML reads it."""
    return str(value) if isinstance(value, str | float) and not isinstance(value, bool) else None


def _gates(value: Any) -> str | None:
    """The text of `--feature-gates`, or a mapping of names to booleans."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and all(isinstance(state, bool) for state in value.values()):
        return ",".join(f"{name}={str(state).lower()}" for name, state in value.items())
    return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _severity(value: Any) -> str | None:
    return value if value in ("never", "error", "warning", "info") else None


def _texts(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    return None


_DEFAULTS: Final[Mapping[str, tuple[str, Callable[[Any], Any]]]] = {
    "kubernetesVersion": ("kubernetes_version", _release),
    "featureGates": ("feature_gates", _gates),
    "namespace": ("namespace", _text),
    "failOn": ("fail_on", _severity),
}
"""Settings that are the default of an option of every command that has it."""

_FIELDS: Final = (*_DEFAULTS, "ignore")
_ENTRY_FIELDS: Final = ("rule", "paths", "objects", "reason")
_EXAMPLES: Final = {
    "kubernetesVersion": 'write kubernetesVersion: "1.37"',
    "featureGates": "write featureGates: {DRAListTypeAttributes: true}, or featureGates: Defaults",
    "namespace": "write the name of a namespace",
    "failOn": "write never, error, warning or info",
    "ignore": "write for example `- {rule: DRA101, paths: [examples], reason: the driver is installed later}`",
}
