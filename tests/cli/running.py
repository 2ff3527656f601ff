"""The command line in this process: what it prints on both streams, and its exit code."""

import contextlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from dractl.cli.main import run

ROOT = Path(__file__).parents[2]
QUICKSTART = "fixtures/quickstart"


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str


def dractl(*arguments: str, stdin: bytes = b"") -> Ran:
    """Run `dractl ARGUMENTS` as a pipe would see it."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["dractl", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as leaving:
            run()
    code = leaving.value.code
    assert isinstance(code, int)
    return Ran(int(code), out.getvalue(), err.getvalue())
