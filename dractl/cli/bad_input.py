"""What a command does when its input is bad: it tells the faults, and answers nothing else."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dractl.cli.exit_codes import ExitCode
from dractl.errors import Fault

if TYPE_CHECKING:
    from dractl.cli.loading import Loaded
    from dractl.cli.outputs import Output
    from dractl.cli.terminal import Terminal
    from dractl.report.bad_input import BadInputReport
    from dractl.report.view import View


def tell_bad_input(
    command: str,
    faults: Sequence[Fault],
    loaded: "Loaded",
    outputs: "Iterable[Output]",
    release: str,
    terminal: "Terminal",
) -> ExitCode:
    """All faults on standard error for people, and in each output that programs read.

    Raises UsageError if a file cannot be written.
    """
    from dractl.cli.outputs import send
    from dractl.report.bad_input import FORMATS
    from dractl.report.view import View

    terminal.complain(loaded.faults_text(faults, terminal))
    asked = [output for output in outputs if output.format in FORMATS]
    if asked:
        view = View(loaded.locator.locate)
        report = _report(command, faults, loaded, release, view)
        send(asked, terminal, view, lambda name, view: FORMATS[name](report, view))
    return ExitCode.BAD_INPUT


def _report(command: str, faults: Sequence[Fault], loaded: "Loaded", release: str, view: "View") -> "BadInputReport":
    """The faults and what else was noticed while reading."""
    from dractl.planner.mistakes import as_findings
    from dractl.report.bad_input import BadInputReport
    from dractl.report.lint import in_order

    refused = loaded.admission.faults if loaded.admission is not None else ()
    findings = [*loaded.findings, *as_findings(faults, refused)]
    return BadInputReport(command, in_order(findings, view, [source.name for source in loaded.sources]), release)
