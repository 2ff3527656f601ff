"""`-o json`: dractl's own report, version 1, as `schema/plan-v1.json` describes it."""

import json
from collections.abc import Iterator
from typing import Any, Final

from dractl import __version__
from dractl.api.codec import to_plain
from dractl.api.resource import DeviceRequestAllocationResult
from dractl.api.times import time_text
from dractl.cluster.binding import binding_of
from dractl.cluster.upstream import UpstreamFault
from dractl.errors import Place, path_text
from dractl.finding import Finding
from dractl.model.takeable import LeftOut
from dractl.planner.plan import Answer, DocumentedOptimum, Optimum, Plan
from dractl.planner.settings import Preference
from dractl.report.alignment import plain_alignment
from dractl.report.containers import plain_containers, plain_skipped_calls
from dractl.report.device_states import plain_states
from dractl.report.explanation import Explainer, Explanation
from dractl.report.gates import gate_notes
from dractl.report.metadata import Expected, plain_files, plain_given
from dractl.report.node_reports import plain_node
from dractl.report.rows import ClaimUse, claim_uses, rows_of
from dractl.report.shares import plain_refusal, plain_share
from dractl.report.totals import REFUSALS_LAST
from dractl.report.view import Spot, View
from dractl.solution.outcomes import DocumentedFit, PodOutcome, Verdict

VERSION: Final = "dractl/v1"


def render(plan: Plan, view: View) -> str:
    """The report, indented, with the same bytes on every run."""
    return json.dumps(report(plan, view), indent=2, ensure_ascii=False) + "\n"


def report(plan: Plan, view: View) -> dict[str, Any]:
    """The report as plain data; lists hold only what the view shows, counts always all."""
    cluster = plan.cluster
    return {
        "apiVersion": VERSION,
        "kind": "Plan",
        "dractlVersion": __version__,
        "kubernetesVersion": plan.gates.release,
        "featureGates": [
            {"name": note.name, "enabled": note.enabled, "reason": note.reason} for note in gate_notes(plan.gates)
        ],
        "nodes": [_node(plan, name) for name in cluster.nodes],
        "prediction": _Answer(plan, plan.prediction, view).plain(),
        "optimum": _optimum(plan, plan.optimum, view),
        "deviceStates": plain_states(plan, view),
        "metadataFiles": plain_given(plan, view),
        "findings": [plain_finding(finding, view) for finding in plan.findings],
    }


def _node(plan: Plan, name: str) -> dict[str, Any]:
    after = plan.prediction.kubelets.get(name)
    return {
        "name": name,
        "assumed": name in plan.cluster.assumed_nodes,
        "after": plain_node(after) if after is not None else None,
    }


def _optimum(plan: Plan, optimum: Optimum | None, view: View) -> dict[str, Any] | None:
    if optimum is None:
        return None
    kept = [{"pod": str(ref), "because": because} for ref, because in optimum.kept.items() if view.shows(ref)]
    return {
        **_Answer(plan, optimum.answer, view).plain(),
        "proven": optimum.is_proven,
        "bound": optimum.bound,
        "leftOut": [_left_out(each) for each in optimum.left_out],
        "documented": _documented_optimum(optimum.documented),
        **({"provenIf": REFUSALS_LAST} if optimum.is_proven and optimum.rests_on_refusals else {}),
        **({"asPredicted": kept} if kept else {}),
        **({"alignment": plain_alignment(plan, view)} if optimum.prefers is Preference.ALIGNED else {}),
    }


def _left_out(each: LeftOut) -> str:
    """`device D for request R of claim C on node N: a selector of class gpu fails: …`, from the widest to the cause."""
    whose = f"claim {each.claim}" if each.request is None else f"request {each.request.name} of claim {each.claim}"
    what = f"device {each.device} for {whose}" if each.device is not None else whose
    return f"{what} on node {each.node}: {each.fault.reason}"


