"""Scores by CPU and memory that would be left (scheduling.md §8.1, §8.2)."""

from collections.abc import Mapping, Sequence

from dractl.cluster.node_state import NodeState
from dractl.cluster.requests import CPU, MEMORY
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.scores.normalizing import BEST, Scores


def least_allocated(pod: PodInfo, nodes: Sequence[NodeState]) -> Scores:
    """The share of CPU and memory that stays free, containers without requests counting with the defaults."""
    return {node.name: _least_allocated(pod, node) for node in nodes}


def _least_allocated(pod: PodInfo, node: NodeState) -> int:
    parts = []
    for name in (CPU, MEMORY):
        allocatable = (node.allocatable or {}).get(name, 0)
        if allocatable <= 0:
            continue
        wanted = node.score_requested.get(name, 0) + pod.score_requests[name]
        parts.append(0 if wanted > allocatable else (allocatable - wanted) * BEST // allocatable)
    return sum(parts) // len(parts) if parts else 0


def balanced_allocation(pod: PodInfo, nodes: Sequence[NodeState]) -> Scores | None:
    """How much the pod evens out CPU and memory; left out for a pod that requests neither."""
    if not any(pod.requests.get(name) for name in (CPU, MEMORY)):
        return None
    return {node.name: _balanced(pod, node) for node in nodes}


def _balanced(pod: PodInfo, node: NodeState) -> int:
    before = _balance(node, {})
    after = _balance(node, pod.requests)
    return 50 + (50 + after - before) // 2


def _balance(node: NodeState, more: Mapping[str, int]) -> int:
    fractions = []
    for name in (CPU, MEMORY):
        allocatable = (node.allocatable or {}).get(name, 0)
        if allocatable > 0:
            fractions.append(min(1.0, (node.requested.get(name, 0) + more.get(name, 0)) / allocatable))
    deviation = abs(fractions[0] - fractions[1]) / 2 if len(fractions) == 2 else 0.0
    return int((1 - deviation) * BEST)
