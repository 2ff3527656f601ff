"""Scores by the node's taints, labels and images (scheduling.md §8, 8.6)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from dractl.api.core import ContainerImage
from dractl.api.selectors import matches_term
from dractl.api.tolerations import tolerates
from dractl.cluster.cluster import Cluster
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.scores.normalizing import Scores, highest_is_best, lowest_is_best

_MEBIBYTE: Final = 1024**2
_SMALLEST_SUM: Final = 23 * _MEBIBYTE
_LARGEST_PER_IMAGE: Final = 1000 * _MEBIBYTE


def taint_toleration(pod: PodInfo, nodes: Sequence[NodeState]) -> Scores:
    """Fewer taints that only advise against the node are better."""
    relevant = [each for each in pod.tolerations if each.effect in ("", "PreferNoSchedule")]
    counts = {
        node.name: sum(
            taint.effect == "PreferNoSchedule" and not any(tolerates(each, taint) for each in relevant)
            for taint in node.node.spec.taints or ()
        )
        for node in nodes
    }
    return lowest_is_best(counts)


def node_affinity(pod: PodInfo, nodes: Sequence[NodeState]) -> Scores | None:
    """The weights of preferred terms that match; without such terms the score is left out."""
    terms = pod.preferred_nodes
    if not terms:
        return None
    return highest_is_best(
        {node.name: sum(term.weight for term in terms if matches_term(term.preference, node.node)) for node in nodes}
    )


def image_locality(pod: PodInfo, nodes: Sequence[NodeState], state: ClusterState) -> Scores:
    """Nodes that have the pod's images are better, large images that many nodes have count most."""
    spec = pod.pod.spec
    wanted = [_tagged(each.image) for each in (*(spec.initContainers or ()), *(spec.containers or ()))]
    known = _images(state.cluster)
    if not known:
        return dict.fromkeys((node.name for node in nodes), 0)
    upper = _LARGEST_PER_IMAGE * len(wanted)
    scores: dict[str, int] = {}
    for node in nodes:
        there = {name for image in node.node.status.images or () for name in _names(image)}
        total = sum(known[image].share(len(state.nodes)) for image in wanted if image in there)
        bounded = min(max(total, _SMALLEST_SUM), upper)
        scores[node.name] = 100 * (bounded - _SMALLEST_SUM) // (upper - _SMALLEST_SUM) if wanted else 0
    return scores


class _Image:
    """An image that some nodes have; its size is the one of the node that was added first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.nodes = 0

    def share(self, all_nodes: int) -> int:
        return int(self.size * (self.nodes / all_nodes))


@lru_cache(maxsize=4)
def _images(cluster: Cluster) -> Mapping[str, _Image]:
    known: dict[str, _Image] = {}
    for node in cluster.nodes.values():
        sizes = {name: image.sizeBytes for image in node.status.images or () for name in _names(image)}
        for name, size in sizes.items():
            known.setdefault(name, _Image(size)).nodes += 1
    return known


def _names(image: ContainerImage) -> list[str]:
    return image.names or []


def _tagged(image: str) -> str:
    """The name with `:latest` where it has neither tag nor digest."""
    return image if image.rfind(":") > image.rfind("/") else f"{image}:latest"
