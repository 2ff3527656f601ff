"""A configuration with which kube-scheduler v1.37.2 crashes (scheduling.md §8.2)."""

from collections.abc import Iterator
from typing import Final

from dractl.cluster.cluster import Cluster
from dractl.finding import Finding, Severity
from dractl.scheduler.extended import ExtendedResources

_PLUGIN: Final = "NodeResourcesBalancedAllocation"


def crash_findings(cluster: Cluster) -> Iterator[Finding]:
    """Balancing an extended resource that devices serve; said of the first pod that asks for it."""
    named = set(cluster.scheduler.balanced_resources)
    if _PLUGIN not in cluster.scheduler.weights or not named:
        return
    for ref in cluster.pods_to_plan():
        served = named.intersection(ExtendedResources.of(cluster.pods[ref], cluster).classes)
        if served:
            name = min(served)
            yield Finding(
                "scheduler/crash",
                Severity.ERROR,
                f"kube-scheduler v1.37.2 crashes when it compares nodes for this pod: {_PLUGIN} is to balance {name}, "
                "which devices serve. The plan leaves that resource out where they do",
                cluster.place_of_pod(ref),
                f"Pod {ref}",
                f"take {name} out of the resources of {_PLUGIN}; NodeResourcesFit may name it",
            )
            return
