# FEATURE: A6
"""What is left out because a gate is off: said with the place of the field and the name of the gate."""

import pytest

from tests.observe.world import findings, lines

HEAD = "apiVersion: resource.k8s.io/v1\nkind: {kind}\nmetadata: {{name: x{more}, uid: u}}\n"


def slice_of(device: str, more: str = "nodeName: n1") -> str:
    return HEAD.format(kind="ResourceSlice", more="") + (
        "spec:\n  driver: d.example.com\n  pool: {name: n1, generation: 1, resourceSliceCount: 1}\n"
        f"  {more}\n  devices:\n  - {{name: a, {device}}}\n"
    )


def claim(request: str, more: str = "", kind: str = "exactly") -> str:
    asked = (
        f"{{deviceClassName: c, {request}}}" if kind == "exactly" else f"[{{name: s, deviceClassName: c, {request}}}]"
    )
    return HEAD.format(kind="ResourceClaim", more=", namespace: ml") + (
        f"spec:\n  devices:\n    requests:\n    - {{name: r, {kind}: {asked}}}\n{more}"
    )


TAINT = "taints: [{key: k, effect: NoSchedule}]"
TOLERATION = "tolerations: [{operator: Exists}]"
COUNTERS = "consumesCounters: [{counterSet: s, counters: {m: {value: 1}}}]"
GROUPS = "consumesCounters: [{counterSet: s, counters: {m: {value: 1}}, compatibilityGroups: [g]}]"
STABLE = "DRAConsumableCapacity=false,DRADeviceBindingConditions=false"


@pytest.mark.parametrize(
    ("text", "settings", "line", "words"),
    [
        (slice_of(TAINT), "DRADeviceTaints=false,DRADeviceTaintRules=false", 9, "the taint keeps nobody away"),
        (claim(TOLERATION), "DRADeviceTaints=false,DRADeviceTaintRules=false", 7, "the tolerations change nothing"),
        (slice_of(COUNTERS), "DRAPartitionableDevices=false", 9, "no request gets the device"),
        (
            slice_of("nodeName: n1", "perDeviceNodeSelection: true"),
            "DRAPartitionableDevices=false",
            7,
            "the slice (devices: 1) is not looked at, but counts for the completeness of pool d.example.com/n1",
        ),
        (slice_of(GROUPS), "DRADeviceCompatibilityGroups=false", 9, "the slice does not exist for the scheduler"),
        (
            slice_of("bindingConditions: [b], bindingFailureConditions: [f]"),
            "DRADeviceBindingConditions=false",
            9,
            "no request gets the device, and its pool comes last",
        ),
        (
            slice_of("allowMultipleAllocations: true"),
            "DRAConsumableCapacity=false",
            9,
            "each claim gets the device as a whole",
        ),
        (
            claim("capacity: {requests: {m: 1}}"),
            "DRAConsumableCapacity=false",
            7,
            "the scheduler fails for every pod with such a claim",
        ),
        (claim("capacity: {requests: {m: 1}}"), STABLE, 7, "the capacity is not compared"),
        (slice_of("attributes: {l: {ints: [1]}}"), "DRAListTypeAttributes=false", 9, "constraints do not see the list"),
        (
            slice_of("attributes: {l: {int: 1}}", "nodeName: n1\n  skipNodeOperations: ['*']"),
            "DRAOptionalNodeOperations=false",
            8,
            "the kubelet calls their driver all the same",
        ),
        (
            slice_of("attributes: {l: {int: 1}}", "nodeName: n1\n  skipNodeOperations: ['*']"),
            "DRAOptionalNodeOperations=false,DRAListTypeAttributes=true",
            8,
            "no request gets the slice's devices",
        ),
        (
            claim("derivedAttributes: [{name: x.example.com/a, expression: '1'}]"),
            "DRADerivedAttributes=false",
            7,
            "the scheduler fails for every pod with such a claim",
        ),
        (
            HEAD.format(kind="DeviceTaintRule", more="") + "spec: {taint: {key: k, effect: NoExecute}}\n",
            "DRADeviceTaintRules=false",
            1,
            "the rule taints no device",
        ),
    ],
)
def test_what_a_gate_that_is_off_leaves_out(text: str, settings: str, line: int, words: str) -> None:
    found = findings(text, settings=settings, prefix="gates/")
    assert [at for _, at in lines(text, found)] == [line]
    (finding,) = found
    gate = finding.rule.removeprefix("gates/")
    assert words in finding.message
    assert finding.message.endswith(f", because {gate} is off (--feature-gates)")
    assert finding.remedy == f"if the cluster has the gate on, say so: --feature-gates {gate}=true"


def test_the_release_is_the_reason_where_it_is() -> None:
    (finding,) = findings(slice_of(TAINT), settings="Defaults", release="1.34", prefix="gates/")
    assert finding.message == (
        "spec.devices[0].taints: the taint keeps nobody away, because DRADeviceTaints is off (default of 1.34)"
    )


def test_a_gate_that_the_release_does_not_know() -> None:
    text = claim("derivedAttributes: [{name: x.example.com/a, expression: '1'}]")
    (finding,) = findings(text, release="1.36", prefix="gates/")
    assert finding.message.endswith(", because DRADerivedAttributes is off (unknown in this release)")
    assert finding.remedy == "if the cluster is of a release that knows the gate, say so: --kubernetes-version"


def test_devices_of_a_slice_are_told_together() -> None:
    text = slice_of(TAINT) + "".join(f"  - {{name: b{number}, {TAINT}}}\n" for number in range(3))
    (finding,) = findings(text, settings="DRADeviceTaints=false,DRADeviceTaintRules=false", prefix="gates/")
    assert finding.message.startswith("spec.devices[0].taints and 3 more: the taint keeps nobody away")


def test_gates_that_the_input_turns_on_leave_nothing_out() -> None:
    assert findings(slice_of(GROUPS), prefix="gates/") == []
