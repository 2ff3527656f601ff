"""The input before an imagined API server: gates, removed fields, refusals (spec/gates.md §4, spec/validation.md)."""

# FEATURE: A7

import os
from pathlib import Path

import pytest

from dractl.api.resource import ResourceSlice
from dractl.errors import UsageError
from dractl.manifests import Source, survey
from dractl.planner.admission import Admission, admit
from dractl.planner.settings import Settings

SLICE = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: s{more}}}
spec:
  driver: gpu.example.com
  {nodes}
  pool: {{name: p, generation: 1, resourceSliceCount: 1}}
  devices:
  - name: d
    nodeName: {node}
    attributes: {{a: {attribute}}}
"""


def admitted(text: str, gates: str | None = None) -> Admission:
    return admit(survey([Source("test.yaml", text.encode())]).objects, Settings(feature_gates=gates))


def a_slice(attribute: str = "{int: 1}", nodes: str = "nodeName: node-1", node: str = "null", more: str = "") -> str:
    return SLICE.format(attribute=attribute, nodes=nodes, node=node, more=more)


def test_a_gate_that_the_input_uses_is_on_and_nothing_is_lost() -> None:
    admission = admitted(a_slice("{strings: [x]}"))
    assert admission.gates.is_on("DRAListTypeAttributes")
    assert (admission.faults, admission.findings) == ((), ())


def test_with_default_gates_a_field_is_lost_with_a_note() -> None:
    admission = admitted(a_slice().replace("  driver:", "  skipNodeOperations: ['*']\n  driver:"), "Defaults")
    (found,) = admission.objects.of(ResourceSlice)
    assert found.object.spec.skipNodeOperations is None
    assert admission.faults == ()
    (note,) = admission.findings
    assert note.rule == "gates/dropped"
    assert "DRAOptionalNodeOperations is off (default of 1.37)" in note.message


@pytest.mark.parametrize(
    ("text", "gates", "field", "reason"),
    [
        (a_slice("{strings: [x]}"), "Defaults", "spec.devices[0].attributes[a]", "`strings` was removed"),
        (
            a_slice(nodes="perDeviceNodeSelection: true", node="node-1"),
            "DRAPartitionableDevices=false",
            "spec",
            "`perDeviceNodeSelection` was removed",
        ),
    ],
)
def test_what_is_left_may_be_refused_and_the_gate_is_named(text: str, gates: str, field: str, reason: str) -> None:
    (fault,) = admitted(text, gates).faults
    assert fault.field == field
    assert reason in fault.message
    assert fault.remedy.startswith("add --feature-gates DRA")


def test_a_dump_keeps_its_fields() -> None:
    admission = admitted(a_slice("{strings: [x]}", more=", uid: u"), "Defaults")
    (found,) = admission.objects.of(ResourceSlice)
    assert (found.object.spec.devices or [])[0].attributes
    assert (admission.faults, admission.findings) == ((), ())


def test_gates_that_no_cluster_has_are_an_error() -> None:
    with pytest.raises(UsageError):
        admitted(a_slice(), "NoSuchGate=true")


# --- what other people published -------------------------------------------------------------------------------------

SHARED = Path(os.environ.get("DRACTL_SHARED", Path(__file__).parents[3] / "shared")) / "real" / "manifests"
REFUSED = {
    "slice-dumps/amd-mi300x-slice.yaml": ["spec.driver", "spec.pool.name", "spec.pool.resourceSliceCount", "spec"],
}
"""Files that the API server refuses too: one is misspelt, the other was cut short where it was published."""


@pytest.mark.skipif(not SHARED.is_dir(), reason="the published manifests are not here")
def test_published_manifests_are_let_in() -> None:
    refused = {}
    for path in sorted(path for path in SHARED.rglob("*") if path.is_file()):
        reading = survey([Source(path.name, path.read_bytes())])
        told = [fault.place for fault in reading.faults if fault.place is not None]
        admission = admit(reading.objects.with_more(reading.flawed), Settings(), told)
        if admission.faults:
            refused[str(path.relative_to(SHARED))] = [fault.field for fault in admission.faults]
    assert {name: sorted(fields) for name, fields in refused.items()} == {
        name: sorted(fields) for name, fields in REFUSED.items()
    }
