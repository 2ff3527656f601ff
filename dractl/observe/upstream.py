"""Faults of Kubernetes that an input meets beside those that the plan itself shows (dra.md §18)."""

from collections.abc import Iterator

from dractl.cluster.cluster import Cluster
from dractl.finding import Finding
from dractl.observe.older_releases import older_release_findings
from dractl.observe.unplugged import unplugged_findings


def upstream_findings(cluster: Cluster, release: str) -> Iterator[Finding]:
    """Faults of v1.37.2 that no rule can undo, then those of releases before it if the plan is for one."""
    yield from unplugged_findings(cluster)
    yield from older_release_findings(cluster, release)
