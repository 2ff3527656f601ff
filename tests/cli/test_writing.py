# FEATURE: C2
"""Output that cannot be written: one clear line and exit code 2; a reader that has seen enough: not a word."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import QUICKSTART, dractl

COMMAND = f"{sys.executable} -m dractl"


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["/bin/bash", "-c", line], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [f"plan -q {QUICKSTART}", "--help", "--version"])
def test_a_full_disk(arguments: str) -> None:
    ran = shell(f"{COMMAND} {arguments} >/dev/full")
    assert ran.returncode == 2
    assert ran.stderr == (
        "error: cannot write to standard output: no space left on device\n  send the answer to a file: -o FORMAT=FILE\n"
    )


def test_standard_output_is_closed(tmp_path: Path) -> None:
    ran = shell(f"{COMMAND} plan -q {QUICKSTART} >&-")
    assert (ran.returncode, ran.stderr.splitlines()[0]) == (2, "error: cannot write to standard output: it is closed")
    assert shell(f"{COMMAND} plan -q {QUICKSTART} -o json={tmp_path}/plan.json >&-").returncode == 1


def test_a_reader_that_has_seen_enough() -> None:
    ran = shell(f"{COMMAND} plan -q {QUICKSTART} -o json | head -1")
    assert (ran.stdout, ran.stderr) == ("{\n", "")


@pytest.mark.parametrize(
    ("file", "remedy"),
    [
        ("/dev/full", "make room there, or choose another file"),
        ("/nonexistent/plan.json", "make the folder first"),
        ("/", "this is a folder: name a file in it"),
    ],
)
def test_the_remedy_fits_what_is_wrong_with_a_file(file: str, remedy: str) -> None:
    ran = dractl("plan", "-q", QUICKSTART, "-o", f"json={file}")
    assert ran.code == 2
    assert ran.err.endswith(f"\n  {remedy}\n")


@pytest.mark.parametrize("command", ["plan", "gates", "pools", "lint", "taint"])
def test_an_input_is_not_overwritten(command: str, tmp_path: Path) -> None:
    file = tmp_path / "pods.yaml"
    text = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
    file.write_text(text)
    ran = dractl(command, str(file), "-o", f"json={tmp_path}/../{tmp_path.name}/pods.yaml")
    assert ran.code == 2
    assert f"would overwrite the input {file}" in ran.err
    assert file.read_text() == text


@pytest.mark.parametrize("name", ["", "Bad NS", "-a", "a" * 64])
def test_what_no_namespace_is_called_is_a_usage_error(name: str) -> None:
    ran = dractl("plan", QUICKSTART, "-n", name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: -n {name!r} is not the name of a namespace\n")
