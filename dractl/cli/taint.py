"""`dractl taint`: which pods device taints would evict, when and why, and where they could go next."""

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
    from dractl.planner.settings import Settings
    from dractl.planner.taints import TaintReport

EXAMPLES = """Examples:

\b
  dractl taint cluster.yaml rule.yaml             before the rule reaches the cluster
  dractl taint cluster.yaml --driver gpu.example.com --pool node-a --device gpu-3
  dractl taint cluster.yaml --pool node-a --key example.com/firmware --effect NoSchedule
  dractl taint cluster.yaml rule.yaml worker-1.lscpu.json --kubelet-config worker-1.configz.json
  dractl taint cluster.yaml rule.yaml -o markdown=ticket.md --now 2026-01-31T12:00:00Z

Exit codes:

\b
  0  no pod is evicted that finds no other place
  1  an evicted pod finds no other place, or a finding is at or above --fail-on
  2  bad input or usage
  3  what becomes of an evicted pod is undecided
  70 an internal error
"""

_DEFAULT_KEY = "example.com/dry-run"

_Outputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FORMAT[=FILE]",
        help="table (the default), markdown or json; to a file with =FILE. Repeatable.",
    ),
]
_Driver: TypeAlias = Annotated[
    str | None, typer.Option("--driver", metavar="NAME", help="Add a rule that selects devices of this driver.")
]
_Pool: TypeAlias = Annotated[
    str | None, typer.Option("--pool", metavar="NAME", help="Add a rule that selects devices of pools of this name.")
]
_Device: TypeAlias = Annotated[
    str | None, typer.Option("--device", metavar="NAME", help="Add a rule that selects devices of this name.")
]
_Effect: TypeAlias = Annotated[
    str | None,
    typer.Option("--effect", metavar="EFFECT", help="Its effect: NoExecute (the default), NoSchedule, None."),
]
_Key: TypeAlias = Annotated[
    str | None, typer.Option("--key", metavar="KEY", help=f"The key of its taint; {_DEFAULT_KEY} if none is given.")
]
_Value: TypeAlias = Annotated[str | None, typer.Option("--value", metavar="VALUE", help="The value of its taint.")]


class _Request(Struct, frozen=True):
    """What the command line asks for."""

    paths: Sequence[str]
    dumps: Sequence[str]
    recursive: bool
    asked: "Source | None"
    namespace: str | None
    shows_all: bool
    outputs: tuple["Output", ...]
    settings: "Settings"
    fail_on: FailOn
    exit_zero: bool


def taint(
    context: typer.Context,
    paths: options.Paths = None,
    filename: options.Filenames = None,
    recursive: options.Recursive = False,
    namespace: options.Namespace = None,
    all_namespaces: options.AllNamespaces = False,
    driver: _Driver = None,
    pool: _Pool = None,
    device: _Device = None,
    effect: _Effect = None,
    key: _Key = None,
    value: _Value = None,
    output: _Outputs = None,
    kubernetes_version: options.KubernetesVersion = "1.37",
    feature_gates: options.FeatureGates = None,
    node_file: options.TopologyFiles = None,
    kubelet_config: options.KubeletConfigs = None,
    time_limit: options.TimeLimit = "30s",
    now: options.Now = None,
    exit_zero: options.ExitZero = False,
    fail_on: options.FailOnFindings = FailOn.ERROR,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    color: options.ColorWhen = Color.AUTO,
    no_progress: options.NoProgress = False,
) -> None:
    """Say which pods device taints would evict, when and why, and where these could go next.

    Counted are the taints of slices, the DeviceTaintRules of the input, and one more rule if the options describe it.
    A rule with the effect None evicts nobody: shown is what the effect NoExecute would do.
    """
    from dractl.cli.clock import moment
    from dractl.cli.durations import seconds
    from dractl.cli.outputs import parse_outputs
    from dractl.planner.settings import Settings
    from dractl.report.taint import FORMATS

    terminal = cast("Terminal", context.obj)
    terminal.configure(color=color, quiet=quiet, verbose=verbose, progress=not no_progress)
    request = _Request(
        paths=[*(paths or ()), *(filename or ())],
        dumps=[*(node_file or ()), *(kubelet_config or ())],
        recursive=recursive,
        asked=_asked(
            {"driver": driver, "pool": pool, "device": device}, {"key": key, "value": value, "effect": effect}
        ),
        namespace=namespace,
        shows_all=all_namespaces,
        outputs=parse_outputs(output or (), tuple(FORMATS)),
        settings=Settings(
            release=kubernetes_version,
            feature_gates=feature_gates,
            time_limit_seconds=seconds(time_limit, "--time-limit"),
            now=moment(now),
        ),
        fail_on=fail_on,
        exit_zero=exit_zero,
    )
    raise typer.Exit(_answer(request, terminal))


