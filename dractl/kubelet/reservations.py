"""What a node keeps for itself: CPUs, and memory by NUMA node (kubelet.md §3.1, §6.1)."""

import math
import struct
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from dractl.api.quantity import INT64_MIN, MILLI, Quantity, QuantityFormat
from dractl.errors import FieldPath
from dractl.kubelet.go_texts import parse_cpus, parse_quantity
from dractl.machine.configuration import KubeletConfiguration, MemoryReservation
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Machine

MEMORY_AVAILABLE: Final = "memory.available"
DEFAULT_EVICTION: Final = "100Mi"
_RESERVABLE: Final = frozenset({"cpu", "memory", "ephemeral-storage", "pid"})
_NOTHING: Final = Quantity(0)


class Stage(StrEnum):
    """What the kubelet was about to do when it gave up starting."""

    GATES = "featureGates"
    RESERVED_CPUS = "reservedCPUs"
    KUBE_RESERVED = "kubeReserved"
    SYSTEM_RESERVED = "systemReserved"
    EVICTION = "evictionHard"
    TOPOLOGY = "topologyManager"
    CPU = "cpuManager"
    MEMORY = "memoryManager"


class StartFault(Exception):
    """The kubelet does not start; the text is its own. `start` turns it into a value.

    `fields` are those of the configuration that are at fault: with another value in any of them it would get further.
    None is named where the fault is not in the configuration.
    """

    def __init__(self, stage: Stage, message: str, *fields: FieldPath) -> None:
        super().__init__(message)
        self.stage: Final = stage
        self.message: Final = message
        self.fields: Final = fields


class Reservation(Struct, frozen=True):
    """`cpus` are those named by `reservedSystemCPUs` (empty: none is named); amounts are what the node sets aside."""

    cpus: CpuSet
    cpu: Quantity
    memory: Quantity


def reservation_of(machine: Machine, configuration: KubeletConfiguration) -> Reservation:
    """What the configuration reserves. Raises StartFault."""
    cpus = _named_cpus(machine, configuration.reservedSystemCPUs)
    kube, system = dict(configuration.kubeReserved or {}), dict(configuration.systemReserved or {})
    if cpus:
        kube.pop("cpu", None)
        system["cpu"] = str(len(cpus))
    kube_amounts = _amounts(kube, Stage.KUBE_RESERVED)
    system_amounts = _amounts(system, Stage.SYSTEM_RESERVED)
    evicted = _eviction(machine, configuration)
    return Reservation(
        cpus,
        _sum(system_amounts.get("cpu", _NOTHING), kube_amounts.get("cpu", _NOTHING)),
        _sum(system_amounts.get("memory", _NOTHING), kube_amounts.get("memory", _NOTHING), evicted),
    )


def reserved_memory(
    machine: Machine, entries: list[MemoryReservation], reservation: Reservation
) -> Mapping[int, Mapping[str, int]]:
    """Bytes by NUMA node and resource that pods do not get.

    Per resource the sum over nodes must be what the node sets aside in all. Raises StartFault.
    """
    totals = _totals(machine, entries)
    for resource, total in totals.items():
        aside = reservation.memory if resource == "memory" else _NOTHING
        if total != aside:
            raise _memory_fault(
                f'the total amount "{total}" of type "{resource}" is not equal to the value "{aside}" determined by '
                "Node Allocatable feature"
            )
    by_node = {entry.numaNode: _bytes_of(entry) for entry in entries}
    if not any(amounts.get("memory") for amounts in by_node.values()):
        raise _memory_fault("[memorymanager] you should specify the system reserved memory")
    return by_node


def _totals(machine: Machine, entries: list[MemoryReservation]) -> dict[str, Quantity]:
    """Sums over nodes of what is named, `memory` always; written in the family of the last amount that is not 0."""
    totals = {"memory": _NOTHING}
    for entry in entries:
        if entry.numaNode not in machine.numa_nodes:
            raise _memory_fault(
                f"the reserved memory configuration references a NUMA node {entry.numaNode} "
                "that does not exist on this machine"
            )
        for resource, amount in (entry.limits or {}).items():
            if _is_memory(resource):
                totals[resource] = _sum(amount, totals.get(resource, _NOTHING))
    return totals


