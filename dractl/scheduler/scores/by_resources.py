"""Scores by CPU, memory and other countable resources that would be used or left (scheduling.md §8.1, §8.2)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dractl.api.scheduler_configuration import ScoringStrategy, ScoringType
from dractl.cluster.node_state import NodeState
from dractl.cluster.requests import CPU, MEMORY
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.scores.normalizing import BEST, Scores

_BEST_OF_A_SHAPE: Final = 10
"""What the points of a shape are given in."""

Part = Callable[[int, int], int]
"""The score of one resource, from what is wanted of it and what there is."""


def resources_fit(pod: PodInfo, nodes: Sequence[NodeState], strategy: ScoringStrategy) -> Scores:
    """How well the node's resources are used, by the configured strategy.

    Containers without requests for CPU or memory count with the defaults.
    """
    part = _PARTS[strategy.type](strategy)
    return {node.name: _remembered("fit", pod, node, lambda p, n: _weighted(p, n, strategy, part)) for node in nodes}


def _remembered(plugin: str, pod: PodInfo, node: NodeState, score: Callable[[PodInfo, NodeState], int]) -> int:
    """Pods with equal amounts have equal scores until the node's pods change."""
    key = (plugin, pod.amounts)
    if key not in node.scores:
        node.scores[key] = score(pod, node)
    return node.scores[key]


def _weighted(pod: PodInfo, node: NodeState, strategy: ScoringStrategy, part: Part) -> int:
    total = weights = 0
    is_ratio = strategy.type is ScoringType.REQUESTED_TO_CAPACITY_RATIO
    for name, weight in strategy.resources.items():
        allocatable = (node.allocatable or {}).get(name, 0)
        mine = pod.score_requests[name] if name in (CPU, MEMORY) else pod.requests.get(name, 0)
        if allocatable <= 0 or (name not in (CPU, MEMORY) and not mine):
            continue
        there = node.score_requested if name in (CPU, MEMORY) else node.requested
        score = part(there.get(name, 0) + mine, allocatable)
        if score > 0 or not is_ratio:
            total += score * weight
            weights += weight
    if not weights:
        return 0
    return _rounded(total, weights) if is_ratio else total // weights


def _rounded(total: int, weights: int) -> int:
    """To the nearest, half up."""
    return (2 * total + weights) // (2 * weights)


def _least(_: ScoringStrategy) -> Part:
    """The share that stays free."""
    return lambda wanted, allocatable: 0 if wanted > allocatable else (allocatable - wanted) * BEST // allocatable


def _most(_: ScoringStrategy) -> Part:
    """The share that is used."""
    return lambda wanted, allocatable: min(wanted, allocatable) * BEST // allocatable


def _by_shape(strategy: ScoringStrategy) -> Part:
    """The score that the shape gives to the share that is used, on straight lines between its points."""
    points = [(utilization, score * (BEST // _BEST_OF_A_SHAPE)) for utilization, score in strategy.shape]

    def score(wanted: int, allocatable: int) -> int:
        used = BEST if wanted > allocatable else wanted * BEST // allocatable
        for number, (at, value) in enumerate(points):
            if used <= at:
                if number == 0:
                    return points[0][1]
                before, lower = points[number - 1]
                return lower + _towards_zero((value - lower) * (used - before), at - before)
        return points[-1][1] if points else 0

    return score


def _towards_zero(dividend: int, divisor: int) -> int:
    return dividend // divisor if dividend >= 0 else -(-dividend // divisor)


_PARTS: Final[Mapping[ScoringType, Callable[[ScoringStrategy], Part]]] = {
    ScoringType.LEAST_ALLOCATED: _least,
    ScoringType.MOST_ALLOCATED: _most,
    ScoringType.REQUESTED_TO_CAPACITY_RATIO: _by_shape,
}


def balanced_allocation(pod: PodInfo, nodes: Sequence[NodeState]) -> Scores | None:
    """How much the pod evens out CPU and memory; left out for a pod that requests neither."""
    if not any(pod.requests.get(name) for name in (CPU, MEMORY)):
        return None
    return {node.name: _remembered("balanced", pod, node, _balanced) for node in nodes}


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
