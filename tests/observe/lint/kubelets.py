"""Rules about kubelets: what is known of the node, and the file with its configuration."""

from typing import Final

from msgspec.structs import replace

from dractl.cluster.node_machine import NodeMachine
from dractl.errors import Origin, Place
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Core, Machine, NumaNode
from tests.observe.lint.world import NODE, device_slice, together

PLACE: Final = Place(Origin("kubelet.yaml"))

TWO_NODES: Final = Machine(
    tuple(
        NumaNode(
            node,
            tuple(Core(core, node, CpuSet([8 * node + 2 * core, 8 * node + 2 * core + 1])) for core in range(4)),
            2**34,
        )
        for node in range(2)
    )
)
"""Two sockets, each a NUMA node of four cores with two threads."""

_RESERVED: Final = {"cpu": "1"}
STATIC: Final = KubeletConfiguration(cpuManagerPolicy="static", kubeReserved=_RESERVED)
_ONE_NODE: Final = KubeletConfiguration(
    cpuManagerPolicy="static", kubeReserved=_RESERVED, topologyManagerPolicy="single-numa-node"
)
CLASHING: Final = KubeletConfiguration(
    cpuManagerPolicy="static",
    kubeReserved=_RESERVED,
    featureGates={"CPUManagerPolicyAlphaOptions": True},
    cpuManagerPolicyOptions={"full-pcpus-only": "true", "distribute-cpus-across-cores": "true"},
)
_ACROSS: Final = KubeletConfiguration(
    cpuManagerPolicy="static",
    kubeReserved=_RESERVED,
    featureGates={"CPUManagerPolicyAlphaOptions": True},
    cpuManagerPolicyOptions={"distribute-cpus-across-cores": "true"},
)
_CPU_DRIVER: Final = together(NODE, device_slice("dra.cpu", "  - {name: cpu0}\n", name="s"))


def _pod(cpus: int) -> str:
    amounts = f"{{cpu: {cpus}, memory: 1Gi}}"
    return together(
        NODE,
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n"
        f"  - {{name: c, image: i, resources: {{requests: {amounts}, limits: {amounts}}}}}\n",
    )


def known(configuration: KubeletConfiguration, machine: Machine | None = TWO_NODES) -> dict[str, NodeMachine]:
    return {"n1": NodeMachine(machine, configuration, PLACE)}


CASES: Final = {
    "DRA501": (_CPU_DRIVER, known(STATIC, None), known(KubeletConfiguration(cpuManagerPolicy="none"), None)),
    "DRA502": (NODE, known(CLASHING), known(STATIC)),
    "DRA503": (NODE, known(_ACROSS), known(STATIC)),
    "DRA504": (_pod(10), known(_ONE_NODE), known(STATIC)),
    "DRA505": (NODE, known(KubeletConfiguration(topologyManagerScope="pod")), known(_ONE_NODE)),
    "DRA506": (NODE, known(replace(STATIC, kubeReserved={"cpu": "16"})), known(STATIC)),
    "DRA507": (NODE, known(replace(STATIC, kubeReserved=None), None), known(STATIC, None)),
}
"""The manifests, the nodes with which the rule finds something, and those with which it does not."""
