"""From objects to a cluster: what controllers and the API server make of the input before anything is scheduled."""

from collections.abc import Mapping

from msgspec import Struct

from dractl.api.dropped import loss_findings, without_dropped_fields
from dractl.api.objects import ObjectSet
from dractl.cluster.cluster import Cluster
from dractl.cluster.node_machine import NodeMachine
from dractl.finding import Finding
from dractl.gates import Gates
from dractl.observe.findings import observations
from dractl.observe.lint import TOLD_BY_PLANS, LintContext, apply_rules
from dractl.observe.upstream import upstream_findings
from dractl.planner.kubelet_starts import start_findings
from dractl.planner.node_objects import as_reported, missing_devices_findings, with_nodes_of_dumps
from dractl.planner.node_start import StartedNode, start_nodes
from dractl.planner.settings import Settings
from dractl.workloads import Expansion, expand
from dractl.workloads.limit_ranges import with_limit_ranges
from dractl.workloads.runtime_classes import with_runtime_classes


class Prepared(Struct, frozen=True, eq=False):
    """The cluster as the scheduler finds it, and all that can be said before it decides.

    `machines` are the nodes whose hardware or kubelet is known, as they have started.
    """

    cluster: Cluster
    gates: Gates
    expansion: Expansion
    machines: Mapping[str, StartedNode]
    findings: tuple[Finding, ...]


def prepare(objects: ObjectSet, settings: Settings, gates: Gates, machines: Mapping[str, NodeMachine]) -> Prepared:
    """Pods and claims of workloads, without the fields that gates drop, with what admission fills in."""
    objects, node_findings = with_nodes_of_dumps(objects, machines)
    expansion = expand(objects, gates.enabled)
    # What controllers make is new in the cluster, and loses what its template may keep.
    kept, losses = without_dropped_fields(expansion.objects, gates)
    kept, limit_findings = with_limit_ranges(kept)
    kept, runtime_findings = with_runtime_classes(kept)
    started = start_nodes(machines, kept, gates)
    start = (*start_findings(started), *missing_devices_findings(kept, started))
    kept = as_reported(kept, started)
    cluster = Cluster.of(kept, gates.enabled, settings.now, settings.scheduler)
    findings = (
        *node_findings,
        *start,
        *expansion.findings,
        *loss_findings(losses, gates),
        *limit_findings,
        *runtime_findings,
        *observations(kept, gates, cluster.features),
        *upstream_findings(cluster, gates.release),
        *apply_rules(LintContext(cluster, gates, machines), TOLD_BY_PLANS),
    )
    return Prepared(cluster, gates, expansion, started, findings)
