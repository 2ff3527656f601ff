"""The kubelet's settings and what it has given away, as lines below the picture of a machine."""

from collections import Counter
from collections.abc import Iterator, Sequence

from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.devices import HeldResources, PluginDevice
from dractl.machine.state_files import CpuManagerState, MemoryManagerState, StateFiles
from dractl.phrases import counted, listed
from dractl.report.canvas import Canvas
from dractl.report.machine_lines import cpus_text, memory_text


def draw_kubelet(
    canvas: Canvas,
    configuration: KubeletConfiguration | None,
    states: StateFiles,
    devices: Sequence[PluginDevice],
    held: Sequence[HeldResources],
) -> None:
    """Whatever of it is known."""
    lines = [
        *(_settings(configuration) if configuration is not None else ()),
        *(_cpu_state(states.cpu) if states.cpu is not None else ()),
        *(_memory_state(states.memory) if states.memory is not None else ()),
        *_devices(devices),
        *_held(held),
    ]
    if lines:
        canvas.line()
    for line in lines:
        canvas.line(line)


def _settings(configuration: KubeletConfiguration) -> Iterator[str]:
    scope = configuration.topologyManagerScope or "container"
    yield f"CPU manager {_policy(configuration.cpuManagerPolicy, configuration.cpuManagerPolicyOptions)}"
    yield f"memory manager {configuration.memoryManagerPolicy or 'None'}"
    options = configuration.topologyManagerPolicyOptions
    yield f"topology manager {_policy(configuration.topologyManagerPolicy, options)}, scope {scope}"
    reserved = []
    if configuration.reservedSystemCPUs:
        reserved.append(f"CPUs {configuration.reservedSystemCPUs}")
    for name, amounts in (("kube", configuration.kubeReserved), ("system", configuration.systemReserved)):
        reserved += [f"{amount} {resource} ({name})" for resource, amount in sorted((amounts or {}).items())]
    if reserved:
        yield f"reserved {listed(reserved, at_most=8)}"
    for each in configuration.reservedMemory or ():
        limits = ", ".join(f"{amount} {resource}" for resource, amount in sorted((each.limits or {}).items()))
        yield f"reserved on NUMA node {each.numaNode} {limits}"


def _policy(policy: str, options: dict[str, str] | None) -> str:
    chosen = ", ".join(f"{name}={value}" for name, value in sorted((options or {}).items()))
    return f"{policy or 'none'}{f' ({chosen})' if chosen else ''}"


def _cpu_state(state: CpuManagerState) -> Iterator[str]:
    if state.damage:
        yield f"CPU manager state: {state.damage}; the kubelet will not start with it"
    containers = [(uid, name, cpus) for uid, names in state.entries.items() for name, cpus in names.items()]
    yield f"CPU manager state, policy {state.policy}: shared CPUs {cpus_text(state.default) or 'none'}"
    for uid, name, cpus in sorted(containers):
        yield f"  {uid}/{name}   CPUs {cpus_text(cpus)}"
    for uid, cpus in sorted(state.pod_entries.items()):
        yield f"  {uid}   CPUs {cpus_text(cpus)} for the pod"


def _memory_state(state: MemoryManagerState) -> Iterator[str]:
    if state.damage:
        yield f"memory manager state: {state.damage}; the kubelet will not start with it"
    yield f"memory manager state, policy {state.policy}"
    for node, books in sorted(state.machine.items()):
        tables = ", ".join(
            f"{memory_text(table.free)} of {memory_text(table.allocatable)} {resource} free"
            for resource, table in sorted(books.tables.items())
            if table.allocatable
        )
        group = f", locked with NUMA nodes {books.cells}" if len(books.cells) > 1 else ""
        yield f"  NUMA node {node}   {tables}{group}"


def _devices(devices: Sequence[PluginDevice]) -> Iterator[str]:
    """Device plugins' devices, counted by resource and NUMA nodes."""
    counts = Counter((device.resource, str(device.nodes)) for device in devices)
    for (resource, nodes), number in sorted(counts.items()):
        yield f"{resource}   {counted(number, 'device')}{f' on NUMA node {nodes}' if nodes else ''}"


def _held(held: Sequence[HeldResources]) -> Iterator[str]:
    for each in held:
        parts = [f"CPUs {cpus_text(each.cpus)}"] if each.cpus else []
        parts += [f"{memory_text(block.size)} {block.resource} of NUMA node {block.nodes}" for block in each.memory]
        parts += [f"{device.resource} {device.device}" for device in each.devices]
        if parts:
            name = f"{each.namespace}/{each.pod}" + (f" {each.container}" if each.container else "")
            yield f"{name} holds {listed(parts, at_most=8)}"