def _bytes_of(entry: MemoryReservation) -> dict[str, int]:
    amounts = {}
    for resource, amount in (entry.limits or {}).items():
        if not _is_memory(resource):
            continue
        if not amount.is_whole:
            raise _memory_fault("could not covert a variable of type Quantity to int64")
        amounts[resource] = amount.rounded_up()
    return amounts


def _memory_fault(message: str) -> StartFault:
    return StartFault(Stage.MEMORY, message, ("reservedMemory",))


def _is_memory(resource: str) -> bool:
    return resource == "memory" or resource.startswith("hugepages-")


def _named_cpus(machine: Machine, text: str) -> CpuSet:
    try:
        cpus = parse_cpus(text)
    except ValueError as error:
        raise _named_fault(f"unable to parse reserved-cpus list: {error}") from None
    if not cpus <= machine.cpus:
        raise _named_fault(f"reserved-cpus: {text} is not a subset of online-cpus: {machine.cpus}")
    return cpus


def _named_fault(message: str) -> StartFault:
    return StartFault(Stage.RESERVED_CPUS, message, ("reservedSystemCPUs",))


def _amounts(written: Mapping[str, str], stage: Stage) -> dict[str, Quantity]:
    amounts = {}
    for name in sorted(written):
        text = written[name]
        if name not in _RESERVABLE:
            raise StartFault(stage, f'cannot reserve "{name}" resource', (str(stage), name))
        try:
            amount = parse_quantity(text)
        except ValueError as error:
            message = f'failed to parse quantity "{text}" for "{name}" resource: {error}'
            raise StartFault(stage, message, (str(stage), name)) from None
        if amount.nano < 0:
            message = f'resource quantity for "{name}" cannot be negative: {text}'
            raise StartFault(stage, message, (str(stage), name))
        amounts[name] = _to_milli(amount) if name == "cpu" else amount
    return amounts


def _to_milli(amount: Quantity) -> Quantity:
    """To the nearest thousandth, after rounding up to a millionth."""
    micro = -(-amount.nano // (MILLI // 1000))
    return Quantity.of_milli((micro + 500) // 1000, amount.format)


def _eviction(machine: Machine, configuration: KubeletConfiguration) -> Quantity:
    """The memory below which pods are evicted at once."""
    if configuration.evictionHard is None:
        text = DEFAULT_EVICTION
    else:
        default = DEFAULT_EVICTION if configuration.mergeDefaultEvictionSettings else ""
        text = configuration.evictionHard.get(MEMORY_AVAILABLE, default)
    if text in ("", "0%", "100%"):
        return _NOTHING
    try:
        return _share(text[:-1], machine.memory or 0) if text.endswith("%") else parse_quantity(text)
    except ValueError as error:
        raise StartFault(Stage.EVICTION, str(error), (str(Stage.EVICTION), MEMORY_AVAILABLE)) from None


def _share(percent: str, capacity: int) -> Quantity:
    """A percentage of the capacity, in single precision as the kubelet computes it."""
    try:
        share = _single(_single(float(percent)) / 100)
    except ValueError:
        raise ValueError(f'strconv.ParseFloat: parsing "{percent}": invalid syntax') from None
    amount = float(capacity) * share
    return Quantity.of(int(amount) if math.isfinite(amount) else INT64_MIN, QuantityFormat.BINARY_SI)


def _single(value: float) -> float:
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


def _sum(*amounts: Quantity) -> Quantity:
    """The sum, written in the family of the first amount that is not 0."""
    total = sum(amount.nano for amount in amounts)
    family = next((amount.format for amount in amounts if amount.nano), QuantityFormat.DECIMAL_SI)
    return Quantity(total, family)
