"""`dractl plan`: objects in, prediction and optimum out."""

from dractl.api.feature_use import gates_in_use
from dractl.api.objects import ObjectSet
from dractl.cluster.cluster import Cluster
from dractl.gates import resolve
from dractl.planner.optimum import find_optimum
from dractl.planner.plan import Plan
from dractl.planner.prediction import Predictor
from dractl.planner.settings import Settings
from dractl.solution.outcomes import Verdict
from dractl.workloads import expand


def plan(objects: ObjectSet, settings: Settings) -> Plan:
    """Predict what the cluster does with the objects, and find the optimum where it could be better or is asked for.

    Raises BadInput or UsageError for input that cannot be planned, InternalError if an answer fails its check.
    """
    gates = resolve(release=settings.release, settings=settings.feature_gates, used=gates_in_use(objects))
    expansion = expand(objects)
    cluster = Cluster.of(expansion.objects, gates.enabled)
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
        findings=expansion.findings,
    )
