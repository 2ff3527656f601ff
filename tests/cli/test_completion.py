# FEATURE: C4
"""The other doors: kubectl's plugin, shell completion, and a terminal that wants no colours."""

import os
import subprocess
import sys
import tomllib

import pytest

from dractl.cli.terminal import Color, Terminal
from tests.cli.running import ROOT, dractl

RUN = "import sys; sys.argv = {argv!r}; from dractl.cli.main import run; run()"


def called_as(*argv: str, **environment: str) -> str:
    code = RUN.format(argv=list(argv))
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
    )
    return ran.stdout


def test_kubectl_finds_a_plugin_that_knows_its_name() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts["kubectl-dractl"] == scripts["dractl"]
    assert called_as("/usr/bin/kubectl-dractl", "lint", "-h").startswith("Usage: kubectl dractl lint ")
    assert called_as("/usr/bin/dractl", "lint", "-h").startswith("Usage: dractl lint ")


def test_completion() -> None:
    assert "--show-completion" in dractl("--help").out
    shown = called_as("dractl", _DRACTL_COMPLETE="complete_bash", COMP_WORDS="dractl li", COMP_CWORD="1")
    assert shown.split() == ["lint"]
    shown = called_as("dractl", _DRACTL_COMPLETE="complete_bash", COMP_WORDS="dractl lint --rul", COMP_CWORD="2")
    assert shown.split() == ["--rules", "--rule"]


@pytest.mark.parametrize(
    ("color", "environment", "is_coloured"),
    [
        (Color.AUTO, {}, True),
        (Color.AUTO, {"NO_COLOR": "1"}, False),
        (Color.AUTO, {"NO_COLOR": ""}, True),
        (Color.AUTO, {"TERM": "dumb"}, False),
        (Color.ALWAYS, {"NO_COLOR": "1"}, True),
        (Color.NEVER, {}, False),
    ],
)
def test_no_color(
    color: Color, environment: dict[str, str], is_coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    terminal = Terminal()
    terminal.configure(color=color, quiet=False, verbose=False, progress=True)
    assert terminal.colours_answer is is_coloured
