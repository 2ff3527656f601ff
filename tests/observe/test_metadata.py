"""Device metadata files predicted from allocation and slices, and given ones against both and their own path."""

# FEATURE: O5

import json
from pathlib import Path
from typing import Any

import pytest

from dractl.api.device_metadata import VERSIONS
from dractl.api.identities import ClaimRef
from dractl.api.objects import ObjectSet
from dractl.api.resource import ResourceClaim, ResourceSlice
from dractl.finding import Finding
from dractl.manifests import Source, survey
from dractl.manifests.device_metadata import read_metadata
from dractl.observe.metadata import expected_files, slice_attributes, versions_written
from dractl.observe.metadata_checks import metadata_findings
from tests.observe.world import read

FOLDER = Path(__file__).parents[2] / "fixtures/metadata"
TREE = FOLDER / "claims"
NPU = "resourceclaimtemplates/accel/npu/npu.acme.example-metadata.json"
NET = "resourceclaimtemplates/accel/net/nic.acme.example-metadata.json"


def world() -> ObjectSet:
    return read((FOLDER / "cluster.yaml").read_text())


def claims_of(objects: ObjectSet) -> dict[ClaimRef, ResourceClaim]:
    return {ClaimRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(ResourceClaim)}


def given(name: str = NPU) -> Any:
    """The object of a file that counts, to be changed."""
    text = (TREE / name).read_text()
    decoder = json.JSONDecoder()
    value, end = decoder.raw_decode(text)
    while value["apiVersion"] not in VERSIONS:
        value, end = decoder.raw_decode(text, text.index("{", end))
    return value


def findings(content: Any, name: str = NPU, prefix: str = "/var/") -> list[Finding]:
    objects = world()
    text = "".join(json.dumps(each, indent=2) for each in (content if isinstance(content, list) else [content]))
    reading = read_metadata([Source(prefix + name, text.encode())])
    assert not reading.faults
    slices = slice_attributes(each.object for each in objects.of(ResourceSlice))
    return list(metadata_findings(reading.files[0], claims_of(objects), slices))


def rules(content: Any, name: str = NPU, prefix: str = "/var/") -> list[str]:
    return [finding.rule for finding in findings(content, name, prefix)]


# --- what is expected ------------------------------------------------------------------------------------------------


def expected() -> Any:
    objects = world()
    (pod,) = (each.object for each in survey_pods() if each.ref.name == "train-0")
    slices = slice_attributes(each.object for each in objects.of(ResourceSlice))
    files = [Source(str(path), path.read_bytes()) for path in sorted(TREE.rglob("*.json"))]
    return expected_files(pod, claims_of(objects), slices, versions_written(read_metadata(files).files))


def survey_pods() -> Any:
    from dractl.api.core import Pod

    return survey([Source("cluster.yaml", (FOLDER / "cluster.yaml").read_bytes())]).objects.of(Pod)


def test_a_file_for_each_request_and_driver() -> None:
    npu, net = expected()
    assert npu.path == f"/var/run/kubernetes.io/dra-device-attributes/{NPU}"
    assert net.path == f"/var/run/kubernetes.io/dra-device-attributes/{NET}"
    assert npu.request == "npu/large"
    assert npu.containers == ("main",)
    plugin = "/var/lib/kubelet/plugins/npu.acme.example/dra-device-metadata"
    assert npu.host_path == f"{plugin}/ml_train-0-accel-x7k2p/npu/metadata.json"
    assert npu.cdi_device == "npu.acme.example/metadata=0d9c1f6e-5a30-4b7e-9a55-0c0f7a3f2b11_npu"
    assert npu.cdi_spec == ("/var/run/cdi/npu.acme.example_metadata_0d9c1f6e-5a30-4b7e-9a55-0c0f7a3f2b11_npu.json")
    assert npu.not_fixed == ()
    assert npu.is_written


def test_the_bytes_are_those_that_the_driver_wrote() -> None:
    """The given file was written for this claim: of its versions the known ones, with the attributes in both."""
    npu, _ = expected()
    first, second = npu.text().split("}\n{")
    text = (TREE / NPU).read_text()
    assert first in text
    assert second.startswith('\n  "kind": "DeviceMetadata",\n  "apiVersion": "metadata.resource.k8s.io/v1alpha1",')
    assert npu.text().endswith("  ]\n}\n")


def test_a_named_claim_has_the_other_path() -> None:
    objects = read(SHARED)
    from dractl.api.core import Pod

    (pod,) = objects.of(Pod)
    attributes = slice_attributes(each.object for each in objects.of(ResourceSlice))
    files = expected_files(pod.object, claims_of(objects), attributes, {})
    assert [file.path.partition("dra-device-attributes/")[2] for file in files] == [
        "resourceclaims/shared/any/a.example.com-metadata.json",
        "resourceclaims/shared/any/b.example.com-metadata.json",
    ]
    assert [file.containers for file in files] == [(), ()]
    assert not any(file.is_written for file in files)
    assert [file.not_fixed for file in files] == [("metadata.uid",)] * 2
    assert "\\u003cb\\u0026c\\u003e" in files[0].text()
    assert "podClaimName" not in files[0].text()


