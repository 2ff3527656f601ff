"""The command `dractl`: its subcommands, and what becomes of errors that none of them handles."""

import errno
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any, Final, TypeGuard, cast

import typer

from dractl import __version__
from dractl.cli import gates, lint, plan, pools, taint, topology
from dractl.cli.exit_codes import ExitCode
from dractl.cli.main import INTERRUPTED
from dractl.cli.terminal import PipeClosed, Terminal, cannot_print, discard_output
from dractl.errors import BadInput, UsageError

EXAMPLES = """Examples:

\b
  dractl plan manifests/                          what the scheduler would do
  kustomize build overlays/prod | dractl plan -   before anything reaches a cluster
  kubectl get nodes,resourceslices,deviceclasses,resourceclaims,pods -A -o yaml > cluster.yaml
  dractl plan cluster.yaml new/                   new manifests on what runs already

`dractl COMMAND -h` describes a command; its manual is `man dractl-COMMAND`.
"""

app = typer.Typer(
    name="dractl",
    help="Plan which pods get which devices on which node under Kubernetes Dynamic Resource Allocation, and why not.",
    epilog=EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog=plan.EXAMPLES)(plan.plan)
app.command(epilog=pools.EXAMPLES)(pools.pools)
app.command(epilog=taint.EXAMPLES)(taint.taint)
app.command(epilog=lint.EXAMPLES)(lint.lint)
app.command(epilog=topology.EXAMPLES)(topology.topology)
app.command(epilog=gates.EXAMPLES)(gates.gates)

_CALLS: Final = 60_000
"""Kubernetes reads data that are nested 10,000 levels deep, and writing them takes a few calls for each level."""
_OF_OUTPUT: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})

_REPORT_IT = (
    "This is a fault of dractl, not of your input. Please report it with the command line, the output of\n"
    "`dractl --version` and, if you can, the input"
)


def _print_version(wanted: bool) -> None:
    if wanted:
        Terminal().print(f"dractl {__version__}\n")
        raise typer.Exit


@app.callback()
def dractl(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Plan which pods get which devices on which node under Dynamic Resource Allocation, and why not."""
    del version  # its callback has answered already
    if context.invoked_subcommand is not None:
        context.default_map = {context.invoked_subcommand: _defaults(cast("Terminal", context.obj))}


def _defaults(terminal: Terminal) -> dict[str, Any]:
    """What `.dractl.yaml` says of options: it counts as if it stood on the command line. Exits if the file is wrong."""
    from dractl.cli.config import find_config
    from dractl.report.faults import render_faults
    from dractl.report.view import View

    try:
        return dict(find_config(Path.cwd()).defaults)
    except BadInput as bad:
        terminal.complain(render_faults(bad.faults, View(lambda _: None), lambda *_: "", outcome="nothing was done"))
        raise typer.Exit(ExitCode.BAD_INPUT) from None


def run_app() -> None:
    """Run the command line and exit; no exception but KeyboardInterrupt leaves here, no traceback without `-v`."""
    terminal = Terminal()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _CALLS))
    try:
        app(obj=terminal, prog_name=_program())
    except SystemExit as leaving:
        if leaving.code == ExitCode.INTERRUPTED and not terminal.has_answered:
            terminal.complain(INTERRUPTED)
        raise
    except UsageError as error:
        terminal.complain(_usage_text(error))
        sys.exit(ExitCode.BAD_INPUT)
    except PipeClosed:
        discard_output()
        sys.exit(ExitCode.BROKEN_PIPE)
    except Exception as error:  # the one place that turns whatever is left into an exit code
        if _is_of_output(error):
            discard_output()
            terminal.complain(_usage_text(cannot_print(error)))
            sys.exit(ExitCode.BAD_INPUT)
        terminal.complain(_internal_text(error, verbose=terminal.verbose))
        sys.exit(ExitCode.INTERNAL)


def _is_of_output(error: Exception) -> TypeGuard[OSError]:
    """Whether help could not be printed: only typer writes to standard output without the terminal."""
    return isinstance(error, OSError) and error.filename is None and error.errno in _OF_OUTPUT


def _program() -> str:
    """How the program was called: kubectl runs `kubectl-dractl` for `kubectl dractl`."""
    return "kubectl dractl" if Path(sys.argv[0]).stem == "kubectl-dractl" else "dractl"


def _usage_text(error: UsageError) -> str:
    return f"error: {error}\n" + (f"  {error.remedy}\n" if error.remedy else "")


def _internal_text(error: Exception, *, verbose: bool) -> str:
    first = " ".join(str(error).split())
    text = f"internal error: {type(error).__name__}: {first}\n{_REPORT_IT}"
    if verbose:
        return f"{text}.\n\n{''.join(traceback.format_exception(error))}"
    return f"{text}; -v shows where it happened.\n"
