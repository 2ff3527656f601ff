"""The order in which pods are decided (scheduling.md §2)."""

from collections.abc import Iterable

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster


def in_queue_order(cluster: Cluster, pods: Iterable[PodRef]) -> list[PodRef]:
    """Higher priority first, then the earlier creation time, then the order of the input.

    A pod without creation time comes after those that exist already.
    """

    def rank(numbered: tuple[int, PodRef]) -> tuple[int, bool, str, int]:
        number, ref = numbered
        pod = cluster.pods[ref]
        created = pod.metadata.creationTimestamp
        return -(pod.spec.priority or 0), created is None, created or "", number

    return [ref for _, ref in sorted(enumerate(pods), key=rank)]
