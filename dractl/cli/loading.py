"""From files to objects, with everything that is to be said about them later."""

from collections.abc import Sequence

from dractl.cli.inputs import Inputs
from dractl.cli.terminal import Terminal
from dractl.errors import BadInput, Fault, Position, UsageError
from dractl.finding import Finding
from dractl.manifests import Locator, Source, excerpt, survey
from dractl.planner.admission import Admission, admit
from dractl.planner.settings import Settings
from dractl.report.view import View


class Loaded:
    """What was read so far. Filled step by step, so that faults of any step can be shown with their lines."""

    def __init__(self) -> None:
        self.inputs = Inputs(())
        self.findings: tuple[Finding, ...] = ()
        self.skipped_kinds: tuple[str, ...] = ()

    @property
    def locator(self) -> Locator:
        """Where places stand in the files."""
        return Locator(self.inputs.sources)

    def faults_text(self, faults: Sequence[Fault], terminal: Terminal) -> str:
        """The faults as the user sees them."""
        from dractl.report.faults import render_faults

        sources = {source.name: source for source in self.inputs.sources}
        locator = self.locator

        def line_of(file: str, position: Position) -> str:
            return excerpt(sources[file], position) if file in sources else ""

        return render_faults(faults, View(locator.locate, is_coloured=terminal.colours_remarks), line_of)


def load(loaded: Loaded, settings: Settings, *, default_namespace: str) -> Admission:
    """Read the objects and let them into an imagined cluster.

    Raises BadInput with the faults of reading and of checking, file by file. Raises UsageError for gates that no
    cluster has, and if there is nothing at all, which is hardly what was meant.
    """
    reading = survey(loaded.inputs.sources, default_namespace=default_namespace)
    told = [fault.place for fault in reading.faults if fault.place is not None]
    admission = admit(reading.objects.with_more(reading.flawed), settings, told)
    if reading.faults or admission.faults:
        raise BadInput(_by_file([*reading.faults, *admission.faults], loaded.inputs.sources))
    if not len(reading.objects) and not reading.skipped:
        raise UsageError("the input holds no Kubernetes object", "each document needs apiVersion and kind")
    loaded.findings = (*reading.findings, *admission.findings)
    loaded.skipped_kinds = tuple(skipped.what for skipped in reading.skipped)
    return admission


def _by_file(faults: Sequence[Fault], sources: Sequence[Source]) -> list[Fault]:
    """The faults of one file together, in the order of the files and of the documents in them."""
    order = {source.name: number for number, source in enumerate(sources)}

    def key(fault: Fault) -> tuple[int, int]:
        line = fault.position.line if fault.position else fault.place.origin.line if fault.place else 0
        return order.get(_file(fault), len(order)), line

    return sorted(faults, key=key)


def _file(fault: Fault) -> str:
    return fault.file or (fault.place.origin.file if fault.place is not None else "")
