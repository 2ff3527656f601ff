"""Scores by where other pods run: spreading and affinity (scheduling.md §8.3, §8.4)."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dractl.api.core import Pod, PodAffinity
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.filters.inter_pod import Domain, required_terms
from dractl.scheduler.owners import spread_selector
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.pod_terms import PodTerm, finish
from dractl.scheduler.scores.normalizing import BEST, Scores
from dractl.scheduler.spreading import HOSTNAME, Spread, default_spreads, own_spreads


def topology_spread(pod: PodInfo, nodes: Sequence[NodeState], state: ClusterState) -> Scores | None:
    """Fewer pods of the same kind in the node's topology are better; left out if there is nothing to spread by."""
    spreads, are_own = _soft_spreads(pod, state)
    if not spreads:
        return None
    ignored = {node.name for node in nodes if are_own and any(_value(node, spread) is None for spread in spreads)}
    considered = [node for node in nodes if node.name not in ignored]
    raw = dict.fromkeys((node.name for node in considered), 0.0)
    for spread in spreads:
        _add_spread(raw, spread, pod, considered, state, are_own=are_own, all_keys=spreads)
    return _normalized_spread({name: _round_half_away(score) for name, score in raw.items()}, nodes)


def _soft_spreads(pod: PodInfo, state: ClusterState) -> tuple[list[Spread], bool]:
    """The pod's own soft constraints, or the defaults if it has no constraints at all."""
    if pod.pod.spec.topologySpreadConstraints:
        return own_spreads(pod.pod, "ScheduleAnyway"), True
    configured = state.cluster.scheduler.spreads
    if configured == ():
        return [], False
    selector = spread_selector(pod.pod, state.cluster.objects)
    return (default_spreads(selector, configured) if selector is not None else []), False


def _add_spread(
    raw: dict[str, float],
    spread: Spread,
    pod: PodInfo,
    considered: Sequence[NodeState],
    state: ClusterState,
    *,
    are_own: bool,
    all_keys: Sequence[Spread],
) -> None:
    values = {value for node in considered if (value := _value(node, spread)) is not None}
    is_host = spread.topology_key == HOSTNAME
    weight = math.log((len(considered) if is_host else len(values)) + 2)
    counts: Counter[str] = Counter()
    if not is_host:
        for node in state.nodes.values():
            value = _value(node, spread)
            if value not in values or (are_own and any(_value(node, each) is None for each in all_keys)):
                continue
            if spread.includes(pod, node):
                counts[value] += spread.count_on(node, pod.ref.namespace)
    for node in considered:
        value = _value(node, spread)
        if value is not None:
            count = spread.count_on(node, pod.ref.namespace) if is_host else counts[value]
            raw[node.name] += count * weight + (spread.max_skew - 1)


def _value(node: NodeState, spread: Spread) -> str | None:
    return (node.node.metadata.labels or {}).get(spread.topology_key)


def _normalized_spread(raw: dict[str, int], nodes: Sequence[NodeState]) -> Scores:
    """`100·(max + min − s)/max` over the nodes that count; the others get 0."""
    largest, smallest = max(raw.values(), default=0), min(raw.values(), default=0)
    scores = dict.fromkeys((node.name for node in nodes), 0)
    for name, score in raw.items():
        scores[name] = BEST * (largest + smallest - score) // largest if largest else BEST
    return scores


def _round_half_away(value: float) -> int:
    return math.floor(value + 0.5) if value >= 0 else math.ceil(value - 0.5)


# --- affinity --------------------------------------------------------------------------------------------------------


def inter_pod_affinity(pod: PodInfo, nodes: Sequence[NodeState], state: ClusterState) -> Scores | None:
    """What preferred terms of the pod and of those that are there add up to; left out if nothing contributes.

    A configuration that ignores the preferences of pods that are there has v1.37.2 leave the score out for pods without
    preferences of their own, and does nothing for the others.
    """
    totals: Counter[Domain] = Counter()
    namespaces = state.cluster.namespaces
    own = [*_preferred(pod.pod, 1), *_preferred(pod.pod, -1)]
    if not own and state.cluster.scheduler.ignores_preferences_of_existing_pods:
        return None
    for node in state.nodes.values():
        if not own and not node.pods_with_affinity:
            continue
        labels = node.node.metadata.labels or {}
        for other in node.pods.values():
            for weight, term in own:
                if term.topology_key in labels and term.means(other, namespaces):
                    totals[term.topology_key, labels[term.topology_key]] += weight
            for weight, term in _of_existing(other, state.cluster.scheduler.hard_affinity_weight):
                if term.topology_key in labels and term.means(pod.pod, namespaces):
                    totals[term.topology_key, labels[term.topology_key]] += weight
    if not totals:
        return None
    raw = {node.name: sum(totals[domain] for domain in (node.node.metadata.labels or {}).items()) for node in nodes}
    smallest, largest = min(raw.values()), max(raw.values())
    spread = largest - smallest
    return {name: int(BEST * (score - smallest) / spread) if spread else 0 for name, score in raw.items()}


def _of_existing(pod: Pod, hard_affinity_weight: int) -> Iterator[tuple[int, PodTerm]]:
    yield from _preferred(pod, 1)
    yield from _preferred(pod, -1)
    if hard_affinity_weight:
        yield from ((hard_affinity_weight, term) for term in required_terms(pod, anti=False))


def _preferred(pod: Pod, sign: int) -> Iterable[tuple[int, PodTerm]]:
    """Preferred terms for company (1) or against it (−1), each with its signed weight."""
    affinity = pod.spec.affinity
    if affinity is None:
        return []
    part = (affinity.podAffinity if sign > 0 else affinity.podAntiAffinity) or PodAffinity()
    terms = part.preferredDuringSchedulingIgnoredDuringExecution or []
    return [(sign * each.weight, finish(each.podAffinityTerm, pod)) for each in terms]
