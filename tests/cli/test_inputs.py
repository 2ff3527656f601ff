# FEATURE: A1
"""What is read: files, folders, globs, standard input; and what is said where nothing can be."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import QUICKSTART, ROOT, Ran, dractl

CLASS = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: {name}\n"
POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {name}\nspec:\n  containers:\n  - name: c\n    image: i\n"
NODE = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "a.yaml").write_text(POD.format(name="a"))
    (tmp_path / "b.yml").write_text(POD.format(name="b"))
    (tmp_path / "c.json").write_text('{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}')
    (tmp_path / "NOTES.txt").write_text("not: [a manifest")
    (tmp_path / "D.YAML").write_text("kubectl skips: this")
    (tmp_path / "deep" / "deeper" / "e.yaml").write_text(POD.format(name="e"))
    (tmp_path / ".hidden" / "f.yaml").write_text("no: manifest")
    return tmp_path


def pods(ran: Ran) -> list[str]:
    return [line.split()[0] for line in ran.out.splitlines() if line.startswith("default/") and " n1" in line]


def test_a_folder_gives_its_manifests_in_the_order_of_their_names(folder: Path) -> None:
    ran = dractl("plan", str(folder))
    assert pods(ran) == ["default/a", "default/b"]
    assert "(2 other files skipped)" in ran.err


def test_subfolders_only_if_asked_and_never_hidden_ones(folder: Path) -> None:
    assert pods(dractl("plan", "-R", str(folder))) == ["default/a", "default/b", "default/e"]
    assert pods(dractl("plan", "c.json", "deep")) == []
    assert "-R also reads the subfolders" in dractl("plan", "deep").err


def test_a_glob_that_the_shell_left_alone(folder: Path) -> None:
    assert pods(dractl("plan", "c.json", "*.y*ml")) == ["default/a", "default/b"]
    assert pods(dractl("plan", "c.json", f"{folder}/**/e.yaml")) == ["default/e"]
    assert dractl("plan", "*.toml").err == (
        "error: *.toml matches no file\n  check the pattern and the folder that you are in\n"
    )


@pytest.mark.usefixtures("folder")
def test_standard_input_beside_files() -> None:
    ran = dractl("plan", "c.json", "-", stdin=POD.format(name="piped").encode())
    assert pods(ran) == ["default/piped"]
    assert pods(dractl("plan", "-f", "c.json", "-f", "-", stdin=POD.format(name="piped").encode())) == ["default/piped"]


def test_nothing_on_standard_input() -> None:
    ran = dractl("plan", "-", stdin=b" \n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: nothing came on standard input\n  did the command before the pipe fail?\n"


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_named_twice_counts_once() -> None:
    assert pods(dractl("plan", ".", "a.yaml", "./a.yaml", "*.yaml")) == ["default/a", "default/b"]


def test_templates_are_refused_all_at_once(folder: Path) -> None:
    (folder / "x.yaml.tmpl").write_text("a: {{ b }}")
    (folder / "y.json.tpl").write_text("{{ b }}")
    (folder / "plain.tpl").write_text("skipped like any other file")
    ran = dractl("plan", str(folder))
    assert ran.code == 2
    assert f"error: {folder}/x.yaml.tmpl: this is a template, not a manifest\n  render it first" in ran.err
    assert f"error: {folder}/y.json.tpl: this is a template, not a manifest" in ran.err
    assert ran.err.endswith("2 errors; nothing was planned.\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(folder: Path) -> None:
    (folder / "a.yaml").chmod(0)
    assert "a.yaml: cannot be read: permission denied" in dractl("plan", str(folder)).err


def test_a_link_that_leads_nowhere(folder: Path) -> None:
    (folder / "gone.yaml").symlink_to("nowhere.yaml")
    assert "(3 other files skipped)" in dractl("plan", str(folder)).err


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "error: no input\n  name files or folders with manifests, or - for standard input\n"),
        (["nowhere"], "error: nowhere does not exist\n  check the name and the folder that you are in\n"),
        (["fixtures/quickstrat"], "error: fixtures/quickstrat does not exist\n  did you mean fixtures/quickstart?\n"),
        (["nowhere/at/all"], "error: nowhere/at/all does not exist\n  the path ends at .\n"),
        (
            ["https://example.com/a.yaml"],
            "error: https://example.com/a.yaml is a URL\n"
            "  dractl reads no network: pipe it in, `curl -s https://example.com/a.yaml | dractl COMMAND -`\n",
        ),
    ],
)
def test_paths_that_name_nothing(arguments: list[str], error: str) -> None:
    ran = dractl("plan", *arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", error)


def test_input_without_any_object() -> None:
    ran = dractl("plan", "-", stdin=b"# nothing yet\n---\n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: the input holds no Kubernetes object\n")


def test_skipped_kinds_are_counted() -> None:
    policy = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\n"
    job = "apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nmetadata: {name: a}\n"
    text = "---\n".join([NODE, policy, policy.replace("name: a", "name: b"), job])
    assert "(1 MPIJob and 2 NetworkPolicies skipped)" in dractl("plan", "-", stdin=text.encode()).err


def test_standard_input_that_is_closed() -> None:
    command = f"exec {sys.executable} -m dractl plan - <&-"
    ran = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: nothing came on standard input\n")


@pytest.mark.parametrize("depth", [12_000, 40_000])
def test_json_without_end(folder: Path, depth: int) -> None:
    deep = folder / "deep.json"
    deep.write_text('{"apiVersion":"v1","kind":"ConfigMap","data":' + '{"a":' * depth + "1" + "}" * (depth + 1))
    ran = dractl("plan", str(deep))
    assert ran.code == 2
    assert "not JSON: nested deeper than 10000 levels\n" in ran.err


@pytest.mark.parametrize("text", ["", "kind: Pod\napiVersion: v1\nmetadata: {name: a}\n"])
def test_a_file_that_should_configure_the_scheduler_and_does_not(folder: Path, text: str) -> None:
    other = folder / "scheduler.yaml"
    other.write_text(text)
    ran = dractl("plan", str(ROOT / QUICKSTART), "--scheduler-config", str(other))
    assert ran.code == 2
    assert f"error: {other}: holds no KubeSchedulerConfiguration\n" in ran.err


def test_a_kubelet_configuration_for_a_node_that_is_not_there(folder: Path) -> None:
    configuration = folder / "kubelet.yaml"
    configuration.write_text("kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\n")
    ran = dractl("plan", str(ROOT / QUICKSTART), "--kubelet-config", f"node-z={configuration}")
    assert "the input has no node node-z: the configuration of its kubelet is not used" in ran.out
