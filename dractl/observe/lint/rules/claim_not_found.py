"""A pod names a claim or template that is not there.

A pod, or the template of a workload, names a ResourceClaim or ResourceClaimTemplate that the input lacks.

Why: the pod waits until somebody creates it; a template that is missing is told in an event of the pod only. Claims
and templates are looked for in the pod's own namespace.

Example:

    resourceClaims:
    - {name: gpu, resourceClaimTemplateName: gpu-templat}

Instead: the name as in `metadata.name`, in the same namespace. Others may provide the claim: where the input has none
of the namespace that were read from a cluster, or objects of unknown kinds might make some, only names that are nearly
right are told, and those of another namespace.
"""

from collections.abc import Iterator
from typing import Final

from dractl.api.core import PodResourceClaim
from dractl.api.identities import ClaimRef
from dractl.api.resource import ResourceClaim, ResourceClaimTemplate
from dractl.finding import Severity
from dractl.near_misses import nearest
from dractl.observe.lint.context import LintContext, PodWriting
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.usage import knows_all_makers

_TYPES: Final = {"ResourceClaim": ResourceClaim, "ResourceClaimTemplate": ResourceClaimTemplate}


def check(context: LintContext) -> Iterator[Remark]:
    """Every entry of a pod spec whose object the input lacks."""
    claims = list(context.cluster.claims)
    templates = list(context.cluster.templates)
    for pod in context.pod_writings:
        for number, entry in enumerate(pod.spec.resourceClaims or ()):
            if entry.resourceClaimName is not None:
                name = entry.resourceClaimName
                yield from _missing(context, pod, name, claims, ("resourceClaims", number, "resourceClaimName"))
            elif entry.resourceClaimTemplateName is not None and not _is_made(context, pod, entry):
                name = entry.resourceClaimTemplateName
                path = ("resourceClaims", number, "resourceClaimTemplateName")
                yield from _missing(context, pod, name, templates, path)


def _missing(
    context: LintContext, pod: PodWriting, name: str, known: list[ClaimRef], path: tuple[str | int, ...]
) -> Iterator[Remark]:
    kind = "ResourceClaim" if path[-1] == "resourceClaimName" else "ResourceClaimTemplate"
    if ClaimRef(pod.namespace, name) in known or context.may_be_unread(kind, pod.namespace, name):
        return
    here = [ref.name for ref in known if ref.namespace == pod.namespace]
    elsewhere = [ref.namespace for ref in known if ref.name == name]
    close = nearest(name, here)
    is_known = is_dumped(context, _TYPES[kind], pod.namespace) and knows_all_makers(context)
    if not close and not elsewhere and not is_known:
        return
    what = "claim" if kind == "ResourceClaim" else "claim template"
    remedy = f"did you mean {close}?" if close else ""
    if elsewhere and not close:
        remedy = (
            f"there is one in namespace {elsewhere[0]}; a pod finds only those of its own namespace, {pod.namespace}"
        )
    yield Remark(
        f"there is no {what} {name} in namespace {pod.namespace} of the input",
        pod.place.at(*path),
        pod.subject,
        remedy,
    )


def _is_made(context: LintContext, pod: PodWriting, entry: PodResourceClaim) -> bool:
    """Whether the claim exists already, so that the template is not needed any more."""
    status = getattr(pod.source.object, "status", None)
    made = {each.name: each.resourceClaimName for each in getattr(status, "resourceClaimStatuses", None) or ()}
    name = made.get(entry.name)
    return name is not None and ClaimRef(pod.namespace, name) in context.cluster.claims


RULE = Rule("DRA201", "claim-not-found", Severity.WARNING, __doc__, check, needs_slices=True)
