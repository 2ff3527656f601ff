"""A pod names a claim or template that is not there.

A pod, the template of a workload, or a group of pods names a ResourceClaim or ResourceClaimTemplate that the input
lacks.

Why: the pod waits until somebody creates it; a template that is missing is told in an event of the pod only. Claims
and templates are looked for in the pod's own namespace.

Example:

    resourceClaims:
    - {name: gpu, resourceClaimTemplateName: gpu-templat}

Instead: the name as in `metadata.name`, in the same namespace, and the field for its kind. Others may provide the
claim: where the input has none of the namespace that were read from a cluster, or objects of unknown kinds might make
some, only names that are nearly right are told, those of the other kind and those of another namespace.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from dractl.api.core import PodResourceClaim
from dractl.api.identities import ClaimRef
from dractl.api.objects import Sourced
from dractl.api.resource import ResourceClaim, ResourceClaimTemplate
from dractl.api.scheduling import PodGroup, Workload
from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.usage import knows_all_makers, misspelt_namespaces
from dractl.observe.references import CLAIM, TEMPLATE, meant_instead

_TYPES: Final = {CLAIM: ResourceClaim, TEMPLATE: ResourceClaimTemplate}


class _Asking(Struct, frozen=True):
    """Somebody who names claims. `place` is where its `resourceClaims` stand."""

    source: Sourced[Any]
    entries: Sequence[PodResourceClaim]
    place: Place


def check(context: LintContext) -> Iterator[Remark]:
    """Every entry of a pod spec or a group whose object the input lacks."""
    claims = list(context.cluster.claims)
    templates = list(context.cluster.templates)
    for asking in (*_of_pods(context), *_of_groups(context)):
        for number, entry in enumerate(asking.entries):
            if entry.resourceClaimName is not None:
                name = entry.resourceClaimName
                path: tuple[str | int, ...] = ("resourceClaims", number, "resourceClaimName")
                yield from _missing(context, asking, name, (claims, templates), path)
            elif entry.resourceClaimTemplateName is not None and not _is_made(context, asking, entry):
                name = entry.resourceClaimTemplateName
                path = ("resourceClaims", number, "resourceClaimTemplateName")
                yield from _missing(context, asking, name, (templates, claims), path)


def _of_pods(context: LintContext) -> Iterator[_Asking]:
    for pod in context.pod_writings:
        yield _Asking(pod.source, pod.spec.resourceClaims or (), pod.place)


def _of_groups(context: LintContext) -> Iterator[_Asking]:
    """The groups that are written, and those that a Workload describes."""
    for group in context.objects.of(PodGroup):
        if group.made_by is None:
            yield _Asking(group, group.object.spec.resourceClaims or (), group.place.at("spec"))
    for workload in context.objects.of(Workload):
        for number, template in enumerate(workload.object.spec.podGroupTemplates or ()):
            place = workload.place.at("spec", "podGroupTemplates", number)
            yield _Asking(workload, template.resourceClaims or (), place)


def _missing(
    context: LintContext,
    asking: _Asking,
    name: str,
    known: tuple[list[ClaimRef], list[ClaimRef]],
    path: tuple[str | int, ...],
) -> Iterator[Remark]:
    """`known` are those of the kind that is named, and those of the other."""
    kind = CLAIM if path[-1] == "resourceClaimName" else TEMPLATE
    namespace = asking.source.ref.namespace
    ref = ClaimRef(namespace, name)
    if ref in known[0] or context.may_be_unread(kind, namespace, name):
        return
    remedy = meant_instead(kind, ref, *known)
    if any(ClaimRef(each, name) in known[0] for each in misspelt_namespaces(context)):
        return  # that namespace is what is wrong
    is_known = is_dumped(context, _TYPES[kind], namespace) and knows_all_makers(context)
    if remedy or is_known:
        what = "claim" if kind == CLAIM else "claim template"
        message = f"there is no {what} {name} in namespace {namespace} of the input"
        yield Remark(message, asking.place.at(*path), str(asking.source.ref), remedy)


def _is_made(context: LintContext, asking: _Asking, entry: PodResourceClaim) -> bool:
    """Whether the claim exists already, so that the template is not needed any more."""
    status = getattr(asking.source.object, "status", None)
    made = {each.name: each.resourceClaimName for each in getattr(status, "resourceClaimStatuses", None) or ()}
    name = made.get(entry.name)
    return name is not None and ClaimRef(asking.source.ref.namespace, name) in context.cluster.claims


RULE = Rule("DRA201", "claim-not-found", Severity.WARNING, __doc__, check, needs_slices=True)
