"""`dractl plan`: objects in, prediction and optimum out."""

from collections.abc import Iterator, Mapping
from typing import Final

from dractl.api.identities import PodRef
from dractl.api.objects import ObjectSet
from dractl.cluster.node_machine import NodeMachine
from dractl.finding import Finding, Severity
from dractl.gates import Gates
from dractl.observe.prescheduled import prescheduled_findings
from dractl.observe.quotas import quota_findings
from dractl.planner.admission import gates_in_force
from dractl.planner.aligning import alignment_findings, with_aligned_optimum, with_alignments
from dractl.planner.crashing import crash_findings
from dractl.planner.kubelet_findings import KubeletFindings
from dractl.planner.kubelets import Kubelets
from dractl.planner.optimum import find_optimum, not_below
from dractl.planner.plan import Answer, Optimum, Plan
from dractl.planner.prediction import Predictor
from dractl.planner.preempted import preemption_findings
from dractl.planner.preparing import Prepared, prepare
from dractl.planner.replanning import freeings
from dractl.planner.settings import Settings
from dractl.planner.ties import weigh_ties
from dractl.solution.outcomes import Verdict

_INTERRUPTED: Final = Finding("plan/interrupted", Severity.WARNING, "interrupted: the optimum was not finished")


def plan(
    objects: ObjectSet,
    settings: Settings,
    gates: Gates | None = None,
    machines: Mapping[str, NodeMachine] | None = None,
) -> Plan:
    """Predict what the cluster does with the objects, and find the optimum where it could be better or is asked for.

    `gates` are those in force if that is decided already (`dractl.planner.admission`). `machines` are the nodes whose
    hardware or kubelet is known. Raises BadInput or UsageError for input that cannot be planned, InternalError if an
    answer fails its check.
    """
    prepared = prepare(objects, settings, gates or gates_in_force(objects, settings), machines or {})
    cluster, started = prepared.cluster, prepared.machines
    kubelets = Kubelets(started, cluster.pods)
    predictor = _predictor(prepared, kubelets)
    prediction = weigh_ties(
        predictor.predict(),
        lambda preferred: _predictor(prepared, Kubelets(started, cluster.pods), preferred).predict(),
        len(cluster.nodes),
    )
    prediction = with_alignments(cluster, prediction, started)
    optimum, is_interrupted = _best(prepared, settings, prediction)
    return Plan(
        cluster=cluster,
        gates=prepared.gates,
        prediction=prediction,
        optimum=optimum,
        explanations=predictor.explanations,
        findings=(
            *prepared.findings,
            *_findings(prepared, settings, prediction, kubelets),
            *([_INTERRUPTED] if is_interrupted else ()),
        ),
        machines=started,
        is_interrupted=is_interrupted,
        freeing=freeings(cluster, predictor.state, prediction.outcomes, prepared.expansion.waiting),
    )


def _predictor(prepared: Prepared, kubelets: Kubelets, preferred: Mapping[PodRef, str] | None = None) -> Predictor:
    """One that takes the preferred nodes among equals explains nothing."""
    expansion, explains = prepared.expansion, preferred is None
    return Predictor(prepared.cluster, expansion.waiting, expansion.after, kubelets, preferred or {}, explains=explains)


def _best(prepared: Prepared, settings: Settings, prediction: Answer) -> tuple[Optimum | None, bool]:
    """The optimum where it could be better or is asked for, and whether the search was broken off."""
    could_be_better = any(
        outcome.verdict in (Verdict.DOES_NOT_FIT, Verdict.UNDECIDED) for outcome in prediction.outcomes
    )
    if not (settings.wants_optimum or settings.prefers or could_be_better):
        return None, False
    cluster, started = prepared.cluster, prepared.machines
    try:
        found = find_optimum(cluster, prepared.expansion, settings, prediction, started)
        return not_below(with_aligned_optimum(cluster, found, started), prediction), False
    except KeyboardInterrupt:  # the prediction is worth showing all the same
        return None, True


def _findings(prepared: Prepared, settings: Settings, prediction: Answer, kubelets: Kubelets) -> Iterator[Finding]:
    """What the prediction shows besides where the pods go."""
    cluster = prepared.cluster
    yield from crash_findings(cluster)
    yield from preemption_findings(cluster, prediction.preempted)
    yield from prescheduled_findings(cluster, prediction.claims)
    yield from quota_findings(cluster, prediction.claims)
    yield from KubeletFindings(cluster, prepared.gates, kubelets).all()
    yield from alignment_findings(cluster, prediction, prepared.machines, settings)
