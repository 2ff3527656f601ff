"""From files to objects, with everything that is to be said about them later."""

from collections.abc import Mapping, Sequence

from dractl.api.device_metadata import MetadataFile
from dractl.api.identities import NAMELESS, ObjectRef
from dractl.api.objects import ObjectSet
from dractl.api.scheduler_configuration import SchedulerConfiguration
from dractl.cli.inputs import Inputs
from dractl.cli.machines import machines_of, read_machines, stray_dumps
from dractl.cli.terminal import Terminal
from dractl.cluster.node_machine import NodeMachine
from dractl.errors import BadInput, Fault, Position, UsageError
from dractl.finding import Finding, Severity
from dractl.gates import known_release
from dractl.manifests import Locator, Source, excerpt, survey
from dractl.manifests.device_metadata import is_metadata, read_metadata
from dractl.manifests.scheduler_configuration import KIND as SCHEDULER_KIND
from dractl.manifests.scheduler_configuration import forbidden, read_scheduler_configuration, unserved_claims
from dractl.planner.admission import Admission, admit
from dractl.planner.mistakes import refused_objects
from dractl.planner.settings import Settings
from dractl.report.not_read import NotRead
from dractl.report.view import View
from dractl.topology import KINDS_OF_DUMPS, DumpReading

_READ_ELSEWHERE = frozenset({*KINDS_OF_DUMPS, SCHEDULER_KIND})
"""Kinds that the reader of manifests skips and others read."""


