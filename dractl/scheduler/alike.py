"""Nodes that nothing can tell apart for a pod are asked once (DESIGN, decision 3)."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from dractl.api.base import NodeSelectorTerm
from dractl.api.codec import to_plain
from dractl.cluster.cluster import Cluster
from dractl.scheduler.cycle import Cycle
from dractl.scheduler.filters.resources import node_ports
from dractl.scheduler.owners import spread_selector
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.refusal import Refused


def alike_nodes(cycle: Cycle) -> list[list[str]]:
    """The names of the nodes; those that nothing can tell apart for the pod are together.

    A pod that wants nothing but CPU, memory, other resources that are counted, and host ports sees no more of a node
    than its kind, what is requested there, and which port is taken that it wants.
    """
    nodes = cycle.state.nodes
    if not _is_plain(cycle):
        return [[name] for name in nodes]
    kinds = _kinds(cycle.state.cluster, _keys(cycle.info))
    groups: dict[tuple[int, int, Refused | None], list[str]] = {}
    for name, node in nodes.items():
        load = node.load
        key = (kinds[name], node.number_of_load() if load is None else load, node_ports(cycle.info, node))
        if key in groups:
            groups[key].append(name)
        else:
            groups[key] = [name]
    return list(groups.values())


def _is_plain(cycle: Cycle) -> bool:
    """Whether neither devices, nor the node's name, nor other pods matter to the pod, but for what they take."""
    info, state = cycle.info, cycle.state
    if cycle.claims or cycle.extended.classes or info.pod.spec.topologySpreadConstraints:
        return False
    if state.nominated or info.pod.spec.nodeName or any(term.matchFields for term in _terms(info)):
        return False
    affinity = info.pod.spec.affinity
    if affinity is not None and (affinity.podAffinity or affinity.podAntiAffinity):
        return False
    if any(node.pods_with_affinity for node in state.nodes.values()):
        return False
    return spread_selector(info.pod, state.cluster.objects) is None


def _terms(info: PodInfo) -> list[NodeSelectorTerm]:
    """All terms of node affinity, required and preferred."""
    required = (info.required_nodes.nodeSelectorTerms if info.required_nodes is not None else None) or []
    return [*required, *(each.preference for each in info.preferred_nodes)]


def _keys(info: PodInfo) -> frozenset[str]:
    """The labels of nodes that the pod looks at."""
    named = [each.key for term in _terms(info) for each in term.matchExpressions or ()]
    return frozenset([*(info.pod.spec.nodeSelector or {}), *named])


@lru_cache(maxsize=64)
def _kinds(cluster: Cluster, keys: frozenset[str]) -> Mapping[str, int]:
    """A number for each node; nodes with the same number have the same values of these labels, and the same status."""
    known: dict[bytes, int] = {}
    kinds: dict[str, int] = {}
    for name, node in cluster.nodes.items():
        labels = sorted((key, value) for key, value in (node.metadata.labels or {}).items() if key in keys)
        status = {key: value for key, value in to_plain(node.status).items() if key != "conditions"}
        written = msgspec.json.encode([labels, to_plain(node.spec), status])
        kinds[name] = known.setdefault(written, len(known))
    return kinds
