"""`-o metadata`: the device metadata files that containers will see; and those that were given, for other formats."""

from collections.abc import Iterator, Sequence
from typing import Any

from dractl.api.device_metadata import MetadataFile
from dractl.api.resource import NetworkDeviceData
from dractl.observe.metadata import (
    ExpectedFile,
    expected_files,
    plain_object,
    slice_attributes,
    versions_written,
)
from dractl.phrases import listed
from dractl.planner.plan import Answer, Plan
from dractl.report.canvas import Canvas
from dractl.report.view import View
from dractl.solution.outcomes import PodOutcome

_HEADER = ("CLAIM", "REQUEST", "DEVICES", "NETWORK", "GENERATION", "VERSIONS", "METADATA FILE")
_NOTHING = "–"


class Expected:
    """The files that are expected for pods of one answer; what slices say is gathered once."""

    def __init__(self, plan: Plan, answer: Answer) -> None:
        self._answer = answer
        self._attributes = slice_attributes(plan.cluster.slices)
        self._written = versions_written(plan.metadata)

    def of(self, outcome: PodOutcome) -> tuple[ExpectedFile, ...]:
        """The files for a pod; none where it is not placed."""
        if outcome.placement is None:
            return ()
        pod = self._answer.pods[outcome.pod]
        return expected_files(pod, self._answer.claims, self._attributes, self._written)


def render(plan: Plan, view: View) -> str:
    """Every file of every pod that is placed: its path and who sees it as comments, then its content."""
    canvas = Canvas(view)
    expected = Expected(plan, plan.prediction)
    for outcome in plan.prediction.outcomes:
        if view.shows(outcome.pod):
            for file in expected.of(outcome):
                for line in _comments(outcome, file):
                    canvas.line(f"# {line}", style="cyan")
                for line in file.text().splitlines():
                    canvas.line(line)
    return canvas.text() or "# No pod that is to be placed gets a device.\n"


def _comments(outcome: PodOutcome, file: ExpectedFile) -> Iterator[str]:
    yield file.path
    seen_by = f"seen by {listed(list(file.containers))}" if file.containers else "no container sees it"
    yield f"pod {outcome.pod}, claim {file.claim.name}: {seen_by}"
    yield f"on the node {file.host_path}"
    if not file.is_written:
        yield f"only if {file.driver} writes device metadata, which no API object tells"
    if file.not_fixed:
        yield f"not known before the cluster has the claim: {listed(list(file.not_fixed))}"


def plain_files(files: Sequence[ExpectedFile]) -> list[dict[str, Any]]:
    """The files of one pod as `schema/plan-v1.json` has them."""
    return [
        {
            "claim": file.claim.name,
            "request": file.request,
            "driver": file.driver,
            "path": file.path,
            "containers": list(file.containers),
            "hostPath": file.host_path,
            "cdiSpec": file.cdi_spec,
            "cdiDevice": file.cdi_device,
            "driverWritesMetadata": True if file.is_written else None,
            "notFixed": list(file.not_fixed),
            "content": [plain_object(file.object, version) for version in file.versions],
        }
        for file in files
    ]


# --- files that were given -------------------------------------------------------------------------------------------


def _given(plan: Plan, view: View) -> list[MetadataFile]:
    namespaces = {file.object.metadata.namespace for file in plan.metadata}
    shown = {each for each in namespaces if view.namespace in (None, each)}
    return [file for file in plan.metadata if file.object.metadata.namespace in shown]


def draw_given(canvas: Canvas, plan: Plan, view: View) -> None:
    """A table of the files that were given."""
    rows = [row for file in _given(plan, view) for row in _rows(file)]
    if rows:
        canvas.line()
        canvas.table(_HEADER, rows)


def _rows(file: MetadataFile) -> Iterator[Sequence[str]]:
    metadata = file.object.metadata
    versions = " ".join(version.rpartition("/")[2] for version in file.versions)
    for request in file.object.requests or ():
        devices = request.devices or ()
        network = [text for device in devices if (text := network_text(device.networkData))]
        yield (
            f"{metadata.namespace}/{metadata.name}",
            request.name,
            " ".join(device.name for device in devices) or _NOTHING,
            "; ".join(network) or _NOTHING,
            str(metadata.generation),
            versions,
            file.file,
        )


def network_text(data: NetworkDeviceData | None) -> str:
    """Interface, addresses and hardware address of a device, as far as they are told."""
    if data is None:
        return ""
    return " ".join(filter(None, [data.interfaceName, *(data.ips or ()), data.hardwareAddress]))


def plain_given(plan: Plan, view: View) -> list[dict[str, Any]]:
    """The files that were given as `schema/plan-v1.json` has them: the object that counts, and the versions."""
    return [
        {
            "file": file.file,
            "version": file.version,
            "versions": list(file.versions),
            "content": plain_object(file.object, file.version),
        }
        for file in _given(plan, view)
    ]
