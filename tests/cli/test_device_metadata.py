"""Status, health and metadata of devices as `dractl plan` shows them; metadata files among its input."""

# FEATURE: O4
# FEATURE: O5

import json
from pathlib import Path

import jsonschema

from tests.cli.running import ROOT, dractl

FOLDER = "fixtures/metadata"
CLUSTER = f"{FOLDER}/cluster.yaml"
NPU = Path("claims/resourceclaimtemplates/accel/npu/npu.acme.example-metadata.json")
SCHEMA = json.loads((ROOT / "dractl/report/schema/plan-v1.json").read_text(encoding="utf-8"))


def test_wide_has_what_is_reported_and_what_was_given() -> None:
    out = dractl("plan", "-R", FOLDER, "-o", "wide").out
    rows = [line.split() for line in out.splitlines()]
    claim = "ml/train-0-accel-x7k2p"
    npu = "npu.acme.example/node-a/npu-0"
    assert [claim, "npu/large", npu, "Unhealthy", "ml/train-0", "main", "–", "–", "ECC", "errors:", "17"] in rows
    assert any(row[:4] == [claim, "net", "nic.acme.example/node-a/eth1", "Unknown"] for row in rows)
    assert any(row[:3] == [claim, "net", "eth1"] and row[-3:-1] == ["2", "v1beta1"] for row in rows)
    assert f"{CLUSTER}:95: ResourceClaim {claim}: the status speaks of nic.acme.example/node-a/eth2" in out


def test_json_has_all_of_it() -> None:
    report = json.loads(dractl("plan", "-R", FOLDER, "-o", "json").out)
    jsonschema.validate(report, SCHEMA, cls=jsonschema.Draft202012Validator)
    npu, nic = report["deviceStates"]
    assert npu["health"][0]["message"] == "ECC errors: 17"
    assert nic["status"]["networkData"]["interfaceName"] == "net1"
    assert [len(file["versions"]) for file in report["metadataFiles"]] == [1, 3]
    (pod,) = report["prediction"]["pods"]
    assert [(file["driver"], file["containers"]) for file in pod["metadata"]] == [
        ("npu.acme.example", ["main", "proxy"]),
        ("nic.acme.example", ["proxy"]),
    ]
    content = pod["metadata"][0]["content"]
    assert [each["apiVersion"].rpartition("/")[2] for each in content] == ["v1beta1", "v1alpha1"]
    assert [device["name"] for device in content[0]["requests"][0]["devices"]] == ["npu-1", "npu-2"]


def test_the_namespace_decides_what_is_shown() -> None:
    report = json.loads(dractl("plan", "-R", FOLDER, "-o", "json", "-n", "other").out)
    assert (report["deviceStates"], report["metadataFiles"]) == ([], [])
    assert dractl("plan", "-R", FOLDER, "-o", "metadata", "-n", "other").out.startswith("# No pod")


def test_the_files_themselves() -> None:
    out = dractl("plan", CLUSTER, "-o", "metadata").out
    paths = [line for line in out.splitlines() if line.startswith("# /var/run/")]
    assert [path.rpartition("dra-device-attributes/")[2] for path in paths] == [
        "resourceclaimtemplates/accel/npu/npu.acme.example-metadata.json",
        "resourceclaimtemplates/accel/net/nic.acme.example-metadata.json",
    ]
    assert "# only if npu.acme.example writes device metadata" in out
    assert '"string": "NP \\u003c9\\u003e"' in out
    content = "\n".join(line for line in out.splitlines() if not line.startswith("#"))
    first, _ = json.JSONDecoder().raw_decode(content)
    assert list(first) == ["kind", "apiVersion", "metadata", "podClaimName", "requests"]


def test_a_file_that_no_container_could_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / NPU
    file.parent.mkdir(parents=True)
    file.write_text((ROOT / FOLDER / NPU).read_text().replace('"int": 0', '"int": "0"'))
    ran = dractl("plan", CLUSTER, str(file))
    assert ran.code == 2
    path = "requests[0].devices[0].attributes[resource.kubernetes.io/numaNode].int"
    words = f"decode metadata.resource.k8s.io/v1beta1: {path}: must be an integer"
    assert f"{file}:29:22: {words}" in ran.err
    assert "take the quotes away" in ran.err


def test_a_metadata_file_alone_is_an_input() -> None:
    ran = dractl("plan", f"{FOLDER}/{NPU}")
    assert ran.code == 0
    assert "the input has no claim ml/train-0-accel-x7k2p" in ran.out