def _asked(selector: dict[str, str | None], content: dict[str, str | None]) -> "Source | None":
    """The rule that the options describe. Raises UsageError if they select no device in particular."""
    from dractl.cli.asked import described

    if all(each is None for each in selector.values()):
        if all(each is None for each in content.values()):
            return None
        raise UsageError(
            "a rule selects devices",
            "add --driver, --pool or --device; one that selects every device has to be written into a file",
        )
    effect, key = content["effect"] or "NoExecute", content["key"] or _DEFAULT_KEY
    spec = {"deviceSelector": selector, "taint": {**content, "key": key, "effect": effect}}
    return described("resource.k8s.io/v1", "DeviceTaintRule", spec)


def _answer(request: _Request, terminal: Terminal) -> ExitCode:
    from dractl.cli.asked import without_place_in_options
    from dractl.cli.inputs import find_inputs
    from dractl.cli.loading import Loaded, load
    from dractl.cli.outputs import refuse_overwriting
    from dractl.cli.stdin import read_stdin
    from dractl.planner.taints import taint_report

    loaded = Loaded()
    more = [request.asked] if request.asked is not None else []
    try:
        with terminal.working("reading"):
            loaded.inputs = find_inputs(
                request.paths, request.dumps, recursive=request.recursive, read_stdin=read_stdin
            )
            refuse_overwriting(request.outputs, loaded.inputs.files)
            loaded.inputs = replace(loaded.inputs, sources=(*loaded.inputs.sources, *more))
            admission = load(loaded, request.settings, default_namespace=request.namespace or "default")
        with terminal.working("planning"):
            assert request.settings.now is not None
            report = taint_report(
                admission.objects, request.settings, admission.gates, request.settings.now, loaded.machines
            )
    except BadInput as bad:
        release = request.settings.release
        return tell_bad_input("taint", bad.faults, loaded, request.outputs, release, terminal)
    findings = (*loaded.findings, *report.findings)
    report = replace(report, findings=tuple(without_place_in_options(each) for each in findings))
    _report(request, terminal, loaded, report)
    return ExitCode.OK if request.exit_zero else _code(report, request.fail_on)


def _code(report: "TaintReport", fail_on: FailOn) -> ExitCode:
    """What happens decides, not what rules with the effect None would do; undecided beats homeless."""
    evicted = report.of_kind(supposed=False)
    if any(each.is_undecided for each in evicted):
        return ExitCode.UNDECIDED
    if any(each.is_homeless for each in evicted) or fail_on.is_met_by(report.findings):
        return ExitCode.NOT_PLACED
    return ExitCode.OK


def _report(request: _Request, terminal: Terminal, loaded: "Loaded", report: "TaintReport") -> None:
    from dractl.cli.outputs import send
    from dractl.report.taint import FORMATS
    from dractl.report.view import View

    view = View(loaded.locator.locate, None if request.shows_all else request.namespace)
    send(request.outputs, terminal, view, lambda name, view: FORMATS[name](report, view))
    terminal.tell_times()
