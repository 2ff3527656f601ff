"""More pods share a claim than can be reserved for it.

More than 256 pods of the input name one ResourceClaim.

Why: `status.reservedFor` holds 256 consumers. The next pod is never allowed to use the claim; its reservation fails
and is tried for ever, without an event. Pods of a PodGroup whose claim it is count once.

Example: a Deployment with 300 replicas and `resourceClaimName: shared`.

Instead: several claims, a template, or a PodGroup with the claim.
"""

from collections.abc import Iterator
from typing import Final

from dractl.api.identities import ObjectRef, PodRef
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule

MOST_CONSUMERS: Final = 256


def check(context: LintContext) -> Iterator[Remark]:
    """Claims by the number of their consumers."""
    for claim, pods in context.users.items():
        if claim not in context.cluster.claims:
            continue
        consumers = {_consumer(context, pod, claim.name) for pod in pods}
        if len(consumers) > MOST_CONSUMERS:
            yield Remark(
                f"{len(consumers)} pods share this claim; it can be reserved for {MOST_CONSUMERS}",
                context.cluster.place_of_claim(claim),
                f"ResourceClaim {claim}",
                "spread the pods over several claims, or use a template",
            )


def _consumer(context: LintContext, pod: PodRef, claim: str) -> object:
    """The pod, or its group where the claim is the group's."""
    group = context.cluster.pods[pod].spec.schedulingGroup
    name = group.podGroupName if group is not None else None
    ref = ObjectRef("PodGroup", pod.namespace, name or "")
    known = context.cluster.groups.get(ref)
    if known is None or "DRAWorkloadResourceClaims" not in context.cluster.gates:
        return pod
    is_of_group = any(entry.resourceClaimName == claim for entry in known.spec.resourceClaims or ())
    return ref if is_of_group else pod


RULE = Rule("DRA205", "claim-shared-by-too-many", Severity.ERROR, __doc__, check)
