"""`dractl plan`: objects in, prediction and optimum out."""

from dractl.api.dropped import loss_findings, without_dropped_fields
from dractl.api.objects import ObjectSet
from dractl.cluster.cluster import Cluster
from dractl.gates import Gates
from dractl.observe.findings import observations
from dractl.observe.upstream import upstream_findings
from dractl.planner.admission import gates_in_force
from dractl.planner.optimum import find_optimum
from dractl.planner.plan import Plan
from dractl.planner.prediction import Predictor
from dractl.planner.settings import Settings
from dractl.solution.outcomes import Verdict
from dractl.workloads import expand


def plan(objects: ObjectSet, settings: Settings, gates: Gates | None = None) -> Plan:
    """Predict what the cluster does with the objects, and find the optimum where it could be better or is asked for.

    `gates` are those in force if that is decided already (`dractl.planner.admission`). Raises BadInput or UsageError
    for input that cannot be planned, InternalError if an answer fails its check.
    """
    gates = gates or gates_in_force(objects, settings)
    expansion = expand(objects, gates.enabled)
    # What controllers make is new in the cluster, and loses what its template may keep.
    kept, losses = without_dropped_fields(expansion.objects, gates)
    cluster = Cluster.of(kept, gates.enabled, settings.now)
    predictor = Predictor(cluster, expansion.waiting, expansion.after)
    prediction = predictor.predict()
    could_be_better = any(
        outcome.verdict in (Verdict.DOES_NOT_FIT, Verdict.UNDECIDED) for outcome in prediction.outcomes
    )
    optimum = None
    if settings.wants_optimum or could_be_better:
        optimum = find_optimum(cluster, expansion, settings)
    return Plan(
        cluster=cluster,
        gates=gates,
        prediction=prediction,
        optimum=optimum,
        explanations=predictor.explanations,
        findings=(
            *expansion.findings,
            *loss_findings(losses, gates),
            *observations(kept, gates, cluster.features),
            *upstream_findings(cluster, gates.release),
        ),
    )