class _Answer:
    """One side of the plan. Only the prediction is explained."""

    def __init__(self, plan: Plan, answer: Answer, view: View) -> None:
        self._answer = answer
        self._cluster = plan.cluster
        self._view = view
        self._explainer = Explainer(plan) if answer is plan.prediction else None
        self._metadata = Expected(plan, answer)

    def plain(self) -> dict[str, Any]:
        shown = [outcome for outcome in self._answer.outcomes if self._view.shows(outcome.pod)]
        return {
            "total": len(self._answer.outcomes),
            "placed": self._answer.count(Verdict.PLACED),
            "checkedBy": self._answer.checked_by,
            "pods": [self._pod(outcome) for outcome in shown],
        }

    def _pod(self, outcome: PodOutcome) -> dict[str, Any]:
        pod: dict[str, Any] = {
            "namespace": outcome.pod.namespace,
            "name": outcome.pod.name,
            "outcome": str(outcome.verdict),
            "certain": not outcome.uncertain,
        }
        if outcome.uncertain:
            pod["notCertainBecause"] = outcome.uncertain
        if outcome.placement is not None:
            pod["node"] = outcome.placement.node
        if outcome.message:
            pod["message"] = outcome.message
        if outcome.faults:
            faults = [{"id": each.id, "does": f"v1.37.2 {each.does}", "remedy": each.remedy} for each in outcome.faults]
            pod["schedulerFaults"] = faults
        if outcome.preempted_by is not None:
            pod["preemptedBy"] = str(outcome.preempted_by)
        if outcome.awaits:
            pod["awaits"] = [str(ref) for ref in outcome.awaits]
        pod["claims"] = list(self._claims(outcome))
        pod["containers"] = plain_containers(self._answer, outcome)
        pod["metadata"] = plain_files(self._metadata.of(outcome))
        pod["nodeShare"] = plain_share(self._answer, outcome)
        pod["refusal"] = plain_refusal(outcome.refusal)
        if self._explainer is not None and outcome.verdict is not Verdict.PLACED:
            pod |= _explanation(self._explainer.of(outcome), self._view)
            if outcome.documented is not None:
                pod["documented"] = _documented_fit(outcome.documented)
        pod["at"] = _place(outcome.place, self._view)
        return pod

    def _claims(self, outcome: PodOutcome) -> Iterator[dict[str, Any]]:
        rows = list(rows_of(self._answer, [outcome]))
        for use in claim_uses(self._answer, outcome):
            results = [result for row in rows if row.use == use for result in row.results]
            name = use.ref.name if use.ref is not None else None
            yield {
                "entry": None if use.resources else use.entry,
                **({"extendedResources": list(use.resources)} if use.resources else {}),
                "name": name,
                "devices": [_device(result) for result in results],
                "skippedNodeCalls": plain_skipped_calls(use),
                "binding": self._binding(use),
            }

    def _binding(self, use: ClaimUse) -> dict[str, str | None] | None:
        """Where the binding of an allocated claim stands; None if there is nothing to be waited for."""
        allocation = use.claim.status.allocation if use.claim is not None else None
        results = (allocation.devices.results if allocation is not None else None) or ()
        has_conditions = any(result.bindingConditions for result in results)
        if use.claim is None or not has_conditions or not self._cluster.features.binding_conditions:
            return None
        binding = binding_of(use.claim, self._cluster.features.binding_timeout)
        until = time_text(binding.until) if binding.pending and binding.until is not None else None
        return {"state": str(binding.state(self._cluster.now)), "until": until}


def _documented_fit(fit: DocumentedFit) -> dict[str, Any]:
    allocations = fit.placement.allocations
    return {
        "faults": [_fault(fault) for fault in fit.faults],
        "node": fit.placement.node,
        "claims": [
            {"name": ref.name, "devices": [_device(result) for result in allocation.devices.results or ()]}
            for ref, allocation in allocations.items()
        ],
    }


def _documented_optimum(optimum: DocumentedOptimum | None) -> dict[str, Any] | None:
    if optimum is None:
        return None
    return {"faults": [_fault(fault) for fault in optimum.faults], "placed": optimum.placed}


def _fault(fault: UpstreamFault) -> dict[str, Any]:
    issue = f"kubernetes#{fault.issue}" if fault.issue is not None else None
    return {"id": fault.id, "issue": issue, "does": f"v1.37.2 {fault.does}", "documented": fault.documented}


def _device(result: DeviceRequestAllocationResult) -> dict[str, Any]:
    return {
        "request": result.request,
        "driver": result.driver,
        "pool": result.pool,
        "device": result.device,
        "adminAccess": bool(result.adminAccess),
        "shareID": result.shareID,
        "consumedCapacity": to_plain(result.consumedCapacity or {}),
        "bindingConditions": list(result.bindingConditions or ()),
    }


def _explanation(explanation: Explanation, view: View) -> dict[str, Any]:
    return {
        "reasons": [
            {
                "kind": reason.kind,
                "nodes": list(reason.nodes),
                "text": reason.text,
                "at": _place(reason.place, view) if reason.place is not None else None,
            }
            for reason in explanation.reasons
        ],
        "fixes": list(explanation.fixes),
    }


def plain_finding(finding: Finding, view: View) -> dict[str, Any]:
    """A finding as every report has it."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.name.lower(),
        "subject": finding.subject,
        "message": finding.message,
        "remedy": finding.remedy,
        "at": _at(view.spot(finding)),
    }


def _at(spot: Spot | None) -> dict[str, Any] | None:
    if spot is None:
        return None
    return {"file": spot.file, "line": spot.line, "column": spot.column, "field": spot.field}


def _place(place: Place, view: View) -> dict[str, Any]:
    position = view.locate(place)
    return {
        "file": place.origin.file,
        "line": position.line if position is not None else place.origin.line,
        "column": position.column if position is not None else 1,
        "field": path_text(place.path),
    }
