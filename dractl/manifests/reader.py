"""From input files to typed objects: every fault of every file together, skipped kinds, and findings."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from dractl.api.core import Namespace
from dractl.api.identities import NAMELESS, ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pause import collector_paused
from dractl.errors import BadInput, Fault, FieldPath, Place, path_text
from dractl.finding import Finding, Severity
from dractl.manifests.compose import TEXT_AFTER_END
from dractl.manifests.decode import Decoded, decode_object, lost_indentation, with_generated_name
from dractl.manifests.document import read_document
from dractl.manifests.foreign import is_foreign
from dractl.manifests.kinds import kinds
from dractl.manifests.locate import Locator
from dractl.manifests.not_served import served_findings
from dractl.manifests.remedies import describe, for_no_list
from dractl.manifests.served import NEWEST_RELEASE
from dractl.manifests.source import Document, Source, decode, split
from dractl.manifests.syntax import RENDER_FIRST
from dractl.manifests.tree import Tree
from dractl.manifests.walk import Problem


class Skipped(Struct, frozen=True):
    """An object of a kind that dractl does not need, or, without a kind, a document that is no Kubernetes object."""

    ref: ObjectRef = NAMELESS

    @property
    def kind(self) -> str:
        """The kind as it is counted."""
        return self.ref.kind


class Clash(Struct, frozen=True):
    """Another object of a name that one in another file has already."""

    again: Sourced[Any]
    fault: Fault


class Reading(Struct, frozen=True):
    """What the input holds. `faults` and `clashes` are empty in what `read` returns.

    `flawed` are objects with faults that let the rest of them be looked at: unknown fields, a missing name. `partial`
    are those of which some values had to be guessed: good for finding their other faults and for nothing else. `unread`
    are all that are in the input and not, or not whole, among `objects`; kind and name are empty where none is known.
    """

    objects: ObjectSet
    skipped: tuple[Skipped, ...] = ()
    findings: tuple[Finding, ...] = ()
    faults: tuple[Fault, ...] = ()
    flawed: tuple[Sourced[Any], ...] = ()
    unread: frozenset[ObjectRef] = frozenset()
    clashes: tuple[Clash, ...] = ()
    partial: tuple[Sourced[Any], ...] = ()


def read(sources: Sequence[Source], *, default_namespace: str = "default") -> Reading:
    """All objects of the files, in the current version and with defaults (reading.md; validation.md §1, stages 1-5).

    Lists are taken apart, empty documents left out, kinds that dractl does not need skipped and named. Objects that
    name no namespace are put into `default_namespace`; one with only a `generateName` gets an index for a suffix.

    Raises BadInput with every fault of every file, in the order of the files.
    """
    reading = survey(sources, default_namespace=default_namespace)
    faults = (*reading.faults, *(clash.fault for clash in reading.clashes))
    if faults:
        raise BadInput(faults)
    return reading


def survey(sources: Sequence[Source], *, default_namespace: str = "default", release: str = NEWEST_RELEASE) -> Reading:
    """Like `read`, but faults are part of what is returned, beside the objects that can be read.

    `release` is that of the cluster: dractl reads the same versions whatever it is, but not every one serves them.
    """
    reader = _Reader(sources, default_namespace, release)
    with collector_paused():
        for source in sources:
            reader.read_source(source)
    return reader.reading()


class _Reader:
    def __init__(self, sources: Sequence[Source], default_namespace: str, release: str) -> None:
        self._namespace = default_namespace
        self._release = release
        self._locator = Locator(sources)
        self._objects: list[Sourced[Any]] = []
        self._flawed: list[Sourced[Any]] = []
        self._partial: list[Sourced[Any]] = []
        self._unread: set[ObjectRef] = set()
        self._templates: set[str] = set()
        self._nameless: list[int] = []
        self._first: dict[ObjectRef, Sourced[Any]] = {}
        self._skipped: list[Skipped] = []
        self._findings: list[Finding] = []
        self._faults: list[Fault] = []
        self._clashes: list[Clash] = []

    def reading(self) -> Reading:
        """Everything that was found so far."""
        self._name_the_nameless()
        return Reading(
            ObjectSet(self._objects),
            tuple(self._skipped),
            (*self._findings, *served_findings(self._objects, self._release)),
            tuple(self._faults),
            tuple(self._flawed),
            frozenset(self._unread),
            tuple(self._clashes),
            tuple(self._partial),
        )

    def read_source(self, source: Source) -> None:
        """Read one file; its faults are put in the order of its lines."""
        before = len(self._faults)
        self._read_documents(source)
        self._faults[before:] = sorted(self._faults[before:], key=_line_and_column)

    def _read_documents(self, source: Source) -> None:
        try:
            text = decode(source)
        except BadInput as error:
            self._faults += error.faults
            self._unread.add(NAMELESS)
            return
        for document in split(source.name, text):
            if document.bad_separator:
                self._bad_separator(document)
            tree = read_document(document)
            self._add_text_faults(tree)
            if tree.faults:
                self._unread.add(NAMELESS)
            if is_foreign(tree.value):
                self._skipped.append(Skipped())
                continue
            self._findings += tree.findings
            before = len(self._faults)
            if tree.value is not None:
                self._read_tree(tree)
            if len(self._faults) > before:
                self._add_lost_text(tree)

    def _add_lost_text(self, tree: Tree) -> None:
        """What a faulty object lacks may stand behind its document's end: then that is a part of what is wrong."""
        for finding in tree.findings:
            if finding.rule == TEXT_AFTER_END:
                self._add_fault(tree, (), Fault(finding.message, finding.remedy))

    def _bad_separator(self, document: Document) -> None:
        self._faults.append(
            Fault(
                f"`---` separates documents, and only a comment may follow it: {document.bad_separator!r}",
                "put the text into the next line",
                file=document.origin.file,
                position=document.position(-1, 0, 3),
            )
        )

    def _read_tree(self, tree: Tree) -> None:
        """Every object of a document; an explicit stack, because lists may be nested as deep as anyone likes."""
        waiting: list[tuple[Any, FieldPath]] = [(tree.value, ())]
        while waiting:
            data, path = waiting.pop()
            if data is None and path:
                continue
            if not isinstance(data, dict):
                self._no_object(tree, data, path)
            elif isinstance(data.get("items"), list):
                waiting += reversed(
                    [(_typed_item(item, data), (*path, "items", i)) for i, item in enumerate(data["items"])]
                )
            elif not _is_list(data):
                self._read_object(tree, data, path)
            elif data.get("items") is not None:
                fault = Fault(f"must be a list, but is {describe(data['items'])}", for_no_list(tree.document.notation))
                self._unread.add(NAMELESS)
                self._add_fault(tree, (*path, "items"), fault)

    def _no_object(self, tree: Tree, data: Any, path: FieldPath) -> None:
        self._unread.add(NAMELESS)
        remedy = "take the list's items apart with `---`, or put them below `items:` of a `kind: List`"
        if tree.document.text.lstrip().startswith("["):
            remedy = 'put the list into an object: {"apiVersion": "v1", "kind": "List", "items": [ ]}'
        self._add_fault(
            tree,
            path,
            Fault(
                f"an object with apiVersion and kind is expected, but here is {describe(data)}",
                remedy if isinstance(data, list) else "",
            ),
        )

    def _read_object(self, tree: Tree, data: dict[str, Any], path: FieldPath) -> None:
        decoded = decode_object(
            data,
            tree.document.notation,
            default_namespace=self._namespace,
            release=self._release,
            has_fractions=tree.has_fractions,
        )
        place = Place(tree.document.origin, path)
        if decoded.problems:
            self._unread.add(self._ref_of(decoded))
        lost = lost_indentation(data, decoded.problems)
        if lost is not None:
            self._add_problem(tree, path, decoded, lost)
            return
        for problem in decoded.problems:
            self._add_problem(tree, path, decoded, problem)
        ref = ObjectRef(decoded.kind, decoded.namespace, decoded.name)
        if decoded.rest is not None:
            self._partial.append(Sourced(decoded.rest, ref, place, decoded.version))
        elif decoded.value is not None:
            sourced = Sourced(decoded.value, ref, place, decoded.version)
            if decoded.problems:
                self._flawed.append(sourced)
            else:
                self._add_object(sourced)
        elif not decoded.problems:
            self._skipped.append(Skipped(self._written_ref(decoded.kind, data)))

    def _written_ref(self, kind: str, data: dict[str, Any]) -> ObjectRef:
        """The name of an object of a kind that is not decoded, whether or not the kind has namespaces."""
        metadata = data.get("metadata")
        written = metadata if isinstance(metadata, dict) else {}
        return ObjectRef(kind, str(written.get("namespace") or self._namespace), str(written.get("name") or ""))

    def _ref_of(self, decoded: Decoded) -> ObjectRef:
        """What is known of an object with problems; one that is refused early does not yet have its namespace."""
        meant = [kind for kind in kinds().values() if kind.name == decoded.kind]
        if not meant:
            return NAMELESS
        is_namespaced = any(kind.is_namespaced for kind in meant)
        namespace = (decoded.namespace or self._namespace) if is_namespaced else ""
        return ObjectRef(decoded.kind, namespace, decoded.name)

    def _add_text_faults(self, tree: Tree) -> None:
        """A template is told once for each file, however many of its documents show it."""
        for fault in tree.faults:
            if fault.remedy != RENDER_FIRST:
                self._faults.append(fault)
            elif fault.file not in self._templates:
                self._templates.add(fault.file)
                self._faults.append(fault)

    # --- faults --------------------------------------------------------------------------------------------------

    def _add_problem(self, tree: Tree, path: FieldPath, decoded: Decoded, problem: Problem) -> None:
        name = f"{decoded.namespace}/{decoded.name}" if decoded.namespace and decoded.name else decoded.name
        message = problem.message
        if problem.read_as:
            written = self._locator.text_at(Place(tree.document.origin, path + problem.path))
            message = message.replace(problem.read_as, written or problem.read_as, 1)
        fault = Fault(
            message,
            problem.remedy,
            subject=" ".join(filter(None, [decoded.kind, name])),
            field=path_text(problem.path),
        )
        self._add_fault(tree, path + problem.path, fault, at_key=problem.at_key)

    def _add_fault(self, tree: Tree, path: FieldPath, fault: Fault, *, at_key: bool = False) -> None:
        place = Place(tree.document.origin, path, is_key=at_key)
        position = self._locator.locate(place)
        self._faults.append(
            Fault(
                fault.message,
                fault.remedy,
                file=place.origin.file,
                place=place,
                position=position,
                subject=fault.subject,
                field=fault.field,
            )
        )

    def _repeated(self, again: Sourced[Any]) -> None:
        """The same object once more: fine if it says the same. That several examples bring one Namespace is usual."""
        first = self._first[again.ref]
        at = self._locator.locate(first.place.at("metadata", "name"))
        where = f"{first.place.origin.file}:{at.line}" if at else first.place.origin.file
        place, ref = again.place, again.ref
        if again.object == first.object:
            if isinstance(again.object, Namespace):
                return
            message = f"says the same as at {where}: taken once"
            self._findings.append(Finding("reading/repeated", Severity.INFO, message, place, str(ref)))
            return
        self._unread.add(ref)
        fault = Fault(
            f"another object of this name stands at {where} already",
            "leave one of the two out, or give it another name or namespace",
            file=place.origin.file,
            place=place.at("metadata", "name"),
            position=self._locator.locate(place.at("metadata", "name")),
            subject=str(ref),
            field="metadata.name",
        )
        if place.origin.file == first.place.origin.file:
            self._faults.append(fault)
        else:
            self._clashes.append(Clash(again, fault))

    # --- objects -------------------------------------------------------------------------------------------------

    def _add_object(self, sourced: Sourced[Any]) -> None:
        if not sourced.metadata.name:
            self._nameless.append(len(self._objects))
        elif sourced.ref in self._first:
            self._repeated(sourced)
            return
        else:
            self._first[sourced.ref] = sourced
        self._objects.append(sourced)

    def _name_the_nameless(self) -> None:
        """Objects with a `generateName` alone: the smallest index that gives a free name, in input order."""
        next_index: dict[ObjectRef, int] = {}
        for at in self._nameless:
            sourced = self._objects[at]
            index = next_index.get(sourced.ref, 0)
            while True:
                value = with_generated_name(sourced.object, index)
                ref = ObjectRef(sourced.ref.kind, sourced.ref.namespace, value.metadata.name)
                index += 1
                if ref not in self._first:
                    break
            next_index[sourced.ref] = index
            self._objects[at] = Sourced(value, ref, sourced.place, sourced.version)
            self._first[ref] = self._objects[at]
        self._nameless.clear()


def _line_and_column(fault: Fault) -> tuple[int, int]:
    return (fault.position.line, fault.position.column) if fault.position else (0, 0)


def _is_list(data: dict[str, Any]) -> bool:
    """Whether this is a `List` or the list of a kind, although its items are missing or wrong."""
    kind = data.get("kind")
    return kind == "List" or (isinstance(kind, str) and kind.endswith("List") and "items" in data)


def _typed_item(item: Any, within: dict[str, Any]) -> Any:
    """An item of a typed list (`ResourceSliceList`) may lack kind and version: then it has those of the list."""
    kind = within.get("kind")
    if not isinstance(item, dict) or item.get("kind") or not isinstance(kind, str) or kind == "List":
        return item
    return {**item, "apiVersion": within.get("apiVersion"), "kind": kind.removesuffix("List")}
