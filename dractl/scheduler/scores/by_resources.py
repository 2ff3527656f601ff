"""Scores by CPU, memory and other countable resources that would be used or left (scheduling.md §8.1, §8.2)."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dractl.api.scheduler_configuration import ScoringStrategy, ScoringType
from dractl.cluster.node_state import NodeState
from dractl.cluster.requests import CPU, MEMORY, PODS
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.scores.normalizing import BEST, Scores
from dractl.scheduler.scores.served import ServedResources

_ALWAYS_WEIGHED: Final = (CPU, MEMORY, "ephemeral-storage")
"""Resources that count even for pods that request none of them."""
_BEST_OF_A_SHAPE: Final = 10
"""What the points of a shape are given in."""

Part = Callable[[int, int], int]
"""The score of one resource, from what is wanted of it and what there is."""


def resources_fit(
    pod: PodInfo, nodes: Sequence[NodeState], strategy: ScoringStrategy, served: ServedResources
) -> Scores:
    """How well the node's resources are used, by the configured strategy.

    Containers without requests for CPU or memory count with the defaults.
    """
    part = _PARTS[strategy.type](strategy)
    if any(name in served.classes for name in strategy.resources):
        return {node.name: _weighted(pod, node, strategy, part, served) for node in nodes}
    return {
        node.name: _remembered("fit", pod, node, lambda p, n: _weighted(p, n, strategy, part, served)) for node in nodes
    }


def _remembered(plugin: str, pod: PodInfo, node: NodeState, score: Callable[[PodInfo, NodeState], int]) -> int:
    """Pods with equal amounts have equal scores until the node's pods change."""
    key = (plugin, pod.amounts)
    if key not in node.scores:
        node.scores[key] = score(pod, node)
    return node.scores[key]


def _weighted(pod: PodInfo, node: NodeState, strategy: ScoringStrategy, part: Part, served: ServedResources) -> int:
    total = weights = 0
    is_ratio = strategy.type is ScoringType.REQUESTED_TO_CAPACITY_RATIO
    for name, weight in strategy.resources.items():
        mine = pod.score_requests[name] if name in (CPU, MEMORY) else _asked(pod, name)
        if name not in _ALWAYS_WEIGHED and not mine:
            continue
        allocatable, taken = _there_and_taken(name, node, served)
        if allocatable <= 0:
            continue
        score = part(taken + mine, allocatable)
        if score > 0 or not is_ratio:
            total += score * weight
            weights += weight
    if not weights:
        return 0
    return _rounded(total, weights) if is_ratio else total // weights


def _asked(pod: PodInfo, name: str) -> int:
    """What the pod requests of a resource; the place on the node that every pod takes is no request."""
    return pod.requests.get(name, 0) if name != PODS else 0


def _there_and_taken(name: str, node: NodeState, served: ServedResources) -> tuple[int, int]:
    """What the node has of a resource, and what of it is taken; devices count where no device plugin offers it."""
    allocatable = (node.allocatable or {}).get(name, 0)
    if not allocatable and name in served.classes:
        return served.there_and_taken(name, node)
    requested = node.score_requested if name in (CPU, MEMORY) else node.requested
    return allocatable, requested.get(name, 0)


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


def balanced_allocation(pod: PodInfo, nodes: Sequence[NodeState], resources: Sequence[str]) -> Scores | None:
    """How much the pod evens out the use of these resources; left out for a pod that requests none of them."""
    if not any(_asked(pod, name) for name in resources):
        return None
    weighed = [name for name in resources if name in _ALWAYS_WEIGHED or _asked(pod, name)]
    return {node.name: _remembered("balanced", pod, node, lambda p, n: _balanced(p, n, weighed)) for node in nodes}


def _balanced(pod: PodInfo, node: NodeState, names: Sequence[str]) -> int:
    before = _balance(node, {}, names)
    after = _balance(node, pod.requests, names)
    return 50 + (50 + after - before) // 2


def _balance(node: NodeState, more: Mapping[str, int], names: Sequence[str]) -> int:
    fractions = []
    for name in names:
        allocatable = (node.allocatable or {}).get(name, 0)
        if allocatable > 0:
            fractions.append(min(1.0, (node.requested.get(name, 0) + more.get(name, 0)) / allocatable))
    return int((1 - _deviation(fractions)) * BEST)


def _deviation(fractions: Sequence[float]) -> float:
    """The standard deviation; that of two is half of their difference."""
    if len(fractions) == 2:
        return abs(fractions[0] - fractions[1]) / 2
    if not fractions:
        return 0.0
    mean = sum(fractions) / len(fractions)
    return math.sqrt(sum((each - mean) ** 2 for each in fractions) / len(fractions))
