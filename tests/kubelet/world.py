"""Words for small nodes: machines, configurations, pods, and what a kubelet does with them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from dractl.api.codec import to_api
from dractl.api.core import Pod
from dractl.api.defaults import with_defaults
from dractl.kubelet import Admission, KubeletState, StartFailure, Stopped, admit, start
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.devices import PluginDevice
from dractl.machine.idsets import CpuSet, NumaSet
from dractl.machine.machine import Core, HugePages, Machine, NumaNode

GI = 2**30
MI = 2**20
MANAGERS = {"PodLevelResourceManagers": True}
ALPHA_OPTIONS = {"CPUManagerPolicyAlphaOptions": True}


def grid(
    nodes: int = 2,
    cores: int = 4,
    threads: int = 2,
    *,
    sockets: int | None = None,
    numbers: Iterable[int] | None = None,
    caches: int = 0,
    huge: Mapping[int, int] | None = None,
) -> Machine:
    """A regular machine: thread `t` of core `f` is CPU `f + t * all cores`; NUMA nodes are dealt to sockets in blocks.

    `caches` is how many cores share an uncore cache; `huge` are numbers of 1Gi pages by NUMA node.
    """
    sockets = nodes if sockets is None else sockets
    ids = list(range(nodes)) if numbers is None else list(numbers)
    total = nodes * cores
    return Machine(
        tuple(
            NumaNode(
                ids[node],
                tuple(
                    Core(
                        core,
                        node * sockets // nodes,
                        CpuSet(node * cores + core + thread * total for thread in range(threads)),
                        (node * cores + core) // caches if caches else None,
                    )
                    for core in range(cores)
                ),
                8 * GI,
                (HugePages(GI, huge[node]),) if huge and node in huge else (),
                tuple(10 if other == node else 20 for other in range(nodes)),
            )
            for node in range(nodes)
        )
    )


def configured(
    policy: str = "best-effort",
    *,
    scope: str = "container",
    options: Iterable[str] = (),
    reserved: str = "0",
    memory: Mapping[int, int] | None = None,
    gates: Mapping[str, bool] | None = None,
    **fields: Any,
) -> KubeletConfiguration:
    """Static CPU policy; with `memory` (MiB reserved by NUMA node) the Static memory policy too."""
    written: dict[str, Any] = {
        "cpuManagerPolicy": "static",
        "cpuManagerPolicyOptions": dict.fromkeys(options, "true"),
        "reservedSystemCPUs": reserved,
        "topologyManagerPolicy": policy,
        "topologyManagerScope": scope,
        "featureGates": dict(gates or {}),
    }
    if memory is not None:
        written["memoryManagerPolicy"] = "Static"
        written["evictionHard"] = {}
        written["kubeReserved"] = {"memory": f"{sum(memory.values())}Mi"}
        written["reservedMemory"] = [
            {"numaNode": node, "limits": {"memory": f"{amount}Mi"}} for node, amount in memory.items()
        ]
    return to_api({**written, **fields}, KubeletConfiguration)


def node(
    machine: Machine | None = None,
    configuration: KubeletConfiguration | None = None,
    devices: Iterable[PluginDevice] = (),
) -> KubeletState:
    """A node whose kubelet has started."""
    state = start(machine or grid(), configuration or configured(), devices=devices)
    assert isinstance(state, KubeletState), state
    return state


def start_failure(machine: Machine, configuration: KubeletConfiguration) -> StartFailure:
    """Why a kubelet does not start."""
    state = start(machine, configuration)
    assert isinstance(state, StartFailure), state
    return state


def container(
    name: str,
    cpu: str | None = None,
    memory: str = "1Gi",
    *,
    sidecar: bool = False,
    more: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """A container whose limits are its requests; without `cpu` it names no resources."""
    resources = {} if cpu is None else {"limits": {"cpu": cpu, "memory": memory, **more}}
    made: dict[str, Any] = {"name": name, "resources": resources}
    return made | ({"restartPolicy": "Always"} if sidecar else {})


def pod(name: str, *containers: Any, init: Iterable[Any] = (), level: Mapping[str, str] | None = None) -> Pod:
    """A pod with its defaults; its UID is its name; of the pod level, requests are limits."""
    spec: dict[str, Any] = {"containers": list(containers), "initContainers": list(init)}
    if level is not None:
        spec["resources"] = {"limits": dict(level), "requests": dict(level)}
    return with_defaults(to_api({"metadata": {"name": name, "namespace": "default", "uid": name}, "spec": spec}, Pod))


def admitted(state: KubeletState, one: Pod) -> Admission:
    """The admission of a pod that is let in."""
    admission = answered(state, one)
    assert admission.refusal is None, admission.refusal
    return admission


def answered(state: KubeletState, one: Pod) -> Admission:
    """The kubelet's answer, which must not stop."""
    admission = admit(state, one)
    assert not isinstance(admission, Stopped), admission
    return admission


def refused(state: KubeletState, one: Pod) -> str:
    """Reason and message of a refusal."""
    refusal = answered(state, one).refusal
    assert refusal is not None
    return f"{refusal.reason}: {refusal.message}"


def cpus(admission: Admission, name: str = "c") -> str:
    """A container's CPUs."""
    return str(admission.containers[name].cpus)


def memory_of(admission: Admission, name: str = "c") -> dict[str, tuple[list[int], int]]:
    """A container's memory: nodes and MiB by resource."""
    blocks = admission.containers[name].memory
    return {block.resource: (list(block.nodes), block.size // MI) for block in blocks}


def device(name: str, *nodes: int, healthy: bool = True, resource: str = "example.com/dev") -> PluginDevice:
    """A device of a plugin."""
    return PluginDevice(resource, name, NumaSet(nodes), healthy)
