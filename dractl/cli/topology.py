"""`dractl topology`: what dumps say about the hardware of nodes, as a picture."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, cast

import typer
from msgspec import Struct
from msgspec.structs import replace

from dractl.cli import options
from dractl.cli.exit_codes import ExitCode, FailOn
from dractl.cli.terminal import Color, Terminal
from dractl.errors import BadInput

if TYPE_CHECKING:
    from dractl.cli.outputs import Output
    from dractl.errors import Fault, Position
    from dractl.planner.kubelets import NodeAfter
    from dractl.report.topology import KnownNumaNode, NodePicture
    from dractl.report.view import View
    from dractl.topology import Dump, DumpReading, NodeDumps

EXAMPLES = """Examples:

\b
  ssh worker-1 lscpu -J -e > worker-1.lscpu.json && dractl topology worker-1.lscpu.json
  lstopo --of xml node.xml && dractl topology --topology worker-1=node.xml
  dractl topology sysinfo.tgz cpu_manager_state --kubelet-config kubelet.yaml
  dractl topology must-gather/nodes/worker-1/ -o json
  dractl topology worker-1.lscpu.json --kubelet-config kubelet.yaml --after manifests/

Exit codes:

\b
  0  the dumps were read
  1  a finding is at or above --fail-on
  2  bad input or usage; contradictions between dumps of one node are bad input
  70 an internal error
