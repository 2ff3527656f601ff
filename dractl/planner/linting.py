"""`dractl lint`: objects in, findings out."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from dractl.api.core import Node
from dractl.api.dropped import loss_findings, without_dropped_fields
from dractl.api.identities import ClaimRef, ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import ResourceClaim, ResourceClaimTemplate
from dractl.cluster.cluster import Cluster
from dractl.cluster.node_machine import NodeMachine
from dractl.finding import Finding, Severity
from dractl.gates import Gates
from dractl.observe.findings import observations
from dractl.observe.lint import COVERED, LintContext, apply_rules
from dractl.observe.lint.node_names import misspelt_nodes
from dractl.observe.lint.rules import node_name_misspelt, pod_selects_no_node, role_rule_misspelt
from dractl.observe.quotas import quota_findings
from dractl.observe.roles import LACKING
from dractl.problem.demands import DEVICES_PER_CLAIM
from dractl.workloads import expand
from dractl.workloads.admitted import admission_of
from dractl.workloads.assumed import ASSUMED, remarks_on
from dractl.workloads.limit_ranges import with_limit_ranges
from dractl.workloads.runtime_classes import with_runtime_classes

_NO_NODE: Final = "workloads/no-node"
_MISTAKES_AS_REMARKS: Final = frozenset({"workloads/name-in-use", _NO_NODE})
LIMITS_OF_PLANS: Final = frozenset({"scheduler/ignored", "scheduler/sampling"})
"""What a plan does not look at: manifests are not wrong for it."""

_EXPLAINED: Final[Mapping[str, str]] = {
    _NO_NODE: pod_selects_no_node.RULE.id,
    **dict.fromkeys(LACKING, role_rule_misspelt.RULE.id),
}
"""By what is said of an object, the rule that says why: no pods for want of a node, no permission for a wrong word."""


class Linted(Struct, frozen=True, eq=False):
    """What was looked at, and what there is to say about it; suppressed findings are still among them."""

    cluster: Cluster
    gates: Gates
    findings: tuple[Finding, ...]


def lint(
    objects: ObjectSet,
    gates: Gates,
    machines: Mapping[str, NodeMachine],
    passed_by: frozenset[ObjectRef] = frozenset(),
    of_others: Sequence[NodeMachine] = (),
    unread: frozenset[ObjectRef] = frozenset(),
) -> Linted:
    """Every finding about the objects and what controllers make of them, beside those of reading and checking.

    `passed_by` are objects of kinds that are not read; `of_others` have the kubelet configurations that name no node;
    `unread` are objects of the input that were not read, or not whole, or that would be refused. Raises BadInput as
    `expand` does.
    """
    expansion = expand(objects, gates.enabled)
    kept, losses = without_dropped_fields(expansion.objects, gates)
    kept, limit_findings = with_limit_ranges(kept)
    kept, runtime_findings = with_runtime_classes(kept)
    cluster = Cluster.of(kept, gates.enabled)
    context = LintContext(cluster, gates, machines, passed_by, of_others, unread, admission_of(kept))
    sure = _without_refused_claims(kept, unread)
    observed = observations(sure, gates, cluster.features)
    findings = (
        *(finding for finding in expansion.findings if _is_about_input(finding, objects)),
        *_on_assumed_nodes(context, objects),
        *loss_findings(losses, gates),
        *(finding for finding in limit_findings if finding.severity is not Severity.INFO),
        *runtime_findings,
        *(finding for finding in observed if finding.rule not in COVERED | LIMITS_OF_PLANS),
        *quota_findings(cluster, _certain_claims(sure)),
        *apply_rules(context),
    )
    return Linted(cluster, gates, tuple(_once(findings)))


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """Each finding once, and nothing that a rule explains at the same object."""
    each_once = list(dict.fromkeys(findings))
    told = {(each.rule, each.subject) for each in each_once}
    return [each for each in each_once if (_EXPLAINED.get(each.rule, ""), each.subject) not in told]


def _without_refused_claims(objects: ObjectSet, unread: frozenset[ObjectRef]) -> ObjectSet:
    """What stays as it is: the requests of a claim that is refused, or is made from such a template, will change."""
    written: tuple[Sourced[Any], ...] = (*objects.of(ResourceClaim), *objects.of(ResourceClaimTemplate))
    refused = {place for each in written if each.ref in unread for place in (each.place, each.place.at("spec"))}
    if not refused:
        return objects
    return ObjectSet(each for each in objects if not (isinstance(each.object, ResourceClaim) and each.place in refused))


def _certain_claims(objects: ObjectSet) -> dict[ClaimRef, ResourceClaim]:
    """The claims that count for quotas as they stand: those that ask for more than a claim can hold will change."""
    claims = {ClaimRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(ResourceClaim)}
    return {ref: claim for ref, claim in claims.items() if _wanted(claim) <= DEVICES_PER_CLAIM}


def _wanted(claim: ResourceClaim) -> int:
    """The fewest devices that the claim counts; whoever takes all is not counted."""
    requests = claim.spec.devices.requests or ()
    asked = (((request.exactly,) if request.exactly else request.firstAvailable or ()) for request in requests)
    return sum(min((each.count for each in alternatives), default=0) for alternatives in asked)


def _is_about_input(finding: Finding, objects: ObjectSet) -> bool:
    """Whether a finding of expansion says something of the input, not only how a plan takes it, and no rule says it.

    A DaemonSet that no node takes is a mistake only where the input has nodes.
    """
    if finding.rule in COVERED or finding.rule == ASSUMED:
        return False
    if finding.severity is not Severity.INFO or not finding.rule.startswith("workloads/"):
        return True
    return finding.rule in _MISTAKES_AS_REMARKS and (finding.rule != _NO_NODE or any(objects.of(Node)))


def _on_assumed_nodes(context: LintContext, objects: ObjectSet) -> tuple[Finding, ...]:
    """What is said about nodes that are named only: where others are described, and not of misspelt names."""
    if not any(objects.of(Node)) or node_name_misspelt.RULE.is_blind(context.unread):
        return ()
    misspelt = {mention.name for mention, _ in misspelt_nodes(context)}
    assumed = [node for node in context.objects.of(Node) if node.made_by is not None and node.ref.name not in misspelt]
    return remarks_on(assumed, described=True)
