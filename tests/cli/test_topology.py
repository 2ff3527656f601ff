# FEATURE: A4, C1
"""`dractl topology`: the picture, the JSON, what is said where dumps cannot be read, and folders that are dumps."""

import json
import tarfile
from pathlib import Path

import jsonschema
import pytest

from tests.cli.running import ROOT, dractl

SMALL = "fixtures/topology/small"
SYSFS = f"{SMALL}/small.sysfs.tar.gz"
STATES = "fixtures/topology/states/new/small"
SCHEMA = json.loads((ROOT / "dractl/report/schema/topology-v1.json").read_text(encoding="utf-8"))

PICTURE = f"""\
small  2 sockets · 3 NUMA nodes · 4 cores · 7 CPUs · 20.0 GiB
Example CPU 4 cores

socket 0   2 cores · 4 CPUs
  NUMA node 0   2 cores · 4 CPUs 0-1,4-5 · 8.0 GiB · 16 × hugepages-2Mi
    L3 8 MiB (id 0)   [0 4]
    L3 8 MiB (id 1)   [1 5]

socket 1   2 cores · 3 CPUs
  NUMA node 1   2 cores · 3 CPUs 2-3,6 · 8 GiB · 8 × hugepages-2Mi
    L3 8 MiB (id 2)   [2 6]
    L3 8 MiB (id 3)       3

NUMA nodes without CPUs
  NUMA node 2   4 GiB

offline CPUs 7

distances       0   1   2
  NUMA node 0  10  21  17
  NUMA node 1  21  10  28
  NUMA node 2  17  28  10

NUMA  PCI ADDRESS                      WHAT           ID         ROOT        NAME
0     0000:3b:00.0 … 0000:3b:00.1 (2)  Ethernet       15b3:1017  pci0000:3a  –
1     0000:d8:00.0                     3D controller  10de:2330  pci0000:d7  –
also 3 bridges and devices of the chip set

CPU manager static (full-pcpus-only=true)
memory manager Static
topology manager restricted, scope pod
reserved CPUs 0 and 924Mi memory (system)
reserved on NUMA node 0 1Gi memory
CPU manager state, policy static: shared CPUs 0,3-4
  uid-a/main   CPUs 1,5
  uid-b/main   CPUs 2,6
  uid-b   CPUs 2,6 for the pod

from {SYSFS} (sysfs tree)
"""


def test_the_picture() -> None:
    ran = dractl("topology", SYSFS, f"{STATES}/cpu_manager_state", "--kubelet-config", f"{SMALL}/small.kubelet.yaml")
    assert (ran.out, ran.err, ran.code) == (PICTURE, "3 dumps · 1 node\n", 0)


def test_a_machine_whose_cores_are_not_known() -> None:
    ran = dractl("topology", f"{SMALL}/small.nrt.yaml", "-q")
    assert ran.out.splitlines()[:4] == [
        "small  3 NUMA nodes · its cores are not known",
        "  NUMA node 0   4 CPUs · 8.0 GiB · 2 × example.com/nic",
        "  NUMA node 1   3 CPUs · 8 GiB",
        "  NUMA node 2   0 CPUs · 4 GiB",
    ]


def test_what_is_not_exact_is_said() -> None:
    out = dractl("topology", f"{SMALL}/small.lscpu-p.txt", "-q").out
    assert "cores and sockets: derived (lscpu numbers cores and sockets anew)\n" in out
    assert "uncore ids: guessed (the caches are known, their ids are not)\n" in out
    assert "memory: missing (no dump says)\n" in out


@pytest.mark.parametrize(
    "paths",
    [
        [SMALL],
        [SYSFS, STATES],
        [f"{SMALL}/small.numactl.txt"],
        [f"{SMALL}/small.wrapped.yaml"],
        ["fixtures/topology/states/old/small"],
    ],
)
def test_json_follows_its_schema(paths: list[str]) -> None:
    ran = dractl("topology", *paths, "-o", "json")
    report = json.loads(ran.out)
    jsonschema.validate(report, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert ran.out == dractl("topology", *paths, "-o", "json").out
    assert ran.code == 0


def test_the_schema_itself_is_sound() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_json_has_the_machine() -> None:
    report = json.loads(dractl("topology", SYSFS, "-o", "json").out)
    (node,) = report["nodes"]
    assert node["machine"]["cpus"] == "0-6"
    assert [each["cpus"] for each in node["machine"]["numaNodes"]] == ["0-1,4-5", "2-3,6", ""]
    assert {each["exactness"] for each in node["machine"]["provenance"]} == {"exact"}


def test_picture_and_json_at_once(tmp_path: Path) -> None:
    ran = dractl("topology", SYSFS, "-q", "-o", "table", "-o", f"json={tmp_path / 'a.json'}")
    assert ran.out.startswith("small  2 sockets")
    assert (tmp_path / "a.json").read_text() == dractl("topology", SYSFS, "-o", "json").out


def test_a_contradiction_is_bad_input(tmp_path: Path) -> None:
    other = tmp_path / "small.lscpu.txt"
    other.write_text("# CPU,Core,Socket,Node\n0,0,0,0\n")
    ran = dractl("topology", SYSFS, str(other))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"error: {other}: node small: CPUs 0 are online, but {SYSFS} (sysfs tree) says CPUs 0-6\n"
        "  leave out the dump that is not of this node, or gather both at the same time\n"
        "1 error; nothing was drawn.\n"
    )


