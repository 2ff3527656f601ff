"""What nodes would report after the plan: state files, PodResources, the kubelet's figures (kubelet.md §10, §14)."""

from collections.abc import Mapping
from typing import Any

from dractl.kubelet.checkpoints import cpu_state_text, memory_state_text
from dractl.kubelet.figures import Figure, gauges, totals
from dractl.kubelet.reports import (
    AllocatableResources,
    ContainerResources,
    PodResources,
    allocatable_resources,
    pod_resources,
)
from dractl.machine.devices import HeldResources
from dractl.planner.kubelets import NodeAfter
from dractl.report.shares import plain_blocks, plain_device


def plain_node(after: NodeAfter) -> dict[str, Any]:
    """One node as data. The state files are their texts, byte for byte; sets are in list notation."""
    state = after.state
    return {
        "cpuManagerState": cpu_state_text(state),
        "memoryManagerState": memory_state_text(state),
        "podResources": [_pod(each) for each in pod_resources(state)],
        "allocatable": _allocatable(allocatable_resources(state)),
        "figures": _figures({**totals(after.counts), **gauges(state)}),
    }


def held_after(after: NodeAfter) -> tuple[HeldResources, ...]:
    """What containers hold, as the node's PodResources API would say; an empty container is the pod as a whole."""
    held = []
    for pod in pod_resources(after.state):
        namespace, name = pod.pod.namespace, pod.pod.name
        held.append(HeldResources(namespace, name, "", pod.cpus, pod.memory))
        held += [
            HeldResources(namespace, name, each.name, each.cpus, each.memory, each.devices) for each in pod.containers
        ]
    return tuple(each for each in held if each.cpus or each.memory or each.devices)


def _pod(pod: PodResources) -> dict[str, Any]:
    return {
        "namespace": pod.pod.namespace,
        "name": pod.pod.name,
        "cpus": str(pod.cpus),
        "memory": plain_blocks(pod.memory),
        "containers": [_container(each) for each in pod.containers],
    }


def _container(container: ContainerResources) -> dict[str, Any]:
    return {
        "name": container.name,
        "cpus": str(container.cpus),
        "memory": plain_blocks(container.memory),
        "devices": [plain_device(each) for each in container.devices],
    }


def _allocatable(resources: AllocatableResources) -> dict[str, Any]:
    return {
        "cpus": str(resources.cpus),
        "memory": plain_blocks(resources.memory),
        "devices": [plain_device(each) for each in resources.devices],
    }


def _figures(figures: Mapping[Figure, int]) -> list[dict[str, Any]]:
    """Metrics by name, in the way of Prometheus; counters count what the plan adds."""
    return [
        {"name": f"kubelet_{figure.name}", "labels": dict(figure.labels), "value": value}
        for figure, value in sorted(figures.items())
    ]
