"""When it can be said that nothing uses an object."""

from collections.abc import Mapping
from typing import Final

from dractl.near_misses import nearest
from dractl.observe.lint.context import LintContext

_USE_NO_CLAIMS: Final = frozenset(
    {
        *("ConfigMap", "Secret", "ServiceAccount", "Service", "Endpoints", "EndpointSlice", "Ingress", "NetworkPolicy"),
        *("PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSIDriver", "LimitRange", "ResourceQuota"),
        *("CustomResourceDefinition", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"),
        *("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "PodDisruptionBudget"),
        *("HorizontalPodAutoscaler", "KubeletConfiguration", "KubeSchedulerConfiguration", "Kustomization", "Event"),
        *("Lease", "APIService", "ControllerRevision", "NodeResourceTopology"),
    }
)
"""Kinds that are not read and neither are pods nor make any."""
USERS: Final = (
    *("Pod", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet", "Job", "CronJob"),
    *("PodGroup", "Workload"),
)
"""Kinds whose objects name claims and templates."""


def knows_all_users(context: LintContext, namespace: str) -> bool:
    """Whether all users of the namespace's claims were read: pods are there, and no kind that may make others."""
    return any(pod.namespace == namespace for pod in context.pod_writings) and knows_all_makers(context)


def misspelt_namespaces(context: LintContext) -> Mapping[str, str]:
    """Namespaces of objects that the input lacks, with the one of the input that is meant."""
    return context.once(("misspelt namespaces",), lambda: _misspelt_namespaces(context))


def _misspelt_namespaces(context: LintContext) -> Mapping[str, str]:
    if context.may_lack("Namespace"):
        return {}
    known = context.cluster.namespaces
    used = dict.fromkeys(each.ref.namespace for each in context.objects if each.made_by is None and each.ref.namespace)
    return {name: meant for name in used if name not in known and (meant := nearest(name, known))}


def named_claims(context: LintContext) -> set[tuple[str, str]]:
    """The claims and templates that pods name, with their namespaces, be it in the field for the other kind."""
    return {
        (namespace, entry.resourceClaimName or entry.resourceClaimTemplateName or "")
        for namespace, entry in context.claim_entries
    }


def is_misspelt(context: LintContext, namespace: str, name: str) -> bool:
    """Whether somebody names an object that is not there, but nearly this one: then that is the mistake."""
    there = {ref.name for ref in (*context.cluster.claims, *context.cluster.templates) if ref.namespace == namespace}
    named = {each for where, each in named_claims(context) if where == namespace}
    return any(each not in there and nearest(each, [name]) == name for each in named)


def knows_all_makers(context: LintContext) -> bool:
    """Whether no object of a kind that was not read may make pods, claims or templates."""
    return context.skipped_kinds <= _USE_NO_CLAIMS
