"""Options of the CPU and topology manager policies: what is known, what a value means, what cannot go together (§5)."""

from collections.abc import Mapping, Set
from enum import StrEnum
from typing import Final

from dractl.kubelet.cpu_topology import CpuTopology
from dractl.kubelet.go_texts import parse_bool, parse_int

SINGLE_NUMA_NODE: Final = "single-numa-node"
MOST_NUMA_NODES: Final = 8
"""How many NUMA nodes a machine may have, unless an option says more."""


class CpuOption(StrEnum):
    """Options of the static CPU manager policy."""

    FULL_PCPUS = "full-pcpus-only"
    ACROSS_NUMA = "distribute-cpus-across-numa"
    ALIGN_BY_SOCKET = "align-by-socket"
    ACROSS_CORES = "distribute-cpus-across-cores"
    STRICT_RESERVATION = "strict-cpu-reservation"
    UNCORE_CACHE = "prefer-align-cpus-by-uncorecache"


class TopologyOption(StrEnum):
    """Options of the topology manager's policies."""

    PREFER_CLOSEST = "prefer-closest-numa-nodes"
    MAX_NODES = "max-allowable-numa-nodes"


class OptionFault(ValueError):
    """The kubelet does not start with these options; the text is its own, `names` are the options at fault."""

    def __init__(self, message: str, *names: str) -> None:
        super().__init__(message)
        self.names: Final = names


_GATED: Final = {
    CpuOption.ALIGN_BY_SOCKET: ("CPUManagerPolicyAlphaOptions", "Alpha"),
    CpuOption.ACROSS_CORES: ("CPUManagerPolicyAlphaOptions", "Alpha"),
    CpuOption.ACROSS_NUMA: ("CPUManagerPolicyBetaOptions", "Beta"),
}
_CLASHES: Final = (
    (CpuOption.FULL_PCPUS, CpuOption.ACROSS_CORES),
    (CpuOption.ACROSS_NUMA, CpuOption.ACROSS_CORES),
    (CpuOption.UNCORE_CACHE, CpuOption.ACROSS_CORES),
    (CpuOption.UNCORE_CACHE, CpuOption.ACROSS_NUMA),
)


def cpu_options(
    written: Mapping[str, str], gates: Set[str], topology: CpuTopology, topology_policy: str
) -> frozenset[CpuOption]:
    """The options that are on. Raises OptionFault for the first, by name, that the kubelet refuses."""
    on = set()
    for name in sorted(written):
        option = _visible_cpu_option(name, gates)
        if _is_on(name, written[name]):
            on.add(option)
    for first, second in _CLASHES:
        if first in on and second in on:
            message = f"static policy options {first} and {second} can not be used at the same time"
            raise OptionFault(message, first, second)
    if CpuOption.ALIGN_BY_SOCKET in on:
        if topology_policy == SINGLE_NUMA_NODE:
            raise OptionFault(
                "Topolgy manager single-numa-node policy is incompatible with CPUManager align-by-socket policy option",
                CpuOption.ALIGN_BY_SOCKET,
            )
        if topology.socket_count > len(topology.numas):
            raise OptionFault(
                "Align by socket is not compatible with hardware where number of sockets are more than number of NUMA",
                CpuOption.ALIGN_BY_SOCKET,
            )
    return frozenset(on)


def topology_options(written: Mapping[str, str]) -> tuple[bool, int]:
    """Whether closest nodes are preferred, and how many NUMA nodes are allowed. Raises OptionFault."""
    closest, most = False, MOST_NUMA_NODES
    for name in sorted(written, reverse=True):
        if name == TopologyOption.PREFER_CLOSEST:
            closest = _is_on(name, written[name])
        elif name == TopologyOption.MAX_NODES:
            most = _max_nodes(written[name])
        else:
            raise OptionFault(f'unknown Topology Manager Policy option: "{name}"', name)
    return closest, most


def _max_nodes(text: str) -> int:
    name = TopologyOption.MAX_NODES
    try:
        most = parse_int(text)
    except ValueError as error:
        raise OptionFault(f'unable to convert policy option to integer "{name}": {error}', name) from None
    if most < MOST_NUMA_NODES:
        raise OptionFault(f'the minimum value of "{name}" should not be less than {MOST_NUMA_NODES}', name)
    return most


def _visible_cpu_option(name: str, gates: Set[str]) -> CpuOption:
    """The option of that name; whatever its value, its gate must be on."""
    if name not in set(CpuOption):
        raise OptionFault(f'unknown CPU Manager Policy option: "{name}"', name)
    option = CpuOption(name)
    gate, stage = _GATED.get(option, ("", ""))
    if gate and gate not in gates:
        raise OptionFault(f'CPU Manager Policy {stage}-level Options not enabled, but option "{name}" provided', name)
    return option


def _is_on(name: str, text: str) -> bool:
    try:
        return parse_bool(text)
    except ValueError as error:
        raise OptionFault(f'bad value for option "{name}": {error}', name) from None
