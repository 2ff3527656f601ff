"""YAML text to plain data, by ruamel.yaml's C parser and Kubernetes' own rules (reading.md).

Here are keys, anchors, merges, tags and their faults; what a scalar means is in `scalars`.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from dractl.errors import Position
from dractl.finding import Finding, Severity
from dractl.manifests import scalars
from dractl.manifests.aliases import AliasBudget
from dractl.manifests.source import Document, unprintable
from dractl.manifests.syntax import first_place, position_at, template_fault, yaml_fault
from dractl.manifests.tree import Marks, Tree, place_of

TEXT_AFTER_END: Final = "reading/text-after-end"
"""Of the finding that says what stands behind the end of a document and is ignored."""

_INNER_COLON: Final = re.compile(r"!\S+|(?<=[^\s\"'\[\]{},]):(?=\S)")
_COLON_FAULT: Final = "found unexpected ':'"
_ESCAPE: Final = re.compile(r"\\.")
_NO_KEY: Final = object()
_OPEN: Final = object()
_MERGE: Final = object()
_MERGE_TAG: Final = "tag:yaml.org,2002:merge"
_DEEPEST: Final = 10_000
_MOST_RETRIES: Final = 50


def read_yaml(document: Document, *, positions: bool = False) -> Tree:
    """The first YAML document of the text, as the API server reads it; what follows a `...` is a finding.

    Never raises for bad text: the faults are in the tree, and a broken document has no value.
    """
    wrong = unprintable(document.text)
    if wrong:
        tree = Tree(document)
        tree.fault(f"the character {wrong[1]} is not allowed in YAML", position_at(document, wrong[0]))
        return tree
    tree = _compose(document, positions)
    if tree.faults:
        template = template_fault(document)
        if template:
            tree.faults, tree.value = [template], None
    return tree


def _compose(document: Document, positions: bool) -> Tree:
    from ruamel.yaml.error import MarkedYAMLError

    shielded, shield = document.text, ""
    for attempt in range(_MOST_RETRIES):
        tree = Tree(document)
        composer = _Composer(tree, shield, positions)
        try:
            composer.run(shielded)
        except MarkedYAMLError as error:
            if error.problem == _COLON_FAULT and attempt + 1 < _MOST_RETRIES:
                shield = shield or _unused_character(document.text)
                shielded = _shield(shielded, shield, error.problem_mark.index, everywhere=attempt == 0)
                continue
            composer.tell_repeated_so_far()
            tree.value = None
            tree.faults.append(yaml_fault(document, error))
        return tree
    raise AssertionError("the loop returns in its last round")


def _unused_character(text: str) -> str:
    return next(character for character in map(chr, range(0xE000, 0xF8FF)) if character not in text)


def _shield(text: str, shield: str, index: int, *, everywhere: bool) -> str:
    """Hide colons that belong to a plain scalar inside `[ ]` or `{ }`.

    Kubernetes' reader takes them (`{image: ubuntu:22.04}`), the C parser does not. The stand-in has the same width, so
    that positions stay true, and is taken back out of every scalar.
    """
    if not everywhere:
        return text[:index] + shield + text[index + 1 :]
    return _INNER_COLON.sub(lambda found: shield if found[0] == ":" else found[0], text)


class _Frame:
    """A map or list that is being filled."""

    __slots__ = ("anchor", "event", "key", "key_event", "key_events", "marks", "merged", "repeated", "value")

    def __init__(self, value: Any, event: Any, positions: bool) -> None:
        self.value = value
        self.event = event
        self.anchor = event.anchor
        self.key: Any = _NO_KEY
        self.key_event: Any = None
        self.key_events: dict[str, Any] = {}
        self.repeated: list[tuple[str, Any]] = []
        self.merged: dict[str, Any] = {}
        self.marks: Marks | None = {} if positions else None


class _Composer:
    """Fills one tree from the parser's events."""

    def __init__(self, tree: Tree, shield: str, positions: bool) -> None:
        self._tree = tree
        self._shield = shield
        self._positions = positions
        tree.position_of = self._at
        self._anchors: dict[str, Any] = {}
        self._budget = AliasBudget()
        self._stack: list[_Frame] = []
        self._plain: dict[str, Any] = {}
        self._plain_keys: dict[str, str] = {}
        self._is_stopped = False

    def run(self, text: str) -> None:
        """Read the first document; raises ruamel's MarkedYAMLError for broken text."""
        from ruamel.yaml import events
        from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]

        next_event: Callable[[], Any] = CParser(text).get_event
        step_of: dict[type, Callable[[Any], None] | None] = {
            events.StreamStartEvent: _ignore,
            events.DocumentStartEvent: self._start_document,
            events.ScalarEvent: self._scalar,
            events.MappingStartEvent: self._start_map,
            events.SequenceStartEvent: self._start_list,
            events.MappingEndEvent: self._end,
            events.SequenceEndEvent: self._end,
            events.AliasEvent: self._alias,
            events.DocumentEndEvent: None,
            events.StreamEndEvent: None,
        }
        while True:
            event = next_event()
            step = step_of[type(event)]
            if step is None:
                break
            step(event)
            if self._is_stopped:
                self._tree.value = None
                return
        self._look_behind(next_event)

    def tell_repeated_so_far(self) -> None:
        """The keys that stand twice in maps that a fault of the text leaves open."""
        while self._stack:
            self._tell_repeated(self._stack.pop())

    def _look_behind(self, next_event: Callable[[], Any]) -> None:
        """The server and kubectl ignore what stands behind the first document, broken or not: say so."""
        from ruamel.yaml.error import MarkedYAMLError

        try:
            event = next_event()
            mark = event.start_mark if type(event).__name__ == "DocumentStartEvent" else None
        except MarkedYAMLError as error:
            mark = error.problem_mark
        if mark is None:
            return
        line = self._tree.document.position(mark.line, mark.column).line
        what = f"everything from line {line} to the next `---` is ignored"
        lines = self._tree.document.text.splitlines()
        has_dots = mark.line > 0 and lines[mark.line - 1].rstrip() == "..."
        if has_dots:
            what = f"{what}: `...` in the line above ends the document"
            remedy = "put back what `...` stands for, or separate documents with `---`"
        else:
            what, remedy = f"{what}: the document has ended above", "separate documents with `---`"
        self._tree.findings.append(
            Finding(TEXT_AFTER_END, Severity.WARNING, what, place_of(self._tree.document), remedy=remedy)
        )

    # --- events --------------------------------------------------------------------------------------------------

    def _start_document(self, event: Any) -> None:
        if event.version and tuple(event.version) != (1, 1):
            self._tree.fault(
                f"YAML {event.version[0]}.{event.version[1]} is not what Kubernetes reads",
                self._at(event),
                "take the %YAML line out",
            )

    def _scalar(self, event: Any) -> None:
        frame = self._stack[-1] if self._stack else None
        if frame is not None and frame.key is _NO_KEY and type(frame.value) is dict:
            self._set_key(frame, event)
            return
        value = self._value_of(event)
        if event.anchor:
            self._anchors[event.anchor] = value
        self._attach(value, event)

    def _start_map(self, event: Any) -> None:
        self._push(_Frame({}, event, self._positions))

    def _start_list(self, event: Any) -> None:
        self._push(_Frame([], event, self._positions))

    def _push(self, frame: _Frame) -> None:
        if len(self._stack) == _DEEPEST:
            self._tree.fault(f"nested deeper than {_DEEPEST} levels", self._at(frame.event))
            self._is_stopped = True
        if frame.anchor:
            self._anchors[frame.anchor] = _OPEN
        if frame.event.tag:
            self._note_tag(frame.event)
        self._stack.append(frame)

    def _end(self, _event: Any) -> None:
        frame = self._stack.pop()
        if frame.repeated:
            self._tell_repeated(frame)
        if frame.anchor:
            self._anchors[frame.anchor] = frame.value
        if frame.marks is not None:
            self._tree.marks[id(frame.value)] = frame.marks
        self._attach(frame.value, frame.event)

    def _alias(self, event: Any) -> None:
        name = event.anchor
        if name not in self._anchors:
            self._no_value(f"*{name} refers to nothing: no &{name} stands above it", event, len(name) + 1)
            value = None
        elif self._anchors[name] is _OPEN:
            self._no_value(f"*{name} stands inside &{name}: a value contains itself", event, len(name) + 1)
            value = None
        else:
            value = self._anchors[name]
            self._budget.expand(value)
            self._is_stopped = self._budget.is_exceeded
            if self._is_stopped:
                self._tree.fault(
                    "too many aliases: nearly all of the document is made of repetitions",
                    self._at(event, len(name) + 1),
                    "write the repeated parts out",
                )
        self._attach(value, event)

    # --- keys and values -----------------------------------------------------------------------------------------

    def _attach(self, value: Any, event: Any) -> None:
        self._budget.nodes += 1
        if not self._stack:
            self._tree.value = value
            self._tree.root = event
            return
        frame = self._stack[-1]
        if type(frame.value) is list:
            if frame.marks is not None:
                frame.marks[len(frame.value)] = (event, event)
            frame.value.append(value)
        elif frame.key is _NO_KEY:
            self._complex_key(frame, value, event)
        elif frame.key is _MERGE:
            self._merge(frame, value, event)
            frame.key = _NO_KEY
        else:
            self._put(frame, frame.key, value, event)
            frame.key = _NO_KEY

    def _set_key(self, frame: _Frame, event: Any) -> None:
        self._budget.nodes += 1
        frame.key_event = event
        text = event.value.replace(self._shield, ":") if self._shield else event.value
        self._look_at_escapes(event)
        is_plain = not event.style and event.tag is None
        if is_plain and text in self._plain_keys:
            key = self._plain_keys[text]
        elif (is_plain and text == "<<") or event.tag == _MERGE_TAG:
            frame.key = _MERGE
            return
        else:
            key = self._new_key(event, text, is_plain)
        if event.anchor:
            self._anchors[event.anchor] = key
        frame.key = key

    def _new_key(self, event: Any, text: str, is_plain: bool) -> str:
        try:
            if not is_plain:
                return scalars.key_text(self._tagged(event, text) if event.tag else text)
            self._plain_keys[text] = scalars.plain_key(text)
            return self._plain_keys[text]
        except scalars.ScalarFault as error:
            self._tree.fault(f"not a key: {error}", self._at(event, len(text)), "put the key in quotes")
            return text

    def _complex_key(self, frame: _Frame, value: Any, event: Any) -> None:
        try:
            frame.key = scalars.key_text(value)
        except scalars.ScalarFault as error:
            self._tree.fault(f"not a key: {error}", self._at(event))
            frame.key = f"<{event.start_mark.line}:{event.start_mark.column}>"
        frame.key_event = event

    def _put(self, frame: _Frame, key: str, value: Any, event: Any) -> None:
        if key in frame.key_events:
            frame.repeated.append((key, frame.key_event))
        elif key in frame.merged:
            self._note_overlap(key, self._at(frame.key_event, len(key)))
        else:
            frame.key_events[key] = frame.key_event
        frame.value[key] = value
        if frame.marks is not None:
            frame.marks[key] = (frame.key_event, event)

    def _merge(self, frame: _Frame, value: Any, event: Any) -> None:
        """`<<`: the maps' entries, those of a list from its end; a key that is there already is overwritten."""
        sources = value[::-1] if isinstance(value, list) else [value]
        if not all(isinstance(source, dict) for source in sources):
            self._tree.fault("`<<` merges a map or a list of maps, and this is neither", self._at(event))
            return
        for source in sources:
            marks = self._tree.marks.get(id(source), {})
            for key, merged in source.items():
                if key in frame.value:
                    self._note_overlap(key, self._at(frame.key_event, 2))
                frame.merged[key] = merged
                frame.value[key] = merged
                if frame.marks is not None and key in marks:
                    frame.marks[key] = marks[key]

    def _value_of(self, event: Any) -> Any:
        text = event.value
        self._look_at_escapes(event)
        if self._shield:
            text = text.replace(self._shield, ":")
        if event.tag is not None:
            return self._tagged(event, text)
        if event.style:
            return text
        try:
            return self._plain[text]
        except KeyError:
            pass
        try:
            value = self._plain[text] = scalars.plain(text)
        except scalars.ScalarFault as error:
            self._no_value(str(error), event)
            return None
        return value

    def _tagged(self, event: Any, text: str) -> Any:
        self._note_tag(event)
        try:
            return scalars.tagged(event.tag, text)
        except scalars.ScalarFault as error:
            self._no_value(str(error), event)
            return None

    def _look_at_escapes(self, event: Any) -> None:
        r"""Kubernetes' reader knows the escapes of YAML 1.1: the parser takes `\/`, which is not one of them."""
        if event.style != '"' or "/" not in event.value:
            return
        written = self._tree.document.text[event.start_mark.index : event.end_mark.index]
        if "\\/" in _ESCAPE.findall(written):
            self._tree.fault(r"`\/` is no escape in YAML", self._at(event), "write the slash alone")

    # --- findings and positions ----------------------------------------------------------------------------------

    def _note_tag(self, event: Any) -> None:
        if event.tag == "!" or not scalars.is_ignored_tag(event.tag):
            return
        line = self._at(event).line
        self._tree.findings.append(
            Finding(
                "reading/local-tag",
                Severity.WARNING,
                f"Kubernetes ignores the tag {event.tag} in line {line}; what it tags is taken as it is written",
                place_of(self._tree.document, self._path()),
                remedy="take the tag out, or render the file with the tool that the tag is for",
            )
        )

    def _note_overlap(self, key: str, at: Position) -> None:
        self._tree.findings.append(
            Finding(
                "reading/merge-overlap",
                Severity.WARNING,
                f"the key {key!r} comes from `<<` and a second time (line {at.line}); the later one counts",
                place_of(self._tree.document, (*self._path(), key)),
                remedy="kubectl lets this pass, but the API server refuses such a file",
            )
        )

    def _tell_repeated(self, frame: _Frame) -> None:
        """Keys that stand twice in one map: at the root often because two objects are not separated."""
        if not self._stack and {"apiVersion", "kind"} <= {key for key, _ in frame.repeated}:
            key, event = frame.repeated[0]
            message = "another object begins here, and no `---` separates it from the one above"
            self._tree.fault(message, self._at(event, len(key)), "write `---` into a line of its own above")
            return
        for key, event in frame.repeated:
            first, again = self._at(frame.key_events[key]), self._at(event, len(key))
            self._tree.fault(
                f"the key {key!r} is written twice in one map, first in {first_place(first, again)}",
                again,
                "keep one of the two: kubectl takes the later, the API server refuses both",
            )

    def _no_value(self, message: str, event: Any, length: int = 0) -> None:
        self._tree.fault(message, self._at(event, length), path=self._path())

    def _path(self) -> tuple[str | int, ...]:
        steps: list[str | int] = []
        for frame in self._stack:
            step = len(frame.value) if type(frame.value) is list else frame.key
            if not isinstance(step, str | int):
                break
            steps.append(step)
        return tuple(steps)

    def _at(self, event: Any, length: int = 0) -> Position:
        start, end = event.start_mark, event.end_mark
        if not length:
            length = end.column - start.column if end.line == start.line else 1
        return self._tree.document.position(start.line, start.column, length)


def _ignore(_event: Any) -> None:
    """The start of the stream says nothing."""
