"""Device metadata files read as a container's library reads them: value by value, the first good one counts."""

# FEATURE: O5

import json
from typing import Any

import pytest

from dractl.errors import Fault
from dractl.manifests import Locator, Source
from dractl.manifests.device_metadata import is_metadata, read_metadata

BETA = "metadata.resource.k8s.io/v1beta1"
ALPHA = "metadata.resource.k8s.io/v1alpha1"


def metadata(version: str = BETA, **fields: Any) -> str:
    device = {"driver": "npu.acme.example", "pool": "node-a", "name": "npu-3", "attributes": {"index": {"int": 3}}}
    content = {
        "kind": "DeviceMetadata",
        "apiVersion": version,
        "metadata": {"name": "c", "namespace": "ml", "uid": "u", "generation": 1},
        "requests": [{"name": "npu/large", "devices": [device]}],
    }
    return json.dumps({**content, **fields}, indent=2) + "\n"


def faults(text: str) -> tuple[Fault, ...]:
    return read_metadata([Source("f.json", text.encode())]).faults


def test_the_first_known_version_counts() -> None:
    text = metadata(f"{BETA}x") + metadata(ALPHA) + metadata(BETA)
    (file,) = read_metadata([Source("f.json", text.encode())]).files
    assert file.version == ALPHA
    assert file.versions == (f"{BETA}x", ALPHA, BETA)
    (skipped,) = file.findings
    assert skipped.rule == "metadata/unknown-version"
    requests = file.object.requests or []
    assert [request.name for request in requests] == ["npu/large"]
    assert [device.name for request in requests for device in request.devices or []] == ["npu-3"]


def test_places_are_in_the_object_that_counts() -> None:
    source = Source("f.json", (metadata(f"{BETA}x") + metadata()).encode())
    (file,) = read_metadata([source]).files
    position = Locator([source]).locate(file.place.at("requests", 0, "name"))
    assert position is not None
    assert source.content.decode().splitlines()[position.line - 1].strip() == '"name": "npu/large",'
    assert position.line > metadata().count("\n")


@pytest.mark.parametrize("behind", ["{", "garbage", metadata(podClaimName=5), "\ufeff"])
def test_nothing_behind_the_object_that_counts_is_read(behind: str) -> None:
    assert not faults(metadata() + behind)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no metadata objects found in stream"),
        (" \n", "no metadata objects found in stream"),
        ("\ufeff" + metadata(), "read metadata object from stream: the file begins with a byte order mark"),
        ("// c\n" + metadata(), "read metadata object from stream: "),
        (metadata()[:-40], "read metadata object from stream: the file ends in the middle of an object"),
        ('{"a": NaN}', "read metadata object from stream: NaN is not JSON"),
        ("[" * 100_000, "read metadata object from stream: "),
        ("5", "decode metadata object: an object is expected, but here is the number 5"),
        ("[]", "decode metadata object: an object is expected, but here is a list"),
        ("{}", "decode metadata object: apiVersion is missing"),
        (metadata("a/b/c"), 'decode metadata object: apiVersion "a/b/c" is not a group and a version'),
        (metadata(apiVersion=1), "decode metadata object: apiVersion must be text, but is the number 1"),
        (metadata(kind="Other"), f"decode {BETA}: kind: there is no kind Other"),
        (metadata(kind=""), f"decode {BETA}: kind is missing"),
        (metadata("example.com/v1", kind=""), "decode example.com/v1: kind is missing"),
        (metadata("v1", kind="Pod"), "decode v1: apiVersion: DeviceMetadata is in metadata.resource.k8s.io"),
        (metadata(podClaimName=5), f"decode {BETA}: podClaimName: must be text, but is the number 5"),
        (metadata(requests={}), f"decode {BETA}: requests: must be a list, but is a map"),
        (metadata(metadata={"generation": 1.0}), f"decode {BETA}: metadata.generation: must be an integer"),
        (metadata(metadata={"generation": "1"}), f"decode {BETA}: metadata.generation: must be an integer"),
    ],
)
def test_what_a_reader_refuses(text: str, message: str) -> None:
    (fault,) = faults(text)
    assert fault.message.startswith(message)
    assert fault.remedy


def test_one_that_is_wrong_is_refused_though_a_good_one_follows() -> None:
    assert faults(metadata(podClaimName=5) + metadata(ALPHA))


def test_only_unknown_versions() -> None:
    (fault,) = faults(metadata("metadata.resource.k8s.io/v2") + metadata("example.com/v1"))
    expected = "(unknown versions: metadata.resource.k8s.io/v2, example.com/v1)"
    assert fault.message == f"no compatible metadata version found in stream {expected}"


def test_what_a_reader_lets_pass() -> None:
    text = metadata(new=1).replace('"kind"', '"KIND"', 1).replace('"apiVersion"', '"apiversion"', 1)
    twice = text.replace('"namespace": "ml"', '"namespace": "first", "namespace": "ml"')
    (file,) = read_metadata([Source("f.json", twice.encode() + b"\xff")]).files
    assert file.object.metadata.namespace == "ml"
    (file,) = read_metadata([Source("f.json", metadata(podClaimName=None).encode())]).files
    assert file.object.podClaimName is None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x.json", metadata(), True),
        ("x.json", "\ufeff" + metadata(), True),
        ("d/resourceclaims/c/r/gpu.example.com-metadata.json", "", True),
        ("d/resourceclaimtemplates/p/r/gpu.example.com-metadata.json", "[", True),
        ("plugins/dra-device-metadata/ml_c/r/metadata.json", "{", True),
        ("metadata.json", "{", False),
        ("x.json", json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": metadata()}}), False),
        ("x.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": [json.loads(metadata())]}), False),
        ("x.yaml", "apiVersion: v1\nkind: Pod\n", False),
    ],
)
def test_known_by_content_or_by_path(name: str, text: str, *, expected: bool) -> None:
    assert is_metadata(Source(name, text.encode())) is expected
