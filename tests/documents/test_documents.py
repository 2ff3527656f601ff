"""What Kubernetes' documentation shows, in small examples of our own: who is placed with what, and what is refused."""

# FEATURE: A8

import json
from pathlib import Path

import pytest

from tests.cli.running import ROOT, dractl

FOLDER = Path("fixtures/documents")

NOT_PLACED = ("", "does not fit")

EXPECTED: dict[str, dict[str, tuple[str, str]]] = {
    "consumable-capacity": {"one": ("exchange", "wire-0"), "two": ("exchange", "wire-0"), "three": NOT_PLACED},
    "control-plane-devices": {"attached": ("edge", "waiting"), "seated": ("edge", "seat-0")},
    "derived-and-list-attributes": {"film": ("studio", "cam-0 enc-2")},
    "extended-resource": {"cutter": ("lab", "laser-0 laser-1"), "marker": ("lab", "laser-2")},
    "group-claim": {"wagon-0": ("yard", "rail-0"), "wagon-1": ("yard", "rail-0")},
    "node-allocatable": {
        "cpus": ("host", "socket-0"),
        "too-many": NOT_PLACED,
        "engine-a": ("host", "engine-0"),
        "engine-b": ("host", "engine-1"),
        "engine-c": NOT_PLACED,
    },
    "node-selector": {"placed": ("right", "")},
    "partitions": {"two": ("rack", "a c")},
    "pod-level-resources": {"mixed": ("host", ""), "too-much": NOT_PLACED},
    "pool-status": {},
    "prioritized-list": {"first": ("hall-1", "bucket-red"), "second": ("hall-1", "can-blue-1 can-blue-2")},
    "taint-and-admin-access": {"repair": ("cellar", "probe-0 probe-1"), "work": NOT_PLACED},
}
"""For each pod its node and the devices that its containers get, or what becomes of it instead."""

REFUSED = [
    ("good-speeds", "write it as good_speeds"),
    ('speed: "128"', 'write the amount below it, as `value: "128"`'),
    ("cpu: {capacityKey", "the resource comes first: write it as `nodeAllocatableResources.cpu.mapping`"),
    ("memory: {perPod", "the resource comes first: write it as `nodeAllocatableResources.memory.overhead`"),
    ("mapping: {capacityKey", "write `capacityMultiplier: …` beside `capacityKey`"),
    ("driver: example.com/wire", "write a lower-case DNS name such as gpu.example.com"),
    ("apiVersion: resource.k8s.io/v1", "every object needs a name or a generateName"),
    ("apiVersion: resource.k8s.io/v1", "put back what `...` stands for, or separate documents with `---`"),
    ("metadata:", "indent what belongs below a key by two spaces more than the key"),
]
"""For each fault what stands in the line that it points at, and what it says to write instead."""


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", EXPECTED)
def test_example(name: str) -> None:
    ran = dractl("plan", str(FOLDER / f"{name}.yaml"), "-o", "json")
    found = {}
    for pod in json.loads(ran.out)["prediction"]["pods"]:
        devices = [device["device"] for container in pod["containers"] for device in container["devices"]]
        is_placed = pod["outcome"] == "placed"
        found[pod["name"]] = (pod.get("node", ""), " ".join(devices) if is_placed else pod["outcome"])
    assert found == EXPECTED[name]


def test_what_is_refused_says_what_to_write() -> None:
    name = str(FOLDER / "refused.yaml")
    ran = dractl("plan", name)
    lines = Path(name).read_text(encoding="utf-8").splitlines()
    errors = ran.err.split("error: ")[1:]
    assert ran.code == 2
    assert len(errors) == len(REFUSED)
    for error, (text, remedy) in zip(errors, REFUSED, strict=True):
        assert text in lines[int(error.split(":")[1]) - 1]
        assert remedy in error


def test_every_example_has_an_expectation() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {*EXPECTED, "refused"}
