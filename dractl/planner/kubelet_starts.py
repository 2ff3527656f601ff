"""What is to be said about kubelets before any pod comes: that they do not start, or what is not known of them."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from dractl.errors import Place
from dractl.finding import Finding, Severity
from dractl.kubelet import MissingFacts, StartFailure
from dractl.kubelet.obstacles import field_at_fault, remedy_of
from dractl.kubelet.options import MOST_NUMA_NODES, TopologyOption
from dractl.phrases import counted
from dractl.planner.node_start import StartedNode

_NAMED: Final = 4


class _Remark(Struct, frozen=True):
    """What is said of a node; equal remarks of several nodes are one finding."""

    rule: str
    severity: Severity
    message: str
    place: Place | None = None
    remedy: str = ""


def start_findings(started: Mapping[str, StartedNode]) -> Iterator[Finding]:
    """What is to be said about the kubelets of all nodes, equal remarks together."""
    nodes: dict[_Remark, list[str]] = {}
    for name, node in started.items():
        for remark in _remarks(node):
            nodes.setdefault(remark, []).append(name)
    for remark, names in nodes.items():
        yield Finding(remark.rule, remark.severity, remark.message, remark.place, node_names(names), remark.remedy)


def node_names(names: list[str]) -> str:
    """The subject of a finding about several nodes."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"node {', '.join(names[:_NAMED])}{more}"


def _remarks(node: StartedNode) -> Iterator[_Remark]:
    if isinstance(node.kubelet, StartFailure):
        yield _failure(node, node.kubelet)
        return
    if isinstance(node.kubelet, MissingFacts):
        yield _Remark(
            "kubelet/missing-facts",
            Severity.WARNING,
            f"the dumps do not tell {' and '.join(node.kubelet.facts)}: what the kubelet does cannot be predicted",
            node.known.place,
            "add a dump that does: MachineInfo or an archive of /sys/devices/system",
        )
        return
    if node.known.configuration is None:
        yield _Remark(
            "kubelet/no-configuration",
            Severity.INFO,
            "no KubeletConfiguration: the kubelet's defaults hold, and no container has CPUs for itself",
            remedy="add it: kubectl get --raw /api/v1/nodes/NODE/proxy/configz",
        )
    if node.is_worked_out:
        yield _Remark(
            "kubelet/no-state",
            Severity.WARNING,
            "no state file says what running pods hold: it is worked out, as if they had come in the order of creation",
            remedy="add /var/lib/kubelet/cpu_manager_state and memory_manager_state",
        )
    if node.strangers:
        yield _strangers(node)


def _strangers(node: StartedNode) -> _Remark:
    number = len(node.strangers)
    pods = f"{counted(number, 'pod')} that the input lacks"
    if node.are_kept:
        message = f"the state files name {pods}: they count as running, with what they hold"
        return _Remark("kubelet/unknown-pods", Severity.WARNING, message, remedy="add `kubectl get pods -A -o yaml`")
    message = f"the state files name {pods}: the kubelet takes back what they held when the next pod comes"
    return _Remark("kubelet/leftovers", Severity.INFO, message)


def _failure(node: StartedNode, failure: StartFailure) -> _Remark:
    place = node.known.place
    nodes, most = len(node.machine.nodes), TopologyOption.MAX_NODES
    remedy = remedy_of(node.configuration, failure)
    if nodes > MOST_NUMA_NODES and any(field[-1] == most for field in failure.fields):
        remedy = (
            f'write {most}: "{nodes}" or more, in quotes: the node has {nodes} NUMA nodes, '
            f"and the limit is {MOST_NUMA_NODES} where nothing is said"
        )
    return _Remark(
        "kubelet/does-not-start",
        Severity.ERROR,
        f"the kubelet does not start, so that no pod runs here: {failure.message}",
        place.at(*field_at_fault(node.configuration, failure)) if place is not None else None,
        remedy or "correct the configuration, or drain the node and delete the state file that it names",
    )
