# FEATURE: C4
"""`.dractl.yaml`: found upwards from the working directory; the command line goes before it."""

from pathlib import Path

import pytest

from tests.cli.running import dractl

MANIFEST = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - {name: r, exactly: {deviceClassName: gpu, tolerations: [{}]}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    below = tmp_path / "deploy" / "prod"
    below.mkdir(parents=True)
    (below / "c.yaml").write_text(MANIFEST)
    monkeypatch.chdir(below)
    return tmp_path


def configure(folder: Path, text: str) -> None:
    (folder / ".dractl.yaml").write_text(text)


def test_defaults_of_options(folder: Path) -> None:
    assert dractl("lint", "c.yaml").code == 0
    configure(folder, "failOn: warning\n")
    assert dractl("lint", "c.yaml").code == 1
    assert dractl("lint", "c.yaml", "--fail-on", "error").code == 0
    assert dractl("plan", "c.yaml").code == 0


def test_of_every_command_that_has_the_option(folder: Path) -> None:
    configure(folder, "kubernetesVersion: 1.35\nfeatureGates: {DRADeviceTaints: true}\n")
    gates = dractl("gates")
    assert "1.35" in gates.err + gates.out
    assert "DRADeviceTaints " in gates.out
    configure(folder, 'kubernetesVersion: "1.36"\nfeatureGates: Defaults\nnamespace: ml\n')
    assert "Kubernetes 1.36" in dractl("plan", "c.yaml").err
    assert "Kubernetes 1.37" in dractl("plan", "c.yaml", "--kubernetes-version", "1.37").err
    assert "ResourceClaim ml/c" in dractl("lint", "c.yaml").out


def test_the_nearest_one_counts(folder: Path) -> None:
    configure(folder, "failOn: warning\n")
    configure(folder / "deploy", "failOn: never\n")
    assert dractl("lint", "c.yaml").code == 0


@pytest.mark.parametrize(
    "ignore",
    [
        "[DRA117]",
        "[{rule: DRA117, paths: [deploy], reason: they are all valueless}]",
        "[{rule: DRA117, paths: deploy/*/c.yaml}]",
        "[{rule: DRA117, objects: ['ResourceClaim default/*']}]",
    ],
)
def test_findings_that_are_left_out(folder: Path, ignore: str) -> None:
    configure(folder, f"ignore: {ignore}\n")
    assert dractl("lint", "c.yaml").out == "No findings; 1 suppressed.\n"


def test_entries_in_vain_are_told_at_their_line(folder: Path) -> None:
    configure(folder, "ignore:\n- {rule: DRA117, paths: [other]}\n- {rule: DRA206, paths: [deploy]}\n")
    out = dractl("lint", "c.yaml").out
    assert f"info: {folder / '.dractl.yaml'}:3: DRA206 finds nothing that this entry means (DRA901)\n" in out
    assert out.endswith("1 warning and 1 remark.\n")


def test_bad_input_cannot_be_left_out(folder: Path) -> None:
    configure(folder, "ignore: [{rule: reading/unreadable, paths: [deploy]}]\n")
    (folder / "deploy" / "prod" / "c.yaml").write_text("kind: Pod\n")
    ran = dractl("lint", "c.yaml")
    assert ran.code == 2
    assert "reading/unreadable cannot be suppressed: it makes the input bad (DRA901)\n  take it out\n" in ran.out
    assert "apiVersion is missing (reading/unreadable)" in ran.out


def test_everything_that_is_wrong_with_it_is_told_at_once(folder: Path) -> None:
    configure(
        folder,
        "failOn: sometimes\nkubernetesVersion: [a]\nigonre: []\n"
        "ignore:\n- {paths: x}\n- {rule: DRA101, path: y}\n- 3\n",
    )
    ran = dractl("plan", "c.yaml")
    assert (ran.code, ran.out) == (2, "")
    name = folder / ".dractl.yaml"
    for text in (
        f"error: {name}:3:1: igonre: there is no such setting\n  did you mean ignore?\n",
        f"error: {name}:1:1: failOn: 'sometimes' cannot be used\n",
        f"error: {name}:2:1: kubernetesVersion: ['a'] cannot be used\n",
        f"error: {name}:5:3: ignore[0]: names no rule\n",
        f"error: {name}:6:18: ignore[1].path: there is no such field\n",
        "6 errors; nothing was done.\n",
    ):
        assert text in ran.err


@pytest.mark.parametrize("text", ["", "# nothing\n", "ignore:\n"])
def test_an_empty_one_says_nothing(folder: Path, text: str) -> None:
    configure(folder, text)
    assert dractl("lint", "c.yaml").code == 0


@pytest.mark.parametrize(
    "text", ["a: [", "- failOn\n", "failOn: error\n---\nfailOn: error\n", "failOn: error\nfailOn: never\n"]
)
def test_one_that_is_no_mapping(folder: Path, text: str) -> None:
    configure(folder, text)
    assert dractl("lint", "c.yaml").code == 2
