"""A pod with a node name waits for claims that nobody allocates.

The pod has `spec.nodeName` and a claim without an allocation.

Why: only the scheduler allocates claims, and a pod that has a node already never gets to it. The kubelet takes the
pod, gives it its CPUs and memory, and waits for ever for its devices.

Example:

    spec:
      nodeName: worker-1
      resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]

Instead: let the scheduler choose that very node:

    spec:
      nodeSelector: {kubernetes.io/hostname: worker-1}
"""

from collections.abc import Iterator

from dractl.api.core import Pod, PodResourceClaim
from dractl.api.identities import ClaimRef
from dractl.api.pods import claims_by_entry, is_active
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext, PodWriting
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Pods and templates of pods that name their node."""
    for pod in context.pod_writings:
        if pod.spec.nodeName and not _is_over(pod):
            waiting = [entry.name for entry in pod.spec.resourceClaims or () if not _is_allocated(context, pod, entry)]
            if waiting:
                yield Remark(
                    f"the pod skips the scheduler, so that nobody allocates its claim {waiting[0]}: it never starts",
                    pod.place.at("nodeName"),
                    pod.subject,
                    f"write nodeSelector: {{kubernetes.io/hostname: {pod.spec.nodeName}}} instead of nodeName",
                )


def _is_over(pod: PodWriting) -> bool:
    return isinstance(pod.source.object, Pod) and not is_active(pod.source.object)


def _is_allocated(context: LintContext, pod: PodWriting, entry: PodResourceClaim) -> bool:
    """Whether there is, or may be, an allocation: of a named claim that is not in the input nothing is known."""
    name = entry.resourceClaimName
    if isinstance(pod.source.object, Pod):
        seen = context.by_ref[pod.source.ref].object
        names = claims_by_entry(seen)
        if entry.name not in names:
            return True
        name = names[entry.name]
    if name is None:
        return False
    claim = context.cluster.claims.get(ClaimRef(pod.namespace, name))
    return claim is None or claim.status.allocation is not None


RULE = Rule("DRA206", "node-name-with-claims", Severity.ERROR, __doc__, check, covers=("pods/never-starts",))
