"""`dractl gates`: the feature gates in force and where each came from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias, cast

import typer
from msgspec import Struct

from dractl.cli import options
from dractl.cli.exit_codes import ExitCode
from dractl.cli.terminal import Color, Terminal
from dractl.errors import BadInput

if TYPE_CHECKING:
    from dractl.cli.outputs import Output
    from dractl.gates import Gates
    from dractl.planner.settings import Settings
    from dractl.report.view import View

EXAMPLES = """Examples:

\b
  dractl gates                                    the defaults of the newest release
  dractl gates --kubernetes-version 1.35          those of an older one
  dractl gates manifests/                         with what the input turns on
  dractl gates --feature-gates AllBeta=false -o json

Exit codes:

\b
  0  the gates were resolved
  2  bad input or usage: no cluster starts with these gates
  70 an internal error
"""

_Paths: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PATH]...", help="Input whose features turn gates on, as for plan. Without any: none."),
]
_Outputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FORMAT[=FILE]",
        help="table (the default) or json; to a file with =FILE. Repeatable.",
    ),
]


class _Request(Struct, frozen=True):
    """What the command line asks for."""

    paths: Sequence[str]
    recursive: bool
    outputs: tuple["Output", ...]
    settings: "Settings"


def gates(
    context: typer.Context,
    paths: _Paths = None,
    filename: options.Filenames = None,
    recursive: options.Recursive = False,
    output: _Outputs = None,
    kubernetes_version: options.KubernetesVersion = "1.37",
    feature_gates: options.FeatureGates = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    color: options.ColorWhen = Color.AUTO,
    no_progress: options.NoProgress = False,
) -> None:
    """Say which feature gates are in force, in which stage each is, and why it is on or off.

    A gate is at its release's default, on besides if the input uses its feature, and as --feature-gates fixes it.
    What the API server would refuse in the input does not matter here.
    """
    from dractl.cli.outputs import parse_outputs
    from dractl.planner.settings import Settings
    from dractl.report.gate_table import FORMATS

    terminal = cast("Terminal", context.obj)
    terminal.configure(color=color, quiet=quiet, verbose=verbose, progress=not no_progress)
    request = _Request(
        paths=[*(paths or ()), *(filename or ())],
        recursive=recursive,
        outputs=parse_outputs(output or (), tuple(FORMATS)),
        settings=Settings(release=kubernetes_version, feature_gates=feature_gates),
    )
    raise typer.Exit(_answer(request, terminal))


def _answer(request: _Request, terminal: Terminal) -> ExitCode:
    from dractl.api.objects import ObjectSet
    from dractl.planner.admission import gates_in_force
    from dractl.report.view import View

    if not request.paths:
        _report(request, terminal, gates_in_force(ObjectSet(), request.settings), View(lambda _: None))
        return ExitCode.OK
    from dractl.cli.inputs import find_inputs
    from dractl.cli.loading import Loaded
    from dractl.cli.outputs import refuse_overwriting
    from dractl.cli.stdin import read_stdin
    from dractl.manifests import survey

    loaded = Loaded()
    try:
        with terminal.working("reading"):
            loaded.inputs = find_inputs(request.paths, recursive=request.recursive, read_stdin=read_stdin)
            refuse_overwriting(request.outputs, loaded.inputs.files)
            reading = survey(loaded.inputs.sources, default_namespace="default")
            faults = (*loaded.inputs.faults, *reading.faults)
            if faults:
                raise BadInput(faults)
    except BadInput as bad:
        terminal.complain(loaded.faults_text(bad.faults, terminal))
        return ExitCode.BAD_INPUT
    _report(request, terminal, gates_in_force(reading.objects, request.settings), View(loaded.locator.locate))
    return ExitCode.OK


def _report(request: _Request, terminal: Terminal, found: "Gates", view: "View") -> None:
    from dractl.cli.outputs import send
    from dractl.report.gate_table import FORMATS

    send(request.outputs, terminal, view, lambda name, view: FORMATS[name](found, view))
    terminal.tell_times()
