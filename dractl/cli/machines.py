"""The nodes' machines among what was read, as the planner wants them."""

from collections.abc import Iterator, Mapping, Sequence

from dractl.api.core import Node
from dractl.api.objects import ObjectSet
from dractl.cli.dumps import read_kubelet_objects
from dractl.cluster.node_machine import NodeMachine
from dractl.errors import Place
from dractl.finding import Finding, Severity
from dractl.topology import Dump, DumpReading, NodeDumps, read_dumps
from dractl.workloads import named_nodes


def read_machines(dumps: Sequence[Dump], objects: ObjectSet, *, allows_alternatives: bool = False) -> DumpReading:
    """What the dumps say, each given to a node of the objects where it is of one. Raises BadInput as `read_dumps`."""
    cpus = {node.ref.name: _cpus(node.object) for node in objects.of(Node)}
    known = {name: cpus.get(name) for name in named_nodes(objects)}
    return read_dumps(dumps, read_kubelet_objects, known_nodes=known, allows_alternatives=allows_alternatives)


def machines_of(reading: DumpReading, objects: ObjectSet) -> Mapping[str, NodeMachine]:
    """By node: what is known of its hardware and its kubelet. Nodes of which nothing is known are left out."""
    names = dict.fromkeys([*named_nodes(objects), *reading.nodes])
    found = {name: _machine(name, reading) for name in names}
    return {name: machine for name, machine in found.items() if machine != NodeMachine()}


def machines_of_others(reading: DumpReading) -> list[NodeMachine]:
    """What is known of nodes that may be in the cluster and are not in the input: at most their configurations."""
    return [NodeMachine(None, each.configuration, each.place) for each in reading.configurations]


def stray_dumps(reading: DumpReading, objects: ObjectSet) -> Iterator[Finding]:
    """Dumps of nodes that a cluster whose nodes are in the input does not have."""
    if not objects.of(Node):
        return
    known = set(named_nodes(objects))
    for name, node in reading.nodes.items():
        if name in known:
            continue
        if node.descriptions:
            yield Finding(
                "topology/stray-dump",
                Severity.WARNING,
                f"the input has no node {name}: the dump is not used",
                Place(node.descriptions[0].origin),
                f"node {name}",
                f"say whose it is: --topology NODE={node.descriptions[0].origin.file}",
            )
        elif node.configuration is not None:
            yield Finding(
                "topology/stray-configuration",
                Severity.WARNING,
                f"the input has no node {name}: the configuration of its kubelet is not used",
                node.configuration.place,
                f"node {name}",
                "name a node of the input: --kubelet-config NODE=FILE",
            )


def _cpus(node: Node) -> int | None:
    amount = (node.status.capacity or {}).get("cpu")
    return amount.rounded_up() if amount is not None and amount.is_whole else None


def _machine(name: str, reading: DumpReading) -> NodeMachine:
    dumps = reading.nodes.get(name, NodeDumps(name))
    configured = reading.configuration_of(name)
    return NodeMachine(
        dumps.machine,
        configured.configuration if configured is not None else None,
        configured.place if configured is not None else None,
        dumps.states,
        dumps.resources.devices,
        dumps.resources.held,
    )