"""

FORMATS: Final = ("table", "json")

_Outputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FORMAT[=FILE]",
        help="table (the default) or json; to a file with =FILE. Repeatable.",
    ),
]
_Paths: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PATH]...", help="Dumps of nodes: files, folders, globs, or - for standard input."),
]


_After: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--after",
        metavar="PATH",
        help="Plan these manifests first, and show each node as it is when their pods have come. Repeatable.",
    ),
]


class _Request(Struct, frozen=True):
    """What the command line asks for."""

    paths: Sequence[str]
    named: Sequence[str]
    after: Sequence[str]
    recursive: bool
    outputs: tuple["Output", ...]
    fail_on: FailOn


def topology(
    context: typer.Context,
    paths: _Paths = None,
    filename: options.Filenames = None,
    recursive: options.Recursive = False,
    node_file: options.TopologyFiles = None,
    kubelet_config: options.KubeletConfigs = None,
    after: _After = None,
    output: _Outputs = None,
    fail_on: options.FailOnFindings = FailOn.ERROR,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    color: options.ColorWhen = Color.AUTO,
    no_progress: options.NoProgress = False,
) -> None:
    """Draw the machines that dumps of nodes describe.

    Shown are sockets, NUMA nodes, caches, cores, CPUs, memory, distances and PCI devices. Several dumps of one node are
    put together; where they contradict each other both are named.
    """
    from dractl.cli.outputs import parse_outputs

    terminal = cast("Terminal", context.obj)
    terminal.configure(color=color, quiet=quiet, verbose=verbose, progress=not no_progress)
    request = _Request(
        [*(paths or ()), *(filename or ())],
        [*(node_file or ()), *(kubelet_config or ())],
        after or (),
        recursive,
        parse_outputs(output or (), FORMATS),
        fail_on,
    )
    raise typer.Exit(_answer(request, terminal))


def _answer(request: _Request, terminal: Terminal) -> ExitCode:
    from dractl.cli.dumps import find_dumps, read_objects
    from dractl.cli.outputs import refuse_overwriting
    from dractl.cli.stdin import read_stdin
    from dractl.topology import read_dumps

    if request.after:
        return _answer_after(request, terminal)
    dumps: Sequence[Dump] = ()
    try:
        with terminal.working("reading"):
            found = find_dumps(request.paths, request.named, recursive=request.recursive, read_stdin=read_stdin)
            dumps = found.dumps
            refuse_overwriting(request.outputs, (dump.name for dump in dumps))
            reading = read_dumps(dumps, read_objects)
    except BadInput as bad:
        terminal.complain(_faults_text(bad.faults, dumps, terminal))
        return ExitCode.BAD_INPUT
    terminal.tell(_input_line(reading, len(dumps), found.skipped_files))
    _report(request, terminal, dumps, reading)
    return ExitCode.NOT_PLACED if request.fail_on.is_met_by(reading.findings) else ExitCode.OK


def _answer_after(request: _Request, terminal: Terminal) -> ExitCode:
    """Read and plan like `dractl plan`; then the nodes are drawn as the prediction leaves them."""
    from dractl.cli.clock import moment
    from dractl.cli.inputs import find_inputs
    from dractl.cli.loading import Loaded, load
    from dractl.cli.stdin import read_stdin
    from dractl.planner.planning import plan
    from dractl.planner.settings import Settings
    from dractl.report.totals import closing_lines, input_line

    loaded, settings = Loaded(), Settings(now=moment(None))
    try:
        with terminal.working("reading"):
            paths = [*request.after, *request.paths]
            loaded.inputs = find_inputs(paths, request.named, recursive=request.recursive, read_stdin=read_stdin)
            admission = load(loaded, settings, default_namespace="default")
        with terminal.working("planning"):
            answer = plan(admission.objects, settings, admission.gates, loaded.machines)
    except BadInput as bad:
        terminal.complain(loaded.faults_text(bad.faults, terminal))
        return ExitCode.BAD_INPUT
    terminal.tell(input_line(answer, loaded.not_read) + "\n")
    terminal.tell("".join(f"{line}\n" for line in closing_lines(answer)))
    findings = (*loaded.findings, *answer.findings)
    shown = replace(loaded.dumps, findings=findings)
    _report(request, terminal, loaded.inputs.dumps, shown, answer.prediction.kubelets)
    return ExitCode.NOT_PLACED if request.fail_on.is_met_by(findings) else ExitCode.OK


def _report(
    request: _Request,
    terminal: Terminal,
    dumps: Sequence["Dump"],
    reading: "DumpReading",
    after: "Mapping[str, NodeAfter] | None" = None,
) -> None:
    from dractl.cli.outputs import send
    from dractl.report.topology import TopologyReport, render_page
    from dractl.report.topology_json import render_json

    configured = reading.configuration
    pictures = (_picture(reading, node) for node in reading.nodes.values())
    report = TopologyReport(
        tuple(replace(picture, after=(after or {}).get(picture.name)) for picture in pictures),
        configured.configuration if configured else None,
        reading.findings,
    )
    view = _view(dumps)
    renders = dict(zip(FORMATS, (render_page, render_json), strict=True))
    send(request.outputs, terminal, view, lambda name, view: renders[name](report, view))
    terminal.tell_times()


# --- from what was read to what is shown -----------------------------------------------------------------------------


def _picture(reading: "DumpReading", node: "NodeDumps") -> "NodePicture":
    from dractl.report.topology import NodePicture

    configured = reading.configuration_of(node.node)
    return NodePicture(
        node.node,
        node.machine,
        _known(node) if node.machine is None else (),
        tuple(each.label for each in node.descriptions),
        configured.configuration if configured else None,
        node.states,
        node.resources.devices,
        node.resources.held,
    )


def _known(node: "NodeDumps") -> tuple["KnownNumaNode", ...]:
    """The NUMA nodes of the most trusted dump that names some, with whatever any dump says of each."""
    from dractl.report.topology import KnownNumaNode

    devices: Mapping[int, Mapping[str, int]] = (node.reported.devices if node.reported else None) or {}
    known: dict[int, KnownNumaNode] = {}
    for description in node.descriptions:
        for number, facts in description.numa.items():
            one = known.get(number, KnownNumaNode(number, devices=devices.get(number, {})))
            known[number] = replace(
                one,
                cpus=facts.cpus if one.cpus is None else one.cpus,
                cpu_count=facts.cpu_count if one.cpu_count is None else one.cpu_count,
                memory=facts.memory if one.memory is None else one.memory,
                huge_pages=one.huge_pages or facts.huge_pages or (),
                distances=one.distances or facts.distances or (),
            )
    return tuple(known[number] for number in sorted(known))


def _input_line(reading: "DumpReading", dumps: int, skipped_files: int) -> str:
    from dractl.phrases import counted, listed

    left_out = [counted(number, kind) for kind, number in sorted(Counter(reading.skipped).items())]
    left_out += [counted(skipped_files, "other file")] if skipped_files else []
    skipped = f" ({listed(left_out, at_most=8)} skipped)" if left_out else ""
    return f"{counted(dumps, 'dump')} · {counted(len(reading.nodes), 'node')}{skipped}\n"


def _view(dumps: Sequence["Dump"]) -> "View":
    """Lines are looked up in the dumps that are text."""
    from dractl.manifests import Locator, Source
    from dractl.report.view import View

    texts = [Source(dump.name, dump.content) for dump in dumps if isinstance(dump.content, bytes) and _is_text(dump)]
    return View(Locator(texts).locate)


def _is_text(dump: "Dump") -> bool:
    return isinstance(dump.content, bytes) and b"\0" not in dump.content[:1024]


def _faults_text(faults: Sequence["Fault"], dumps: Sequence["Dump"], terminal: Terminal) -> str:
    from dractl.manifests import Source, excerpt
    from dractl.report.faults import render_faults

    sources = {
        dump.name: Source(dump.name, dump.content)
        for dump in dumps
        if isinstance(dump.content, bytes) and _is_text(dump)
    }

    def line_of(file: str, position: "Position") -> str:
        return excerpt(sources[file], position) if file in sources else ""

    view = replace(_view(dumps), is_coloured=terminal.colours_remarks)
    return render_faults(faults, view, line_of, outcome="nothing was drawn")
