"""What the API server makes of a pod that is created, by the LimitRanges and RuntimeClasses of the input."""

from collections.abc import Callable

from dractl.api.core import Pod, RuntimeClass
from dractl.api.defaults import created_spec
from dractl.api.objects import ObjectSet
from dractl.api.quota import LimitRange
from dractl.workloads.limit_ranges import defaulted
from dractl.workloads.runtime_classes import merged


def admission_of(objects: ObjectSet) -> Callable[[Pod], Pod]:
    """The pod as it would be stored: defaults of the API first, then ranges in input order, then the class.

    For pods that a plan does not make, because their workload has no replicas, for example.
    """
    ranges: dict[str, list[LimitRange]] = {}
    for each in objects.of(LimitRange):
        ranges.setdefault(each.ref.namespace, []).append(each.object)
    classes = {each.ref.name: each.object for each in objects.of(RuntimeClass)}

    def admitted(pod: Pod) -> Pod:
        stored = Pod(metadata=pod.metadata, spec=created_spec(pod.spec), status=pod.status)
        for limit_range in ranges.get(pod.metadata.namespace, ()):
            stored, _ = defaulted(stored, limit_range)
        runtime_class = classes.get(pod.spec.runtimeClassName or "")
        return stored if runtime_class is None else merged(stored, runtime_class)

    return admitted
