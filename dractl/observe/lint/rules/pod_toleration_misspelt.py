"""A pod's toleration whose key is nearly that of a node's taint.

No node of the input has a taint with the key, one has a taint with nearly the same, and the pod does not tolerate that
one otherwise.

Why: the taint still keeps the pod away. The toleration looks as if it were answered, and is not.

Example:

    tolerations: [{key: nvidia.com/gpus, operator: Exists}]      # the taint's key is nvidia.com/gpu

Instead: the key of the taint. The rule is silent if no node of the input has a taint.
"""

from collections.abc import Iterator

from dractl.api.base import Taint, Toleration
from dractl.api.core import Node, Pod
from dractl.api.pods import is_terminal
from dractl.api.tolerations import REPELLING, tolerates
from dractl.finding import Severity
from dractl.near_misses import nearest
from dractl.observe.lint.context import LintContext, PodWriting
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Each toleration of a pod or template that comes near a taint."""
    repelling = (taint for node in context.described_nodes for taint in _repelling(node))
    taints = list({(taint.key, taint.value, taint.effect): taint for taint in repelling}.values())
    for pod in context.pod_writings if taints else ():
        if not isinstance(pod.source.object, Pod) or not is_terminal(pod.source.object):
            yield from _of_pod(pod, taints)


def _repelling(node: Node) -> Iterator[Taint]:
    return (taint for taint in node.spec.taints or () if taint.effect in REPELLING)


def _of_pod(pod: PodWriting, taints: list[Taint]) -> Iterator[Remark]:
    tolerations = pod.spec.tolerations or []
    keys = {taint.key for taint in taints}
    left = list(dict.fromkeys(taint.key for taint in taints if not _is_tolerated(taint, tolerations)))
    for number, toleration in enumerate(tolerations):
        close = nearest(toleration.key, left) if toleration.key and toleration.key not in keys else ""
        if close:
            yield Remark(
                f"no node of the input has a taint with the key {toleration.key}",
                pod.place.at("tolerations", number, "key"),
                pod.subject,
                f"did you mean {close}?",
            )


def _is_tolerated(taint: Taint, tolerations: list[Toleration]) -> bool:
    return any(tolerates(each, taint) for each in tolerations)


RULE = Rule("DRA211", "pod-toleration-misspelt", Severity.WARNING, __doc__, check, needs_all=("Node",))
