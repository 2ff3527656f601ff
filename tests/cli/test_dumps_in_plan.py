# FEATURE: A1, A4, A5
"""Dumps of nodes and files of kubelets beside manifests: known by their content, and given to their nodes."""

from pathlib import Path

import pytest

from dractl.topology import Holds, what_it_holds
from tests.cli.running import ROOT, dractl

CASES = ROOT / "fixtures/cases"
DUMP = CASES / "machines/22-smt-alignment.machineinfo.json"
NODE = "apiVersion: v1\nkind: Node\nmetadata:\n  name: {name}\n"
CONFIGURATION = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"


@pytest.mark.parametrize(
    ("content", "holds"),
    [
        (b"# CPU limits of the team\napiVersion: v1\nkind: Pod\n", Holds.OBJECTS),
        (b"# CPU,Core,Socket,Node\n0,0,0,0\n", Holds.DUMP),
        (b"available: 1 nodes (0)\nnode 0 cpus: 0 1\n", Holds.DUMP),
        (b"apiVersion: v1\nkind: ConfigMap\ndata:\n  numactl: |\n    x\nnode 0 cpus: 1\n", Holds.OBJECTS),
        (b'{"policyName": "static", "defaultCpuSet": "0-3", "checksum": 1}', Holds.DUMP),
        (b'{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}', Holds.OBJECTS),
        (b'{"apiVersion": "v1", "kind": "List", "items": [{"kind": "KubeletConfiguration"}]}', Holds.BOTH),
        (b'{"kubeletconfig": {"cpuManagerPolicy": "static"}}', Holds.DUMP),
        (b"<topology version='2.0'></topology>", Holds.DUMP),
        (b"<html></html>", Holds.OBJECTS),
        (CONFIGURATION.encode(), Holds.BOTH),
        (b"\xff\xfe\x00", Holds.OBJECTS),
        (b"\x1f\x8b\x08\x00", Holds.DUMP),
        (b"{broken", Holds.OBJECTS),
    ],
)
def test_a_file_is_known_by_its_content(content: bytes, holds: Holds) -> None:
    assert what_it_holds(content) is holds


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n1.yaml").write_text(NODE.format(name="n1"))
    (tmp_path / "n1.machineinfo.json").write_bytes(DUMP.read_bytes())
    (tmp_path / "cpu_manager_state").write_text('{"policyName":"none","defaultCpuSet":"","checksum":1353318690}')
    (tmp_path / "NOTES.txt").write_text("nothing to see")
    return tmp_path


def test_dumps_in_a_folder_are_no_other_files(folder: Path) -> None:
    ran = dractl("plan", str(folder))
    assert ran.code == 0, ran.err
    assert "(1 other file skipped)" in ran.err


def test_a_dump_that_names_no_node_of_the_input_is_told(folder: Path) -> None:
    (folder / "n1.machineinfo.json").rename(folder / "w7.machineinfo.json")
    (folder / "n2.yaml").write_text(NODE.format(name="n2"))
    ran = dractl("plan", "n1.yaml", "n2.yaml", "w7.machineinfo.json")
    assert "the input has no node w7: the dump is not used" in ran.out
    assert "--topology NODE=w7.machineinfo.json" in ran.out
    named = dractl("plan", "n1.yaml", "n2.yaml", "--topology", "n2=w7.machineinfo.json")
    assert "w7" not in named.out


@pytest.mark.usefixtures("folder")
def test_what_is_wrong_in_a_configuration_is_shown_with_its_line() -> None:
    Path("kubelet.yaml").write_text(
        f"{NODE.format(name='n1')}---\n{CONFIGURATION}cpuManagerPolicyOptions:\n  full: 1\n"
    )
    ran = dractl("plan", "kubelet.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert "kubelet.yaml:9:9" in ran.err
    assert "1 error; nothing was planned." in ran.err


@pytest.mark.usefixtures("folder")
def test_broken_text_is_told_once() -> None:
    Path("kubelet.yaml").write_text(f"{CONFIGURATION}a: 1\na: 2\n")
    assert "1 error; nothing was planned." in dractl("plan", "n1.yaml", "kubelet.yaml").err


@pytest.mark.usefixtures("folder")
def test_a_kind_that_is_used_is_not_skipped() -> None:
    Path("kubelet.yaml").write_text(CONFIGURATION)
    assert "skipped" not in dractl("plan", "n1.yaml", "kubelet.yaml").err


@pytest.mark.usefixtures("folder")
def test_named_files_are_read_once() -> None:
    ran = dractl("plan", ".", "--topology", "n1=n1.machineinfo.json", "--kubelet-config", "n1.yaml")
    assert ran.code == 2
    assert "no dump that dractl knows" in ran.err
