"""What is known of one node's hardware and of its kubelet."""

from msgspec import Struct, field

from dractl.errors import Place
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.devices import HeldResources, PluginDevice
from dractl.machine.machine import Machine
from dractl.machine.state_files import StateFiles


class NodeMachine(Struct, frozen=True):
    """What dumps and the kubelet's files say of a node.

    `machine` is None where no dump lists CPUs with their cores. `configuration` is None where no KubeletConfiguration
    holds for the node, so that its defaults do; `place` is where its fields stand. `devices` are those of device
    plugins, `held` is what PodResources says that containers hold. `gone` are UIDs of pods that files and PodResources
    still name, but that have left the node since.
    """

    machine: Machine | None = None
    configuration: KubeletConfiguration | None = None
    place: Place | None = None
    states: StateFiles = field(default_factory=StateFiles)
    devices: tuple[PluginDevice, ...] = ()
    held: tuple[HeldResources, ...] = ()
    gone: frozenset[str] = frozenset()
