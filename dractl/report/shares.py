"""What pods and their containers have of a node's CPUs, memory and plugin devices: cells, a table, and data."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from dractl.api.quantity import Quantity, QuantityFormat
from dractl.machine.devices import PluginDevice
from dractl.machine.state_files import MemoryBlock
from dractl.planner.plan import Answer, Plan
from dractl.report.canvas import Canvas
from dractl.solution.node_share import ContainerShare, KubeletRefusal, KubeletStop, NodeShare, Pool
from dractl.solution.outcomes import PodOutcome

_NOTHING: Final = "–"
_HEADER: Final = ("POD", "CONTAINER", "KIND", "CPUS", "NUMA", "MEMORY", "PLUGIN DEVICES")


def has_machines(plan: Plan) -> bool:
    """Whether there is anything to tell of CPUs and NUMA nodes."""
    return bool(plan.machines)


def cpus_cell(outcome: PodOutcome) -> str:
    """The CPUs that the pod has for itself, `shared` if it has none, a dash where nothing is known."""
    share = _share(outcome)
    if share is None:
        return _NOTHING
    return str(share.cpus) or "shared"


def numa_cell(outcome: PodOutcome) -> str:
    """The NUMA nodes of the pod's CPUs, or of its memory."""
    share = _share(outcome)
    return (str(share.numa) if share is not None else "") or _NOTHING


def memory_cell(outcome: PodOutcome) -> str:
    """The pod's memory with its NUMA nodes: `4Gi@0-1`."""
    share = _share(outcome)
    return _memory(share.memory) if share is not None else _NOTHING


def draw_shares(canvas: Canvas, outcomes: Sequence[PodOutcome]) -> None:
    """A table of the containers of all pods that have anything of their own."""
    rows = [row for outcome in outcomes for row in _rows(outcome)]
    if rows:
        canvas.line()
        canvas.table(_HEADER, rows)


def _share(outcome: PodOutcome) -> NodeShare | None:
    return outcome.placement.share if outcome.placement is not None else None


def _rows(outcome: PodOutcome) -> Iterator[Sequence[str]]:
    share = _share(outcome)
    if share is None or not (share.numa or share.devices):
        return
    for each in share.containers:
        devices = " ".join(f"{device.resource}:{device.device}" for device in each.devices)
        numa = str(each.numa) or _NOTHING
        yield str(outcome.pod), each.name, _kind(each), _cpus(each), numa, _memory(each.memory), devices or _NOTHING
    if share.pool or share.pool_memory:
        memory = _memory(share.pool_memory)
        yield str(outcome.pod), "(pod)", "pool", str(share.pool) or _NOTHING, str(share.numa), memory, _NOTHING


def _kind(container: ContainerShare) -> str:
    return "init" if container.runs_first else "app"


def _cpus(container: ContainerShare) -> str:
    if container.pool is Pool.NODE:
        return "shared"
    return f"{container.cpus} (pod)" if container.pool is Pool.POD else str(container.cpus)


def _memory(blocks: Sequence[MemoryBlock]) -> str:
    texts = []
    for block in blocks:
        name = "" if block.resource == "memory" else f"{block.resource} "
        texts.append(f"{name}{Quantity.of(block.size, QuantityFormat.BINARY_SI)}@{block.nodes}")
    return ", ".join(texts) or _NOTHING


# --- as data ---------------------------------------------------------------------------------------------------------


def plain_share(answer: Answer, outcome: PodOutcome) -> dict[str, Any] | None:
    """What the pod has of its node; None where the node's machine is not known. Sets are in list notation."""
    share = _share(outcome)
    if share is None:
        return None
    alignment = answer.alignments.get(outcome.pod)
    return {
        "cpus": str(share.cpus),
        "numaNodes": str(share.numa),
        "podCPUs": str(share.pool),
        "podMemory": plain_blocks(share.pool_memory),
        "containers": [_plain_container(each) for each in share.containers],
        "aligned": alignment.is_aligned if alignment is not None else None,
        "deviceLocations": [
            {"device": each.name, "numaNodes": str(each.nodes), "toldBy": each.because}
            for each in (alignment.devices if alignment is not None else ())
        ],
    }


def plain_refusal(refusal: KubeletRefusal | KubeletStop | None) -> dict[str, str] | None:
    """Why the kubelet does not let the pod in."""
    match refusal:
        case KubeletRefusal():
            return {"node": refusal.node, "reason": refusal.reason, "message": refusal.message}
        case KubeletStop():
            return {"node": refusal.node, "reason": refusal.how, "message": refusal.because}
        case None:
            return None


def plain_blocks(blocks: Sequence[MemoryBlock]) -> list[dict[str, Any]]:
    """Blocks of memory, sizes in bytes."""
    return [{"resource": block.resource, "numaNodes": str(block.nodes), "size": block.size} for block in blocks]


def plain_device(device: PluginDevice) -> dict[str, Any]:
    """A device of a device plugin."""
    return {"resource": device.resource, "device": device.device, "numaNodes": str(device.nodes)}


def _plain_container(container: ContainerShare) -> dict[str, Any]:
    return {
        "name": container.name,
        "runsFirst": container.runs_first,
        "cpus": str(container.cpus),
        "pool": str(container.pool),
        "numaNodes": str(container.numa),
        "memory": plain_blocks(container.memory),
        "devices": [plain_device(each) for each in container.devices],
    }