SHARED = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: a.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices: [{name: d, attributes: {text: {string: "a<b&c>"}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: shared, namespace: ml}
spec: {devices: {requests: [{name: any, exactly: {deviceClassName: x, count: 3}}]}}
status:
  allocation:
    devices:
      results:
        - {request: any, driver: a.example.com, pool: n1, device: d}
        - {request: any, driver: b.example.com, pool: n1, device: d}
        - {request: any, driver: c.example.com, pool: n1, device: d, skipNodeOperations: ["*"]}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: ml}
spec:
  nodeName: n1
  resourceClaims: [{name: s, resourceClaimName: shared}]
  containers: [{name: c, image: i}]
"""


# --- what is odd -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [NPU, NET])
def test_nothing_is_odd_about_a_file_that_fits(name: str) -> None:
    assert rules(given(name), name) == []
    host = f"dra-device-metadata/ml_train-0-accel-x7k2p/{name.split('/')[2]}/metadata.json"
    assert rules(given(name), host) == []


GONE = {"metadata": {"name": "gone", "namespace": "ml", "generation": 1}}


@pytest.mark.parametrize(
    ("change", "rule", "words"),
    [
        ({"podClaimName": "Not_A_Label"}, "metadata/invalid", "is not a DNS label"),
        ({"podClaimName": None}, "metadata/allocation", "podClaimName: is missing, but claim"),
        ({"podClaimName": None, **GONE}, "metadata/path", "a container looks below resourceclaims/gone"),
        ({"podClaimName": "other"}, "metadata/allocation", "podClaimName: is other, but claim"),
        ({"podClaimName": "other", **GONE}, "metadata/path", "podClaimName: is other, but the path says accel"),
        ({"requests": []}, "metadata/path", "the file holds 0 requests"),
        (GONE, "metadata/no-claim", "no claim ml/gone"),
        ({"metadata.uid": "other"}, "metadata/allocation", "is other, but claim"),
        ({"metadata.generation": -1}, "metadata/invalid", "must not be negative"),
        ({"metadata.generation": 0}, "metadata/generation", "generation is missing"),
        ({"apiVersion": VERSIONS[1]}, "metadata/versions", f"lacks version {VERSIONS[0]}"),
        ({"requests.0.name": "npu/small"}, "metadata/allocation", "has npu/large allocated"),
        ({"requests.0.name": "gone"}, "metadata/allocation", "has no device allocated"),
        ({"requests.0.name": "net"}, "metadata/path", "is net, but the path says npu"),
        ({"requests.0.name": ""}, "metadata/invalid", "the request's name is missing"),
        ({"requests.0.devices.0.name": "npu-2"}, "metadata/allocation", "is not allocated for npu/large"),
        ({"requests.0.devices.0.name": "npu-2"}, "metadata/allocation", "but the file does not name it"),
        ({"requests.0.devices.0.driver": "b.example.com"}, "metadata/path", "each driver writes its own file"),
        ({"requests.0.devices.0.pool": "A_B"}, "metadata/invalid", "is not a lower-case DNS name"),
        ({"requests.0.devices.0.attributes": {"x": {}}}, "metadata/invalid", "must specify exactly one of: int, bool"),
        ({"requests.0.devices.0.attributes": {"x": {"ints": []}}}, "metadata/invalid", "it has none"),
        ({"requests.0.devices.0.attributes": {"x": {"int": 1, "bool": True}}}, "metadata/invalid", "int and bool"),
        ({"requests.0.devices.0.attributes": {"x": {"strings": ["y" * 65]}}}, "metadata/invalid", "64 bytes"),
        ({"requests.0.devices.0.attributes": {"model": {"string": "other"}}}, "metadata/attributes", "differs"),
        (
            {"requests.0.devices.0.attributes": {"npu.acme.example/model": {"string": "other"}}},
            "metadata/attributes",
            "selectors saw another value",
        ),
        ({"requests.0.devices.0.networkData": {"ips": ["::1/64", "::1/64"]}}, "metadata/invalid", "is there twice"),
    ],
)
def test_what_is_odd(change: dict[str, Any], rule: str, words: str) -> None:
    content = given()
    for path, value in change.items():
        *steps, last = path.split(".")
        at = content
        for step in steps:
            at = at[int(step)] if step.isdigit() else at[step]
        at[last] = value
    found = findings(content)
    assert any(finding.rule == rule and words in finding.message for finding in found), found
    assert all(finding.place is not None for finding in found)


def test_the_base_name_is_as_good() -> None:
    """After an update a driver may give the request's own name (metadata.md §4)."""
    content = given()
    content["requests"][0]["name"] = "npu"
    assert rules(content) == []


def test_runtime_attributes_and_lax_values_are_fine() -> None:
    content = given()
    attributes = {"not a name": {"string": "x" * 500}, "v": {"version": "none"}, "model": {"string": "NP-8"}}
    content["requests"][0]["devices"][0]["attributes"] = attributes
    assert rules(content) == []


def test_a_version_twice() -> None:
    assert rules([given(), given()]) == ["metadata/versions"]


def test_a_path_of_neither_form_is_not_compared() -> None:
    content = given()
    content["podClaimName"] = "accel"
    assert rules(content, "copy.json", "") == []
