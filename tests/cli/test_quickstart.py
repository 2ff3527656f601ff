# FEATURE: C1, P1, P2
"""The quickstart is what a new user sees first: every byte of it is looked at before it changes."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import QUICKSTART, ROOT, dractl

SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("form", ["table", "wide", "name", "yaml", "json", "metadata"])
def test_looks_as_it_did(form: str) -> None:
    ran = dractl("plan", QUICKSTART, "-o", form)
    folder = SNAPSHOTS / f"quickstart-{form}"
    if os.environ.get("DRACTL_UPDATE_SNAPSHOTS"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "stdout").write_text(ran.out, encoding="utf-8")
        (folder / "stderr").write_text(ran.err, encoding="utf-8")
        (folder / "code").write_text(f"{ran.code}\n", encoding="utf-8")
    assert ran.out == (folder / "stdout").read_text(encoding="utf-8")
    assert ran.err == (folder / "stderr").read_text(encoding="utf-8")
    assert ran.code == int((folder / "code").read_text(encoding="utf-8"))


def test_shows_what_it_promises() -> None:
    out = dractl("plan", QUICKSTART).out
    assert "ml/train-0   node-a  gpus         pair              gpu-0 gpu-1\n" in out  # a pair with matchAttribute
    assert "ml/notebook  node-a  gpu          half              gpu-2-half-0\n" in out  # a partition with counters
    assert "accelerator/card  card-0\n" in out  # firstAvailable: the first alternative
    assert "accelerator/half  gpu-0-half-0\n" in out  # and the second
    assert "ml/render does not fit" in out
    assert "It would fit if ml/notebook took gpu-4-half-0: the optimum places 5 of 6 pods." in out


def test_needs_no_gate_that_is_off() -> None:
    assert "gate" not in dractl("plan", QUICKSTART).out
    ran = dractl("plan", QUICKSTART, "--feature-gates", "Defaults")
    assert ran == dractl("plan", QUICKSTART)


@pytest.mark.parametrize("seed", ["1", "2"])
def test_same_bytes_whatever_the_hash_seed(seed: str) -> None:
    command = [sys.executable, "-c", "from dractl.cli.main import run; run()", "plan", QUICKSTART, "-o", "json"]
    ran = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=False
    )
    expected = (SNAPSHOTS / "quickstart-json" / "stdout").read_bytes()
    assert hashlib.sha256(ran.stdout).hexdigest() == hashlib.sha256(expected).hexdigest()
