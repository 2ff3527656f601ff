"""`dractl lint`: what is wrong with manifests, dumps and kubelet configurations before anything is planned."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, cast

import typer
from msgspec import Struct

from dractl.cli import options
from dractl.cli.exit_codes import ExitCode, FailOn
from dractl.cli.terminal import Color, Terminal
from dractl.errors import BadInput, Fault, UsageError

if TYPE_CHECKING:
    from dractl.cli.config import Config
    from dractl.cli.loading import Loaded
    from dractl.cli.outputs import Output
    from dractl.finding import Finding
    from dractl.planner.settings import Settings
    from dractl.report.lint import LintReport

EXAMPLES = """Examples:

\b
  dractl lint manifests/
  kustomize build overlays/prod | dractl lint cluster.yaml -
  dractl lint -R deploy/ --fail-on warning -o table -o sarif=dractl.sarif
  dractl lint --rules                             every rule
  dractl lint --rule DRA103                       what one is about

Exit codes:

\b
  0  no finding is at or above --fail-on
  1  a finding is at or above --fail-on
  2  bad input, which is among the findings, or usage
  70 an internal error
"""

_Outputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FORMAT[=FILE]",
        help="table (the default), json, markdown, junit, sarif or github; to a file with =FILE. Repeatable.",
    ),
]
_Namespace: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "-n",
        "--namespace",
        metavar="NAME",
        callback=options.namespace_name,
        help="The namespace of objects that name none.",
    ),
]
_ExitZero: TypeAlias = Annotated[
    bool, typer.Option("--exit-zero", help="Exit with 0 whatever is found; bad input is still 2.")
]
_Rules: TypeAlias = Annotated[bool, typer.Option("--rules", help="List all rules and exit.")]
_Rule: TypeAlias = Annotated[
    str | None, typer.Option("--rule", metavar="ID", help="Show the page of one rule, by id or name, and exit.")
]


class _Request(Struct, frozen=True):
    """What the command line asks for."""

    paths: Sequence[str]
    dumps: Sequence[str]
    recursive: bool
    namespace: str | None
    outputs: tuple["Output", ...]
    settings: "Settings"
    fail_on: FailOn
    exit_zero: bool
    config: "Config"


def lint(
    context: typer.Context,
    paths: options.Paths = None,
    filename: options.Filenames = None,
    recursive: options.Recursive = False,
    namespace: _Namespace = None,
    node_file: options.TopologyFiles = None,
    kubelet_config: options.KubeletConfigs = None,
    output: _Outputs = None,
    kubernetes_version: options.KubernetesVersion = "1.37",
    feature_gates: options.FeatureGates = None,
    rules: _Rules = False,
    rule: _Rule = None,
    exit_zero: _ExitZero = False,
    fail_on: options.FailOnFindings = FailOn.ERROR,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    color: options.ColorWhen = Color.AUTO,
    no_progress: options.NoProgress = False,
) -> None:
    """Say what is wrong with the input, as far as it can be known before anything is planned.

    That is what cannot be read, what the API server would refuse, and what the rules find beyond that. The annotation
    dractl.dev/ignore of an object and `ignore` in .dractl.yaml leave findings of rules out, never bad input.
    """
    from dractl.cli.config import find_config
    from dractl.cli.outputs import parse_outputs
    from dractl.planner.settings import Settings
    from dractl.report.lint import FORMATS

    terminal = cast("Terminal", context.obj)
    terminal.configure(color=color, quiet=quiet, verbose=verbose, progress=not no_progress)
    if rules or rule is not None:
        terminal.print(_manual(rule, terminal))
        raise typer.Exit
    request = _Request(
        paths=[*(paths or ()), *(filename or ())],
        dumps=[*(node_file or ()), *(kubelet_config or ())],
        recursive=recursive,
        namespace=namespace,
        outputs=parse_outputs(output or (), tuple(FORMATS)),
        settings=Settings(release=kubernetes_version, feature_gates=feature_gates),
        fail_on=fail_on,
        exit_zero=exit_zero,
        config=find_config(Path.cwd()),
    )
    raise typer.Exit(_answer(request, terminal))


def _manual(rule: str | None, terminal: Terminal) -> str:
    """The list of rules, or the page of one. Raises UsageError if there is no such rule."""
    from dractl.observe.lint import find_page, pages
    from dractl.report.lint import render_page, render_rules
    from dractl.report.view import View

    if rule is None:
        view = View(lambda _: None, width=terminal.width, is_coloured=terminal.colours_answer)
        return render_rules(pages(), view)
    page = find_page(rule)
    if page is None:
        raise UsageError(f"there is no rule {rule}", "dractl lint --rules lists them")
    return render_page(page)


def _answer(request: _Request, terminal: Terminal) -> ExitCode:
    from dractl.cli.inputs import find_inputs
    from dractl.cli.loading import Loaded, load
    from dractl.cli.outputs import refuse_overwriting
    from dractl.cli.stdin import read_stdin
    from dractl.cli.unrendered import without_unrendered
    from dractl.planner.linting import LIMITS_OF_PLANS
    from dractl.planner.mistakes import as_findings, without_echoes

    loaded = Loaded()
    faults: tuple[Fault, ...] = ()
    try:
        with terminal.working("reading"):
            loaded.inputs = find_inputs(
                request.paths, request.dumps, recursive=request.recursive, read_stdin=read_stdin
            )
            refuse_overwriting(request.outputs, loaded.inputs.files)
            loaded.inputs = without_unrendered(loaded.inputs)
            namespace = request.namespace or "default"
            load(loaded, request.settings, default_namespace=namespace, is_planned=False)
    except BadInput as bad:
        faults = bad.faults
    with terminal.working("looking"):
        refused = loaded.admission.faults if loaded.admission is not None else ()
        mistakes = list(as_findings(faults, refused))
        try:
            found = _found(loaded)
        except BadInput as bad:
            found, faults = [], (*faults, *bad.faults)
            mistakes += as_findings(bad.faults, ())
        read = [finding for finding in loaded.findings if finding.rule not in LIMITS_OF_PLANS]
        findings = [*read, *mistakes, *without_echoes(found, faults)]
    report = _report(request, terminal, loaded, findings)
    if faults:
        return ExitCode.BAD_INPUT
    failed = request.fail_on.is_met_by(report.findings) and not request.exit_zero
    return ExitCode.NOT_PLACED if failed else ExitCode.OK


def _found(loaded: "Loaded") -> "list[Finding]":
    """What the rules find in the objects that could be read."""
    from dractl.cli.machines import machines_of_others
    from dractl.planner.linting import lint as look

    if loaded.admission is None:
        return []
    linted = look(
        loaded.admission.objects,
        loaded.admission.gates,
        loaded.machines,
        loaded.passed_by,
        machines_of_others(loaded.dumps),
        loaded.unread,
    )
    return list(linted.findings)


def _report(request: _Request, terminal: Terminal, loaded: "Loaded", findings: "Sequence[Finding]") -> "LintReport":
    from dractl.cli.outputs import send
    from dractl.manifests import Locator
    from dractl.observe.lint import suppress
    from dractl.planner.mistakes import REFUSED, UNREADABLE
    from dractl.report.lint import FORMATS, LintReport, in_order
    from dractl.report.view import View

    config = request.config
    sources = [*loaded.sources, *([config.source] if config.source is not None else [])]
    files = [source.name for source in loaded.sources]
    objects = loaded.admission.objects if loaded.admission is not None else ()
    names = {file: config.relative(file) for file in files}
    kept, suppressed = suppress(
        findings, objects, config.ignored, names, always_shown=(UNREADABLE, REFUSED), unread=loaded.unread
    )
    view = View(Locator(sources).locate)
    report = LintReport(in_order(kept, view, files), suppressed, request.settings.release, loaded.not_read)
    send(request.outputs, terminal, view, lambda name, view: FORMATS[name](report, view))
    terminal.tell_times()
    return report
