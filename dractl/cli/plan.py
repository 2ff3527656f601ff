"""`dractl plan`: which pods get which devices on which node, and why not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import typer
from msgspec import Struct
from msgspec.structs import replace

from dractl.cli import options
from dractl.cli.bad_input import tell_bad_input
from dractl.cli.exit_codes import ExitCode, FailOn, code_of
from dractl.cli.terminal import Color, Terminal
from dractl.errors import BadInput, UsageError

if TYPE_CHECKING:
    from dractl.cli.loading import Loaded
    from dractl.cli.outputs import Output
    from dractl.planner.plan import Plan
    from dractl.planner.settings import Preference, Settings

EXAMPLES = """Examples:

\b
  dractl plan manifests/
  kustomize build overlays/prod | dractl plan cluster.yaml -
  dractl plan -R deploy/ -n ml -o wide
  dractl plan cluster.yaml -o table -o json=plan.json
  dractl plan cluster.yaml -o metadata
  dractl plan cluster.yaml worker-1.lscpu.json --prefer aligned

Exit codes:

\b
  0  every pod is placed
  1  a pod does not fit or waits, or a finding is at or above --fail-on
  2  bad input or usage
  3  a pod is undecided
  70 an internal error
  130 interrupted; what was predicted by then is shown
"""


class _Request(Struct, frozen=True):
    """What the command line asks for."""

    paths: Sequence[str]
    scheduler_file: str
    dumps: Sequence[str]
    recursive: bool
    namespace: str | None
    shows_all: bool
    outputs: tuple["Output", ...]
    settings: "Settings"
    fail_on: FailOn
    exit_zero: bool


def plan(
    context: typer.Context,
    paths: options.Paths = None,
    filename: options.Filenames = None,
    recursive: options.Recursive = False,
    namespace: options.Namespace = None,
    all_namespaces: options.AllNamespaces = False,
    output: options.Outputs = None,
    kubernetes_version: options.KubernetesVersion = "1.37",
    feature_gates: options.FeatureGates = None,
    node_file: options.TopologyFiles = None,
    kubelet_config: options.KubeletConfigs = None,
    scheduler_config: options.SchedulerConfig = None,
    optimum: options.WantsOptimum = False,
    prefer: options.Prefers = None,
    time_limit: options.TimeLimit = "30s",
    now: options.Now = None,
    exit_zero: options.ExitZero = False,
    fail_on: options.FailOnFindings = FailOn.ERROR,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    color: options.ColorWhen = Color.AUTO,
    no_progress: options.NoProgress = False,
) -> None:
    """Say which pods get which devices on which node, and why not.

    The prediction is what the scheduler will do, pod after pod. Where it leaves a pod out, the optimum says whether
    another placement has room for it.
    """
    from dractl.cli.clock import moment
    from dractl.cli.durations import seconds
    from dractl.cli.inputs import named_source
    from dractl.cli.outputs import parse_outputs
    from dractl.planner.settings import Settings
    from dractl.report.formats import FORMATS

    terminal = cast("Terminal", context.obj)
    terminal.configure(color=color, quiet=quiet, verbose=verbose, progress=not no_progress)
    request = _Request(
        paths=[*(paths or ()), *(filename or ()), *((scheduler_config,) if scheduler_config else ())],
        scheduler_file=named_source(scheduler_config or ""),
        dumps=[*(node_file or ()), *(kubelet_config or ())],
        recursive=recursive,
        namespace=namespace,
        shows_all=all_namespaces,
        outputs=parse_outputs(output or (), tuple(FORMATS)),
        settings=Settings(
            release=kubernetes_version,
            feature_gates=feature_gates,
            wants_optimum=optimum,
            prefers=_preference(prefer),
            time_limit_seconds=seconds(time_limit, "--time-limit"),
            now=moment(now),
        ),
        fail_on=fail_on,
        exit_zero=exit_zero,
    )
    raise typer.Exit(_answer(request, terminal))


def _preference(text: str | None) -> "Preference | None":
    """Raises UsageError for what the optimum cannot go by."""
    from dractl.planner.settings import Preference

    known = [str(each) for each in Preference]
    if text is not None and text not in known:
        raise UsageError(f"--prefer {text}: there is no such preference", f"write --prefer {' or '.join(known)}")
    return Preference(text) if text is not None else None


def _answer(request: _Request, terminal: Terminal) -> ExitCode:
    """Find, read, plan, report: one direction, and bad input ends it with all its faults."""
    from dractl.cli.inputs import find_inputs
    from dractl.cli.loading import Loaded, load
    from dractl.cli.outputs import refuse_overwriting
    from dractl.cli.stdin import read_stdin
    from dractl.planner.device_metadata import with_metadata
    from dractl.planner.planning import plan as make_plan

    loaded = Loaded()
    loaded.scheduler_file = request.scheduler_file
    try:
        with terminal.working("reading"):
            loaded.inputs = find_inputs(
                request.paths, request.dumps, recursive=request.recursive, read_stdin=read_stdin
            )
            refuse_overwriting(request.outputs, loaded.inputs.files)
            admission = load(loaded, request.settings, default_namespace=request.namespace or "default")
        with terminal.working("planning"):
            settings = replace(request.settings, scheduler=loaded.scheduler)
            answer = make_plan(admission.objects, settings, admission.gates, loaded.machines)
    except BadInput as bad:
        release = request.settings.release
        return tell_bad_input("plan", bad.faults, loaded, request.outputs, release, terminal)
    answer = with_metadata(answer, loaded.metadata)
    answer = replace(answer, findings=(*loaded.findings, *answer.findings))
    _report(request, terminal, loaded, answer)
    if answer.is_interrupted:
        terminal.has_answered = True
        return ExitCode.INTERRUPTED
    return code_of(answer, request.fail_on, exit_zero=request.exit_zero)


def _report(request: _Request, terminal: Terminal, loaded: "Loaded", answer: "Plan") -> None:
    from dractl.cli.outputs import send
    from dractl.report.findings import render_findings
    from dractl.report.formats import FORMATS
    from dractl.report.totals import input_line
    from dractl.report.view import View

    terminal.tell(input_line(answer, loaded.not_read) + "\n")
    view = View(loaded.locator.locate, None if request.shows_all else request.namespace)
    send(request.outputs, terminal, view, lambda name, view: FORMATS[name].render(answer, view))
    if not any(FORMATS[output.format].carries_findings for output in request.outputs):
        terminal.tell(render_findings(answer.findings, replace(view, is_coloured=terminal.colours_remarks)))
    terminal.tell_times()
