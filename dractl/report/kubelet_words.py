"""Why a pod that the scheduler places fails at its node all the same, in words."""

from collections.abc import Iterator

from dractl.api.core import Pod
from dractl.api.objects import ObjectSet
from dractl.api.workload import Job
from dractl.phrases import counted
from dractl.solution.node_share import KubeletRefusal, KubeletStop
from dractl.workloads.job import replacements


def refusal_sentences(
    pod: Pod, refusal: KubeletRefusal | KubeletStop, objects: ObjectSet, *, names_its_node: bool = False
) -> Iterator[str]:
    """What happens, why nobody prevents it, and how it goes on; the pod's Job is looked up among the objects."""
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
    yield _what_follows(pod, objects)


def _what_follows(pod: Pod, objects: ObjectSet) -> str:
    owner = pod.metadata.controller
    if owner is None:
        return "the pod has failed then, and nobody makes it anew"
    maker = f"{owner.kind} {owner.name}"
    job = _job_of(pod, objects)
    if job is None:
        return f"the pod has failed then, and {maker} makes another one, which may fail again and again"
    left = replacements(job)
    if left is None:
        per_index = job.spec.backoffLimitPerIndex
        others = (
            f"makes at most {counted(per_index, 'other')} of its index" if per_index else "makes no other of its index"
        )
        return f"the pod has failed then, and {maker} {others} ({_limit(job)})"
    if not left:
        return f"the pod has failed then, and with it {maker}, which makes no other one ({_limit(job)})"
    others = f"at most {counted(left, 'other')} in all, which may fail too"
    return f"the pod has failed then, and {maker} makes {others} ({_limit(job)})"


def _job_of(pod: Pod, objects: ObjectSet) -> Job | None:
    owner = pod.metadata.controller
    if owner is None or owner.kind != "Job":
        return None
    named = (pod.metadata.namespace, owner.name)
    found = (each.object for each in objects.of(Job) if (each.ref.namespace, each.ref.name) == named)
    return next(found, None)


def _limit(job: Job) -> str:
    spec = job.spec
    if spec.backoffLimit is not None:
        return f"backoffLimit {spec.backoffLimit}"
    if spec.backoffLimitPerIndex is not None:
        return f"backoffLimitPerIndex {spec.backoffLimitPerIndex}"
    return "backoffLimit is 6 by default"
