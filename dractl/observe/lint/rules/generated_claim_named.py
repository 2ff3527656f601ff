"""A pod names a claim that is made for another pod.

`resourceClaimName` is the name of a claim that the controller makes from a template for a pod, or would be without
its random ending.

Why: generated names end in random characters, so that nobody knows them beforehand; and the claim is deleted together
with the pod that it was made for, whoever else still uses it.

Example:

    kind: Pod
    metadata: {name: b}
    spec:
      resourceClaims: [{name: gpu, resourceClaimName: a-gpu}]     # pod a has an entry gpu with a template

Instead: a ResourceClaim of its own that both pods name, or a template for each pod.
"""

from collections.abc import Iterator

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef, ObjectRef
from dractl.api.objects import Sourced
from dractl.api.resource import ResourceClaim
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule

_FOR_ENTRY = "resource.kubernetes.io/pod-claim-name"


def check(context: LintContext) -> Iterator[Remark]:
    """Named claims that a pod controls, in the input or as they would be made."""
    generated = {
        ClaimRef(each.ref.namespace, each.ref.name): owner
        for each in context.objects.of(ResourceClaim)
        if (owner := _owner(each))
    }
    for pod in context.pod_writings:
        for number, entry in enumerate(pod.spec.resourceClaims or ()):
            name = entry.resourceClaimName
            owner = generated.get(ClaimRef(pod.namespace, name)) if name is not None else None
            if owner is not None and owner != pod.source.ref:
                yield Remark(
                    f"claim {name} is generated for {owner} and goes with it; its real name ends in random characters",
                    pod.place.at("resourceClaims", number, "resourceClaimName"),
                    pod.subject,
                    "create a ResourceClaim that both pods name",
                )


def _owner(claim: Sourced[ResourceClaim]) -> ObjectRef | None:
    """The pod that a generated claim belongs to."""
    owner = claim.metadata.controller
    if owner is None or owner.kind != Pod.__name__ or _FOR_ENTRY not in (claim.metadata.annotations or {}):
        return None
    return ObjectRef(owner.kind, claim.ref.namespace, owner.name)


RULE = Rule("DRA204", "generated-claim-named", Severity.ERROR, __doc__, check)