class Loaded:
    """What was read so far. Filled step by step, so that faults of any step can be shown with their lines."""

    def __init__(self) -> None:
        self.inputs = Inputs(())
        self.findings: tuple[Finding, ...] = ()
        self.skipped_kinds: tuple[str, ...] = ()
        self.passed_by: frozenset[ObjectRef] = frozenset()
        """Objects of kinds that dractl does not need."""
        self.skipped_documents = 0
        """How many documents are no Kubernetes objects."""
        self.unread: frozenset[ObjectRef] = frozenset()
        """What is in the input and could not be read, or not whole, or would be refused and so will be changed."""
        self.dumps = DumpReading({})
        self.machines: Mapping[str, NodeMachine] = {}
        self.metadata: tuple[MetadataFile, ...] = ()
        self.admission: Admission | None = None
        self.scheduler_file = ""
        """The file that has to hold the scheduler's configuration, if one was named."""
        self.scheduler = SchedulerConfiguration()

    @property
    def locator(self) -> Locator:
        """Where places stand in the files."""
        return Locator(self.sources)

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every file in which a place may stand: manifests, and dumps that are text."""
        known = {source.name for source in self.inputs.sources}
        dumps = (dump for dump in self.inputs.dumps if dump.name not in known)
        texts = (Source(dump.name, dump.content) for dump in dumps if isinstance(dump.content, bytes))
        return (*self.inputs.sources, *(text for text in texts if b"\0" not in text.content[:1024]))

    @property
    def not_read(self) -> NotRead:
        """What is skipped and counted."""
        return NotRead(
            self.skipped_kinds, self.skipped_documents, self.inputs.unrendered_files, self.inputs.skipped_files
        )

    def faults_text(self, faults: Sequence[Fault], terminal: Terminal) -> str:
        """The faults as the user sees them."""
        from dractl.report.faults import render_faults

        sources = {source.name: source for source in self.sources}
        locator = self.locator

        def line_of(file: str, position: Position) -> str:
            return excerpt(sources[file], position) if file in sources else ""

        return render_faults(faults, View(locator.locate, is_coloured=terminal.colours_remarks), line_of)


def load(loaded: Loaded, settings: Settings, *, default_namespace: str, is_planned: bool = True) -> Admission:
    """Read the objects and let them into an imagined cluster.

    What is to be planned needs an object, and only one of each name; what is not, such as a folder of examples, may
    have none, and others of one name in other files, which is a warning.

    Raises BadInput with all faults of finding, reading and checking, file by file; what could be read is in `loaded`
    all the same. Raises UsageError for gates that no cluster has, and if there is nothing to be planned.
    """
    given = [source for source in loaded.inputs.sources if is_metadata(source)]
    others = [source for source in loaded.inputs.sources if source not in given] if given else loaded.inputs.sources
    reading = survey(others, default_namespace=default_namespace, release=known_release(settings.release))
    metadata = read_metadata(given)
    told = [fault.place for fault in reading.faults if fault.place is not None]
    beside = [*(clash.again for clash in reading.clashes), *reading.partial]
    admission = admit(reading.objects.with_more(reading.flawed), settings, told, beside)
    clashes = [clash.fault for clash in reading.clashes]
    dumps = _read_dumps(loaded, reading.objects, allows_alternatives=not is_planned)
    was_read = loaded.scheduler_file not in {fault.file for fault in loaded.inputs.faults}
    scheduler = read_scheduler_configuration(loaded.inputs.sources, loaded.scheduler_file if was_read else "")
    loaded.scheduler = scheduler.configuration
    faults = [
        *loaded.inputs.faults,
        *reading.faults,
        *(clashes if is_planned else ()),
        *admission.faults,
        *metadata.faults,
        *scheduler.faults,
        *forbidden(scheduler.configuration, admission.gates.enabled),
        *(dumps if not isinstance(dumps, DumpReading) else ()),
    ]
    loaded.admission = admission
    loaded.metadata = metadata.files
    passed_by = [skipped.ref for skipped in reading.skipped if skipped.kind and skipped.kind not in _READ_ELSEWHERE]
    loaded.skipped_kinds = tuple(ref.kind for ref in passed_by)
    loaded.passed_by = frozenset(passed_by)
    loaded.skipped_documents = sum(not skipped.kind for skipped in reading.skipped)
    checked = [*reading.objects, *reading.flawed, *reading.partial]
    loaded.unread = reading.unread.union(
        refused_objects(checked, admission.faults), [NAMELESS] if loaded.inputs.faults else []
    )
    unserved = unserved_claims(scheduler.configuration, reading.objects)
    loaded.findings = (*reading.findings, *admission.findings, *scheduler.findings, *unserved)
    if not is_planned:
        loaded.findings = (*loaded.findings, *map(_of_clash, clashes))
    if isinstance(dumps, DumpReading):
        loaded.dumps = dumps
        loaded.machines = machines_of(dumps, reading.objects)
        loaded.findings = (*loaded.findings, *dumps.findings, *stray_dumps(dumps, reading.objects))
    if faults:
        raise BadInput(_by_place(_once(faults), loaded))
    is_something = len(reading.objects) or any(each.kind for each in reading.skipped) or loaded.inputs.dumps or given
    if is_planned and not is_something:
        raise UsageError("the input holds no Kubernetes object", "each document needs apiVersion and kind")
    return admission


def _of_clash(fault: Fault) -> Finding:
    """A warning where nothing is planned: examples that are alternatives lie in one folder."""
    return Finding(
        "reading/same-name",
        Severity.WARNING,
        f"{fault.message}; with both in one cluster, the later replaces the other",
        fault.place,
        fault.subject,
        fault.remedy,
    )


def _read_dumps(loaded: Loaded, objects: ObjectSet, *, allows_alternatives: bool) -> DumpReading | tuple[Fault, ...]:
    """What the dumps say, or what is wrong with them: to be told with what is wrong elsewhere."""
    try:
        return read_machines(loaded.inputs.dumps, objects, allows_alternatives=allows_alternatives)
    except BadInput as bad:
        return bad.faults


def _once(faults: Sequence[Fault]) -> list[Fault]:
    """Without what two readers of one file have both found."""
    seen: set[tuple[str, Position | None, str]] = set()
    kept = []
    for fault in faults:
        key = (_file(fault), fault.position, fault.message)
        if fault.position is None or key not in seen:
            kept.append(fault)
        seen.add(key)
    return kept


def _by_place(faults: Sequence[Fault], loaded: Loaded) -> list[Fault]:
    """The faults of one file together, in the order of the files and of their lines.

    Lines are looked up for those that are shown; what comes behind is in the order of the documents.
    """
    from dractl.report.faults import SHOWN_AT_MOST

    order = {source.name: number for number, source in enumerate(loaded.sources)}
    locator = loaded.locator

    def document(fault: Fault) -> tuple[int, int]:
        line = fault.place.origin.line if fault.place else fault.position.line if fault.position else 0
        return order.get(_file(fault), len(order)), line

    def place(fault: Fault) -> tuple[int, int, int]:
        position = fault.position or (locator.locate(fault.place) if fault.place is not None else None)
        line, column = (position.line, position.column) if position is not None else (0, 0)
        return document(fault)[0], line, column

    by_document = sorted(faults, key=document)
    return sorted(by_document[:SHOWN_AT_MOST], key=place) + by_document[SHOWN_AT_MOST:]


def _file(fault: Fault) -> str:
    return fault.file or (fault.place.origin.file if fault.place is not None else "")
