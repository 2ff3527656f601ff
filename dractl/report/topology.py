"""`dractl topology`: what is known of each node, as a page that people recognise their machine on."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from dractl.finding import Finding
from dractl.kubelet.checkpoints import state_files_of
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.devices import HeldResources, PluginDevice
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Exactness, HugePages, Machine, Provenance
from dractl.machine.state_files import StateFiles
from dractl.phrases import counted, listed
from dractl.planner.kubelets import NodeAfter
from dractl.report.canvas import Canvas
from dractl.report.findings import draw_findings
from dractl.report.kubelet_lines import draw_kubelet
from dractl.report.machine_lines import draw_distances, draw_machine, memory_text, pages_text
from dractl.report.node_reports import held_after
from dractl.report.pci_lines import draw_pci_devices
from dractl.report.view import View


class KnownNumaNode(Struct, frozen=True):
    """What is known of a NUMA node where the machine's cores are not; None is not known."""

    node_id: int
    cpus: CpuSet | None = None
    cpu_count: int | None = None
    memory: int | None = None
    huge_pages: tuple[HugePages, ...] = ()
    distances: tuple[int, ...] = ()
    devices: Mapping[str, int] = field(default_factory=dict)


class NodePicture(Struct, frozen=True):
    """One node. Without a machine `numa` has what is known; `sources` are the dumps, the most trusted first.

    `after` is the node when pods have come that were planned.
    """

    name: str
    machine: Machine | None = None
    numa: tuple[KnownNumaNode, ...] = ()
    sources: tuple[str, ...] = ()
    configuration: KubeletConfiguration | None = None
    states: StateFiles = field(default_factory=StateFiles)
    devices: tuple[PluginDevice, ...] = ()
    held: tuple[HeldResources, ...] = ()
    after: NodeAfter | None = None


class TopologyReport(Struct, frozen=True):
    """All nodes, the configuration of those that have none of their own, and what is to be said about the dumps."""

    nodes: tuple[NodePicture, ...]
    configuration: KubeletConfiguration | None = None
    findings: tuple[Finding, ...] = ()


def render_page(report: TopologyReport, view: View) -> str:
    """All nodes, one below the other, then the findings."""
    canvas = Canvas(view)
    for number, node in enumerate(report.nodes):
        if number:
            canvas.line()
        _draw_node(canvas, node, view)
    if not report.nodes:
        canvas.line("No dump describes a node.")
        draw_kubelet(canvas, report.configuration, StateFiles(), (), ())
    if report.findings:
        canvas.line()
        draw_findings(canvas, report.findings, view)
    return canvas.text()


def _draw_node(canvas: Canvas, node: NodePicture, view: View) -> None:
    canvas.line(_title(node), style="bold")
    if node.machine is not None:
        if node.machine.model or node.machine.architecture:
            canvas.line(" · ".join(part for part in (node.machine.model, node.machine.architecture) if part))
        draw_machine(canvas, node.machine, view)
        draw_distances(canvas, {each.node_id: each.distances for each in node.machine.nodes})
        draw_pci_devices(canvas, node.machine)
    elif node.numa:
        _draw_known(canvas, node.numa)
    if node.after is None:
        draw_kubelet(canvas, node.configuration, node.states, node.devices, node.held)
    else:
        after = node.after
        draw_kubelet(canvas, node.configuration, state_files_of(after.state), node.devices, held_after(after))
    _draw_sources(canvas, node)


def _title(node: NodePicture) -> str:
    machine = node.machine
    if machine is None:
        parts = [counted(len(node.numa), "NUMA node")] if node.numa else []
        return "  ".join([node.name, " · ".join([*parts, "its cores are not known"])])
    parts = [
        counted(machine.sockets, "socket"),
        counted(len(machine.nodes), "NUMA node"),
        counted(len(machine.cores), "core"),
        counted(len(machine.cpus), "CPU"),
    ]
    if machine.memory is not None:
        parts.append(memory_text(machine.memory))
    return f"{node.name}  {' · '.join(parts)}"


def _draw_known(canvas: Canvas, numa: Sequence[KnownNumaNode]) -> None:
    for node in numa:
        count = len(node.cpus) if node.cpus is not None else node.cpu_count
        parts = [] if count is None else [counted(count, "CPU") + (f" {node.cpus}" if node.cpus else "")]
        parts += [memory_text(node.memory)] if node.memory is not None else []
        parts += pages_text(node.huge_pages)
        parts += [f"{number} × {resource}" for resource, number in sorted(node.devices.items()) if number]
        canvas.line(f"  NUMA node {node.node_id}   {' · '.join(parts)}")
    draw_distances(canvas, {node.node_id: node.distances for node in numa})


def _draw_sources(canvas: Canvas, node: NodePicture) -> None:
    if not node.sources:
        return
    canvas.line()
    canvas.line(f"from {listed(node.sources, at_most=6)}", style="dim")
    inexact = [each for each in node.machine.provenance if _is_doubtful(each)] if node.machine is not None else []
    for each in inexact:
        canvas.line(f"{each.aspect}: {each.exactness} ({each.reason})", style="yellow")


def _is_doubtful(provenance: Provenance) -> bool:
    return provenance.exactness is not Exactness.EXACT
