"""What the dumps of all nodes say, put together by node."""

from collections.abc import Mapping

from msgspec import Struct, field

from dractl.errors import Place
from dractl.finding import Finding
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.machine import Machine
from dractl.machine.state_files import StateFiles
from dractl.topology.description import Description
from dractl.topology.pod_resources import PodResources
from dractl.topology.resource_topology import NodeResources


class Configured(Struct, frozen=True):
    """A kubelet configuration and where its fields stand."""

    configuration: KubeletConfiguration
    place: Place


class NodeDumps(Struct, frozen=True):
    """Everything that the dumps say of one node.

    `machine` is None where no dump lists CPUs with their cores: then `descriptions` hold what is known. These are in
    the order of trust. `configuration` is the node's own. `reported` is its NodeResourceTopology.
    """

    node: str
    machine: Machine | None = None
    descriptions: tuple[Description, ...] = ()
    configuration: Configured | None = None
    states: StateFiles = field(default_factory=StateFiles)
    resources: PodResources = field(default_factory=PodResources)
    reported: NodeResources | None = None


class DumpReading(Struct, frozen=True):
    """All nodes by name, the configurations that name none, and what is to be said.

    `skipped` are the kinds of objects that say nothing about a machine, one for each object.
    """

    nodes: Mapping[str, NodeDumps]
    configurations: tuple[Configured, ...] = ()
    findings: tuple[Finding, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def configuration(self) -> Configured | None:
        """The one of all nodes that have none of their own; None where there are several, each of some nodes."""
        return self.configurations[0] if len(self.configurations) == 1 else None

    def configuration_of(self, node: str) -> Configured | None:
        """The node's own configuration, else the one that holds for all."""
        own = self.nodes[node].configuration if node in self.nodes else None
        return own or self.configuration
