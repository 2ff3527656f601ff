"""A pod names a claim or template that is not there.

A pod, or the template of a workload, names a ResourceClaim or ResourceClaimTemplate that the input lacks.

Why: the pod waits until somebody creates it; a template that is missing is told in an event of the pod only. Claims
and templates are looked for in the pod's own namespace.

Example:

    resourceClaims:
    - {name: gpu, resourceClaimTemplateName: gpu-templat}

Instead: the name as in `metadata.name`, in the same namespace, and the field for its kind. Others may provide the
claim: where the input has none of the namespace that were read from a cluster, or objects of unknown kinds might make
some, only names that are nearly right are told, those of the other kind and those of another namespace.
"""

from collections.abc import Iterator
from typing import Final

from dractl.api.core import PodResourceClaim
from dractl.api.identities import ClaimRef
from dractl.api.resource import ResourceClaim, ResourceClaimTemplate
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext, PodWriting
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.usage import knows_all_makers, misspelt_namespaces
from dractl.observe.references import CLAIM, TEMPLATE, meant_instead

_TYPES: Final = {CLAIM: ResourceClaim, TEMPLATE: ResourceClaimTemplate}


def check(context: LintContext) -> Iterator[Remark]:
    """Every entry of a pod spec whose object the input lacks."""
    claims = list(context.cluster.claims)
    templates = list(context.cluster.templates)
    for pod in context.pod_writings:
        for number, entry in enumerate(pod.spec.resourceClaims or ()):
            if entry.resourceClaimName is not None:
                name = entry.resourceClaimName
                path: tuple[str | int, ...] = ("resourceClaims", number, "resourceClaimName")
                yield from _missing(context, pod, name, (claims, templates), path)
            elif entry.resourceClaimTemplateName is not None and not _is_made(context, pod, entry):
                name = entry.resourceClaimTemplateName
                path = ("resourceClaims", number, "resourceClaimTemplateName")
                yield from _missing(context, pod, name, (templates, claims), path)


def _missing(
    context: LintContext,
    pod: PodWriting,
    name: str,
    known: tuple[list[ClaimRef], list[ClaimRef]],
    path: tuple[str | int, ...],
) -> Iterator[Remark]:
    """`known` are those of the kind that is named, and those of the other."""
    kind = CLAIM if path[-1] == "resourceClaimName" else TEMPLATE
    ref = ClaimRef(pod.namespace, name)
    if ref in known[0] or context.may_be_unread(kind, pod.namespace, name):
        return
    remedy = meant_instead(kind, ref, *known)
    if any(ClaimRef(each, name) in known[0] for each in misspelt_namespaces(context)):
        return  # that namespace is what is wrong
    is_known = is_dumped(context, _TYPES[kind], pod.namespace) and knows_all_makers(context)
    if remedy or is_known:
        what = "claim" if kind == CLAIM else "claim template"
        message = f"there is no {what} {name} in namespace {pod.namespace} of the input"
        yield Remark(message, pod.place.at(*path), pod.subject, remedy)


def _is_made(context: LintContext, pod: PodWriting, entry: PodResourceClaim) -> bool:
    """Whether the claim exists already, so that the template is not needed any more."""
    status = getattr(pod.source.object, "status", None)
    made = {each.name: each.resourceClaimName for each in getattr(status, "resourceClaimStatuses", None) or ()}
    name = made.get(entry.name)
    return name is not None and ClaimRef(pod.namespace, name) in context.cluster.claims


RULE = Rule("DRA201", "claim-not-found", Severity.WARNING, __doc__, check, needs_slices=True)
