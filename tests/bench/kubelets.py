"""How long a prediction takes with many nodes whose machines are known: `python -m tests.bench.kubelets [NODES PODS]`.

Nodes are alike, two sockets of 32 cores with two threads each; pods are Guaranteed with whole CPUs. First the kubelets
alone: started, given the pods in turn, and looked at afterwards. Then the whole plan, with the scheduler.
"""

import cProfile
import pstats
import sys
import time
from typing import Final

from dractl.api.objects import ObjectSet
from dractl.api.quantity import Quantity
from dractl.cluster.cluster import Cluster
from dractl.cluster.node_machine import NodeMachine
from dractl.cluster.state import ClusterState
from dractl.gates import resolve
from dractl.machine.configuration import KubeletConfiguration, MemoryReservation
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Core, Machine, NumaNode
from dractl.manifests import Source, read
from dractl.planner.kubelet_findings import KubeletFindings
from dractl.planner.kubelets import Kubelets
from dractl.planner.node_start import start_nodes
from dractl.planner.planning import plan
from dractl.planner.settings import Settings
from dractl.solution.outcomes import Placement, PodOutcome, Verdict

GI: Final = 1024**3
NODE: Final = """apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{kubernetes.io/hostname: {name}}}}}
status: {{allocatable: {{cpu: '126', memory: 500Gi, pods: '110'}}}}
"""
POD: Final = """apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: default}}
spec:
  containers:
  - name: c
    image: i
    resources:
      requests: {{cpu: '{cpus}', memory: {memory}Gi}}
      limits: {{cpu: '{cpus}', memory: {memory}Gi}}
"""


def machine() -> Machine:
    """Two sockets with a NUMA node each; thread n + 64 is the sibling of thread n."""
    nodes = []
    for socket in range(2):
        cores = tuple(
            Core(number, socket, CpuSet((socket * 32 + number, socket * 32 + number + 64))) for number in range(32)
        )
        nodes.append(NumaNode(socket, cores, 256 * GI, distances=(10, 21) if socket == 0 else (21, 10)))
    return Machine(tuple(nodes))


def configuration() -> KubeletConfiguration:
    """All managers on."""
    return KubeletConfiguration(
        cpuManagerPolicy="static",
        cpuManagerPolicyOptions={"full-pcpus-only": "true"},
        reservedSystemCPUs="0,64",
        memoryManagerPolicy="Static",
        evictionHard={},
        systemReserved={"memory": "12Gi"},
        reservedMemory=[MemoryReservation(0, {"memory": Quantity.parse("12Gi")})],
        topologyManagerPolicy="single-numa-node",
    )


def world(nodes: int, pods: int) -> tuple[ObjectSet, dict[str, NodeMachine]]:
    """Equal nodes, and pods of a few sizes."""
    names = [f"n{number:04}" for number in range(nodes)]
    texts = [NODE.format(name=name) for name in names]
    sizes = ((8, 16), (16, 64), (32, 32), (4, 8))
    for number in range(pods):
        cpus, memory = sizes[number % len(sizes)]
        texts.append(POD.format(name=f"p{number:04}", cpus=cpus, memory=memory))
    known = NodeMachine(machine(), configuration())
    objects = read([Source("world.yaml", "---\n".join(texts).encode())]).objects
    return objects, dict.fromkeys(names, known)


def kubelets_alone(objects: ObjectSet, machines: dict[str, NodeMachine]) -> None:
    """Every pod comes to the next node."""
    gates = resolve()
    begin = time.perf_counter()
    started = start_nodes(machines, objects, gates)
    cluster = Cluster.of(objects, gates.enabled)
    state = ClusterState(cluster)
    kubelets = Kubelets(started, cluster.pods)
    begun = time.perf_counter()
    names = list(machines)
    for number, ref in enumerate(cluster.pods):
        node = names[number % len(names)]
        outcome = PodOutcome(ref, Verdict.PLACED, cluster.place_of_pod(ref), placement=Placement(ref, node))
        state.bind(ref, node)
        kubelets.arrive(state, outcome)
    come = time.perf_counter()
    findings = list(KubeletFindings(cluster, gates, kubelets).all())
    ended = time.perf_counter()
    print(
        f"kubelets: started in {begun - begin:.1f} s, pods in {come - begun:.1f} s, looked at in {ended - come:.1f} s"
    )
    print(f"          {len(findings)} findings")


def main() -> None:
    """Measure, and with `profile` as the last argument tell where the time of the plan goes."""
    arguments = [each for each in sys.argv[1:] if each not in ("profile", "alone")]
    nodes, pods = (int(each) for each in arguments) if arguments else (1000, 2000)
    objects, machines = world(nodes, pods)
    kubelets_alone(objects, machines)
    if "alone" in sys.argv:
        return
    profile = cProfile.Profile() if "profile" in sys.argv else None
    start = time.perf_counter()
    if profile is not None:
        profile.enable()
    found = plan(objects, Settings(), machines=machines)
    if profile is not None:
        profile.disable()
    seconds = time.perf_counter() - start
    placed = found.prediction.count(Verdict.PLACED)
    print(f"{nodes} nodes, {pods} pods: {placed} placed in {seconds:.1f} s")
    if profile is not None:
        pstats.Stats(profile).sort_stats("cumulative").print_stats(45)


if __name__ == "__main__":
    main()
