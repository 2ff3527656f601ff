"""Why a pod that the scheduler places fails at its node all the same, in words."""

from collections.abc import Iterator

from dractl.api.core import Pod
from dractl.solution.node_share import KubeletRefusal, KubeletStop


def refusal_sentences(
    pod: Pod, refusal: KubeletRefusal | KubeletStop, *, names_its_node: bool = False
) -> Iterator[str]:
    """What happens, why nobody prevents it, and how it goes on."""
    node = refusal.node
    comes = f"it names {node}" if names_its_node else f"the scheduler gives it {node}"
    if isinstance(refusal, KubeletStop):
        verb = {"hang": "hangs", "crash": "crashes"}.get(refusal.how, refusal.how)
        yield f"{comes}, whose kubelet {verb} on it: {refusal.because}"
        yield f"no pod that comes to {node} later is let in either"
        return
    yield f"{comes}, but the kubelet there refuses it: {', '.join(filter(None, (refusal.reason, refusal.message)))}"
    if names_its_node:
        yield "the scheduler does not look at a pod that names its node"
    else:
        yield "the scheduler counts CPUs and memory of a node as a whole; it looks neither at NUMA nodes nor at cores"
    yield _what_follows(pod)


def _what_follows(pod: Pod) -> str:
    owner = pod.metadata.controller
    if owner is None:
        return "the pod has failed then, and nobody makes it anew"
    return f"the pod has failed then, and {owner.kind} {owner.name} makes another one, which may fail again and again"
