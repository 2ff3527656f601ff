"""`dractl plan`: objects in, prediction and optimum out."""

from collections.abc import Mapping
from typing import Final

from dractl.api.dropped import loss_findings, without_dropped_fields
from dractl.api.objects import ObjectSet
from dractl.cluster.cluster import Cluster
from dractl.cluster.node_machine import NodeMachine
from dractl.finding import Finding, Severity
from dractl.gates import Gates
from dractl.observe.findings import observations
from dractl.observe.lint import TOLD_BY_PLANS, LintContext, apply_rules
from dractl.observe.prescheduled import prescheduled_findings
from dractl.observe.quotas import quota_findings
from dractl.observe.upstream import upstream_findings
from dractl.planner.admission import gates_in_force
from dractl.planner.aligning import alignment_findings, with_aligned_optimum, with_alignments
from dractl.planner.crashing import crash_findings
from dractl.planner.kubelet_findings import KubeletFindings
from dractl.planner.kubelet_starts import start_findings
from dractl.planner.kubelets import Kubelets
from dractl.planner.node_objects import as_reported, missing_devices_findings, with_nodes_of_dumps
from dractl.planner.node_start import StartedNode, start_nodes
from dractl.planner.optimum import find_optimum, not_below
from dractl.planner.plan import Answer, Optimum, Plan
from dractl.planner.prediction import Predictor
from dractl.planner.preempted import preemption_findings
from dractl.planner.replanning import freeings
from dractl.planner.settings import Settings
from dractl.planner.ties import weigh_ties
from dractl.solution.outcomes import Verdict
from dractl.workloads import Expansion, expand
from dractl.workloads.limit_ranges import with_limit_ranges
from dractl.workloads.runtime_classes import with_runtime_classes

_INTERRUPTED: Final = Finding("plan/interrupted", Severity.WARNING, "interrupted: the optimum was not finished")


def plan(
    objects: ObjectSet,
    settings: Settings,
    gates: Gates | None = None,
    machines: Mapping[str, NodeMachine] | None = None,
) -> Plan:
    """Predict what the cluster does with the objects, and find the optimum where it could be better or is asked for.

    `gates` are those in force if that is decided already (`dractl.planner.admission`). `machines` are the nodes whose
    hardware or kubelet is known. Raises BadInput or UsageError
    for input that cannot be planned, InternalError if an answer fails its check.
    """
    gates = gates or gates_in_force(objects, settings)
    objects, node_findings = with_nodes_of_dumps(objects, machines or {})
    expansion = expand(objects, gates.enabled)
    # What controllers make is new in the cluster, and loses what its template may keep.
    kept, losses = without_dropped_fields(expansion.objects, gates)
    kept, limit_findings = with_limit_ranges(kept)
    kept, runtime_findings = with_runtime_classes(kept)
    started = start_nodes(machines or {}, kept, gates)
    node_findings += (*start_findings(started), *missing_devices_findings(kept, started))
    kept = as_reported(kept, started)
    cluster = Cluster.of(kept, gates.enabled, settings.now, settings.scheduler)
    kubelets = Kubelets(started, cluster.pods)
    predictor = Predictor(cluster, expansion.waiting, expansion.after, kubelets)
    prediction = weigh_ties(
        predictor.predict(),
        lambda preferred: Predictor(
            cluster, expansion.waiting, expansion.after, Kubelets(started, cluster.pods), preferred, explains=False
        ).predict(),
        len(cluster.nodes),
    )
    prediction = with_alignments(cluster, prediction, started)
    optimum, is_interrupted = _best(cluster, expansion, settings, prediction, started)
    return Plan(
        cluster=cluster,
        gates=gates,
        prediction=prediction,
        optimum=optimum,
        explanations=predictor.explanations,
        findings=(
            *node_findings,
            *expansion.findings,
            *loss_findings(losses, gates),
            *limit_findings,
            *runtime_findings,
            *observations(kept, gates, cluster.features),
            *upstream_findings(cluster, gates.release),
            *apply_rules(LintContext(cluster, gates, machines or {}), TOLD_BY_PLANS),
            *crash_findings(cluster),
            *preemption_findings(cluster, prediction.preempted),
            *prescheduled_findings(cluster, prediction.claims),
            *quota_findings(cluster, prediction.claims),
            *KubeletFindings(cluster, gates, kubelets).all(),
            *alignment_findings(cluster, prediction, started, settings),
            *([_INTERRUPTED] if is_interrupted else ()),
        ),
        machines=started,
        is_interrupted=is_interrupted,
        freeing=freeings(cluster, predictor.state, prediction.outcomes, expansion.waiting),
    )


def _best(
    cluster: Cluster,
    expansion: Expansion,
    settings: Settings,
    prediction: Answer,
    started: Mapping[str, StartedNode],
) -> tuple[Optimum | None, bool]:
    """The optimum where it could be better or is asked for, and whether the search was broken off."""
    could_be_better = any(
        outcome.verdict in (Verdict.DOES_NOT_FIT, Verdict.UNDECIDED) for outcome in prediction.outcomes
    )
    if not (settings.wants_optimum or settings.prefers or could_be_better):
        return None, False
    try:
        found = find_optimum(cluster, expansion, settings, prediction, started)
        return not_below(with_aligned_optimum(cluster, found, started), prediction), False
    except KeyboardInterrupt:  # the prediction is worth showing all the same
        return None, True
