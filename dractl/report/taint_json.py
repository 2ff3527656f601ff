"""`dractl taint -o json`: the report as data, as `schema/taint-v1.json` describes it."""

import json
from typing import Any, Final

from dractl import __version__
from dractl.api.codec import to_plain
from dractl.api.identities import DeviceId
from dractl.api.times import time_text
from dractl.observe.device_taints import Origin, RuleOrigin
from dractl.observe.eviction import Cause
from dractl.planner.taints import PodEviction, RuleReport, TaintReport
from dractl.report.gates import gate_notes
from dractl.report.json import plain_finding
from dractl.report.taint_words import NextExplainer, next_devices
from dractl.report.view import View

VERSION: Final = "dractl/v1"


def render_json(report: TaintReport, view: View) -> str:
    """The report, indented, with the same bytes on every run at the same moment."""
    return json.dumps(_report(report, view), indent=2, ensure_ascii=False) + "\n"


def _report(report: TaintReport, view: View) -> dict[str, Any]:
    explainer = NextExplainer()
    shown = [each for each in report.evictions if view.shows(each.eviction.pod)]
    return {
        "apiVersion": VERSION,
        "kind": "TaintReport",
        "dractlVersion": __version__,
        "kubernetesVersion": report.gates.release,
        "featureGates": [
            {"name": note.name, "enabled": note.enabled, "reason": note.reason} for note in gate_notes(report.gates)
        ],
        "now": time_text(report.now),
        "runningPods": report.running,
        "rules": [_rule(each) for each in report.rules],
        "evictions": [_eviction(each, report, explainer) for each in shown],
        "findings": [plain_finding(finding, view) for finding in report.findings],
    }


def _rule(each: RuleReport) -> dict[str, Any]:
    spec = each.rule.object.spec
    condition = each.condition
    return {
        "name": each.rule.ref.name,
        "deviceSelector": to_plain(spec.deviceSelector) if spec.deviceSelector is not None else None,
        "taint": to_plain(spec.taint),
        "publishedDevices": each.published,
        "allocatedDevices": each.allocated,
        "condition": {
            "type": condition.type,
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
        },
        "pods": [{"namespace": found.pod.namespace, "name": found.pod.name} for found in each.evictions],
    }


def _eviction(each: PodEviction, report: TaintReport, explainer: NextExplainer) -> dict[str, Any]:
    eviction = each.eviction
    return {
        "namespace": eviction.pod.namespace,
        "name": eviction.pod.name,
        "node": each.pod.spec.nodeName,
        "priority": each.pod.spec.priority or 0,
        "evictAt": None if each.is_supposed else time_text(eviction.evict_at),
        "onlyIfNoExecute": each.is_supposed,
        "isBeingDeleted": eviction.is_terminating,
        "hasFinished": each.has_finished,
        "causes": [_cause(cause, each) for cause in eviction.causes],
        "next": _next(each, report, explainer),
    }


def _cause(cause: Cause, each: PodEviction) -> dict[str, Any]:
    return {
        "claim": cause.claim.name,
        "device": _device(cause.device),
        "taint": to_plain(cause.taint.taint),
        "origin": _origin(cause.taint.origin),
        "toleratedUntil": None if each.is_supposed else time_text(cause.deadline),
    }


def _origin(origin: Origin) -> dict[str, Any]:
    if isinstance(origin, RuleOrigin):
        return {"rule": origin.rule}
    return {"slice": origin.slice, "taintIndex": origin.index}


def _device(device: DeviceId) -> dict[str, str]:
    return {"driver": device.driver, "pool": device.pool, "device": device.device}


def _next(each: PodEviction, report: TaintReport, explainer: NextExplainer) -> dict[str, Any] | None:
    if each.next is None or each.aftermath is None:
        return None
    placement = each.next.placement
    share = placement.share if placement is not None else None
    explanation = explainer.unplaced(each)
    return {
        "outcome": str(each.next.verdict),
        "certain": not each.next.uncertain,
        "node": placement.node if placement is not None else None,
        "devices": [_device(device) for device in next_devices(each.next, each.aftermath)] if placement else [],
        **({"cpus": str(share.cpus), "numaNodes": str(share.numa)} if share is not None else {}),
        "evictedAgainAt": time_text(max(each.again.evict_at, each.leaves_at(report.now))) if each.again else None,
        "reasons": [reason.sentence for reason in explanation.reasons] if explanation is not None else [],
        "fixes": list(explanation.fixes) if explanation is not None else [],
    }