def test_faults_have_their_line(tmp_path: Path) -> None:
    broken = tmp_path / "n1.lscpu.txt"
    broken.write_text("# CPU,Core,Socket,Node\n0,0,zero,0\n")
    ran = dractl("topology", str(broken))
    assert ran.err.splitlines()[:2] == [
        f"error: {broken}:2:1: 'zero' in the column SOCKET is no number of that kind",
        "  2 | 0,0,zero,0",
    ]
    wrong = tmp_path / "kubelet.yaml"
    wrong.write_text(
        "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
        "cpuManagerPolicyOptions:\n  full-pcpus-only: true\n"
    )
    assert (
        f"error: {wrong}:4:20: cpuManagerPolicyOptions.full-pcpus-only: must be text, but is true or false"
        in dractl("topology", str(wrong)).err
    )


def test_a_node_given_on_the_line() -> None:
    ran = dractl("topology", "-q", "--topology", f"n7={SYSFS}", "--kubelet-config", f"n7={SMALL}/small.kubelet.yaml")
    assert ran.out.startswith("n7  2 sockets")
    assert "topology manager restricted, scope pod" in ran.out
    assert "is not NODE=FILE" in dractl("topology", "--topology", "=x").err


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    with tarfile.open(ROOT / SYSFS) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.mark.parametrize("below", ["small", "small/sys", "small/sys/devices/system", "."])
def test_a_folder_that_is_a_sysfs_tree(unpacked: Path, below: str) -> None:
    out = dractl("topology", "-q", "--topology", f"small={unpacked / below}").out
    assert out.startswith("small  2 sockets · 3 NUMA nodes · 4 cores · 7 CPUs · 20.0 GiB\n")
    if below != "small/sys/devices/system":
        assert "0000:d8:00.0                     3D controller  10de:2330" in out


def test_a_folder_of_dumps(unpacked: Path) -> None:
    (unpacked / "dumps").mkdir()
    (unpacked / "dumps" / "n1.lscpu.txt").write_text("# CPU,Core,Socket,Node\n0,0,0,0\n")
    (unpacked / "dumps" / "README.md").write_text("about these dumps")
    (unpacked / "dumps" / "notes").write_text("[ask for the other nodes")
    ran = dractl("topology", str(unpacked / "dumps"))
    assert ran.out.startswith("n1  1 socket · 1 NUMA node · 1 core · 1 CPU\n")
    assert ran.err == "2 dumps · 1 node (1 file that is no dump and 1 other file skipped)\n"


def test_standard_input_needs_a_name() -> None:
    content = (ROOT / SMALL / "small.lscpu-p.txt").read_bytes()
    assert "nothing says which node" in dractl("topology", "-", stdin=content).err
    assert dractl("topology", "-q", "--topology", "n1=-", stdin=content).out.startswith("n1  2 sockets")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "error: no input\n"),
        (["nowhere.xml"], "error: nowhere.xml does not exist\n"),
        ([SYSFS, "-o", "yaml"], "error: -o yaml: there is no format 'yaml'\n"),
    ],
)
def test_usage(arguments: list[str], error: str) -> None:
    ran = dractl("topology", *arguments)
    assert ran.code == 2
    assert ran.err.startswith(error)


def test_findings_decide_the_exit_code_if_asked() -> None:
    arguments = ["topology", f"{SMALL}/small.v2.xml"]
    assert dractl(*arguments).code == 0
    assert dractl(*arguments, "--fail-on", "warning").code == 0
    assert dractl(*arguments, "--fail-on", "info").code == 1


CASE = "fixtures/cases/{}20-numa-memory-single-vs-cross{}"
AFTER = (CASE.format("machines/", ".machineinfo.json"), "--after", CASE.format("", ".yaml"))


def test_the_node_after_pods_have_come() -> None:
    """FEATURE: K8"""
    ran = dractl("topology", *AFTER)
    assert "CPU manager state, policy static: shared CPUs 0,2-4\n  pod1-uid/c1   CPUs 1\n" in ran.out
    assert "default/pod1 c1 holds CPUs 1 and 512 MiB memory of NUMA node 0" in ran.out
    assert "Prediction  1 of 2 pods placed" in ran.err


def test_what_the_node_would_report() -> None:
    """FEATURE: K8"""
    [node] = json.loads(dractl("topology", *AFTER, "-o", "json").out)["nodes"]
    planned = json.loads(dractl("plan", *AFTER[:1], *AFTER[2:], "-o", "json").out)["nodes"]
    assert node["after"] == planned[0]["after"]
    state = json.loads(node["after"]["cpuManagerState"])
    assert (state["defaultCpuSet"], state["entries"]) == ("0,2-4", {"pod1-uid": {"c1": "1"}})
    [listed] = node["after"]["podResources"]
    assert (listed["name"], listed["containers"][0]["cpus"]) == ("pod1", "1")
    figures = {(each["name"], *each["labels"].values()): each["value"] for each in node["after"]["figures"]}
    assert figures["kubelet_cpu_manager_pinning_requests_total",] == 2
    assert figures["kubelet_admission_rejections_total", "UnexpectedAdmissionError"] == 1
    assert figures["kubelet_cpu_manager_allocation_per_numa", "0"] == 1


def test_what_is_wrong_in_the_manifests_is_told(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {}\n")
    ran = dractl("topology", AFTER[0], "--after", str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert "pod.yaml:3" in ran.err
