"""`dractl pools`: what every pool has, who holds it, and what a ResourcePoolStatusRequest would be told."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias, cast

import typer
from msgspec import Struct
from msgspec.structs import replace

from dractl.cli import options
from dractl.cli.bad_input import tell_bad_input
from dractl.cli.exit_codes import ExitCode, FailOn
from dractl.cli.terminal import Color, Terminal
from dractl.errors import BadInput, UsageError

if TYPE_CHECKING:
    from dractl.cli.loading import Loaded
    from dractl.cli.outputs import Output
    from dractl.manifests import Source
    from dractl.planner.pools import PoolsReport
    from dractl.planner.settings import Settings

EXAMPLES = """Examples:

\b
  dractl pools cluster.yaml                       every pool, node by node
  dractl pools cluster.yaml request.yaml -o yaml  the request with its status
  dractl pools cluster.yaml --driver gpu.example.com --pool node-a
  dractl pools cluster.yaml --driver gpu.example.com --default-partition-type-attribute gpu.example.com/profile

Exit codes:

\b
  0  the pools were read
  1  a finding is at or above --fail-on
  2  bad input or usage
  70 an internal error
"""

_Outputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FORMAT[=FILE]",
        help="table (the default), yaml or json; to a file with =FILE. Repeatable.",
    ),
]
_Driver: TypeAlias = Annotated[
    str | None, typer.Option("--driver", metavar="NAME", help="Ask about this driver, whatever requests the input has.")
]
_Pool: TypeAlias = Annotated[
    str | None, typer.Option("--pool", metavar="NAME", help="Ask about this pool of the driver only.")
]
_Limit: TypeAlias = Annotated[
    int | None, typer.Option("--limit", metavar="NUMBER", help="How many pools are returned: 1 to 1000, else 100.")
]
_Attribute: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--default-partition-type-attribute",
        metavar="NAME",
        help="By which attribute partitions are grouped in pools that declare none.",
    ),
]


class _Request(Struct, frozen=True):
    """What the command line asks for."""

    paths: Sequence[str]
    recursive: bool
    asked: "Source | None"
    outputs: tuple["Output", ...]
    settings: "Settings"
    fail_on: FailOn


def pools(
    context: typer.Context,
    paths: options.Paths = None,
    filename: options.Filenames = None,
    recursive: options.Recursive = False,
    driver: _Driver = None,
    pool: _Pool = None,
    limit: _Limit = None,
    default_partition_type_attribute: _Attribute = None,
    output: _Outputs = None,
    kubernetes_version: options.KubernetesVersion = "1.37",
    feature_gates: options.FeatureGates = None,
    now: options.Now = None,
    fail_on: options.FailOnFindings = FailOn.ERROR,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    color: options.ColorWhen = Color.AUTO,
    no_progress: options.NoProgress = False,
) -> None:
    """Say what every pool has on every node, and who holds it.

    ResourcePoolStatusRequests of the input are answered as the controller would; -o yaml and -o json give them
    with their status. --driver asks without such an object. Nothing is planned: claims count as they stand.
    """
    from dractl.cli.clock import moment
    from dractl.cli.outputs import parse_outputs
    from dractl.planner.settings import Settings
    from dractl.report.pools import FORMATS

    terminal = cast("Terminal", context.obj)
    terminal.configure(color=color, quiet=quiet, verbose=verbose, progress=not no_progress)
    request = _Request(
        paths=[*(paths or ()), *(filename or ())],
        recursive=recursive,
        asked=_asked(driver, pool, limit, default_partition_type_attribute),
        outputs=parse_outputs(output or (), tuple(FORMATS)),
        settings=Settings(release=kubernetes_version, feature_gates=feature_gates, now=moment(now)),
        fail_on=fail_on,
    )
    raise typer.Exit(_answer(request, terminal))


def _asked(driver: str | None, pool: str | None, limit: int | None, attribute: str | None) -> "Source | None":
    """The request that the options describe. Raises UsageError if they name no driver."""
    from dractl.cli.asked import described

    spec = {"driver": driver, "poolName": pool, "limit": limit, "defaultPartitionTypeAttribute": attribute}
    if all(value is None for value in spec.values()):
        return None
    if driver is None:
        raise UsageError("a request for pool status names its driver", "add --driver NAME")
    return described("resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest", spec)


def _answer(request: _Request, terminal: Terminal) -> ExitCode:
    from dractl.cli.asked import NAME
    from dractl.cli.inputs import find_inputs
    from dractl.cli.loading import Loaded, load
    from dractl.cli.outputs import refuse_overwriting
    from dractl.cli.stdin import read_stdin
    from dractl.planner.pools import pools_report

    loaded = Loaded()
    more = [request.asked] if request.asked is not None else []
    try:
        with terminal.working("reading"):
            loaded.inputs = find_inputs(request.paths, recursive=request.recursive, read_stdin=read_stdin)
            refuse_overwriting(request.outputs, loaded.inputs.files)
            loaded.inputs = replace(loaded.inputs, sources=(*loaded.inputs.sources, *more))
            admission = load(loaded, request.settings, default_namespace="default")
        with terminal.working("counting"):
            assert request.settings.now is not None
            report = pools_report(admission.objects, admission.gates, request.settings.now, NAME if more else None)
    except BadInput as bad:
        release = request.settings.release
        return tell_bad_input("pools", bad.faults, loaded, request.outputs, release, terminal)
    report = replace(report, findings=(*loaded.findings, *report.findings))
    _report(request, terminal, loaded, report)
    return ExitCode.NOT_PLACED if request.fail_on.is_met_by(report.findings) else ExitCode.OK


def _report(request: _Request, terminal: Terminal, loaded: "Loaded", report: "PoolsReport") -> None:
    from dractl.cli.outputs import send
    from dractl.report.findings import render_findings
    from dractl.report.pools import FORMATS
    from dractl.report.view import View

    view = View(loaded.locator.locate)
    send(request.outputs, terminal, view, lambda name, view: FORMATS[name](report, view))
    if not any(output.format == "table" for output in request.outputs):
        terminal.tell(render_findings(report.findings, replace(view, is_coloured=terminal.colours_remarks)))
    terminal.tell_times()
