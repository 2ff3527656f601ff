"""What decides about nodes in a cluster and is not part of the prediction: named where the input uses it."""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.core import Node, Pod, RuntimeClass
from dractl.api.objects import ObjectSet, Sourced, written
from dractl.api.pods import is_active
from dractl.finding import Finding, Severity
from dractl.phrases import listed

LOOKED_AT: Final = 100
"""So many nodes that fit the scheduler always looks for: with no more it looks at all of them (scheduling.md §9)."""

_TIED_TO_NODES: Final = frozenset(
    {
        "persistentVolumeClaim",
        "ephemeral",
        "csi",
        "gcePersistentDisk",
        "awsElasticBlockStore",
        "azureDisk",
        "cinder",
        "iscsi",
        "rbd",
    }
)
"""Kinds of volumes for which a node may be refused."""


def ignored_findings(objects: ObjectSet) -> Iterator[Finding]:
    """One finding for each thing that is left out, with the first pod that it concerns."""
    pods = [pod for pod in objects.of(Pod) if is_active(pod.object) and not pod.object.spec.nodeName]
    with_volumes = [pod for pod in pods if _volumes(pod.object)]
    if with_volumes:
        yield _finding(
            objects,
            with_volumes,
            ("spec", "volumes"),
            f"on which nodes the volumes of {_listed(with_volumes)} can be mounted is not looked at",
            "write a nodeSelector that says where the volumes are, if the plan is to respect it",
        )
    known = {None, "", *(each.ref.name for each in objects.of(RuntimeClass))}
    with_runtime = [pod for pod in pods if pod.object.spec.runtimeClassName not in known and pod.is_new]
    if with_runtime:
        yield _finding(
            objects,
            with_runtime,
            ("spec", "runtimeClassName"),
            f"the RuntimeClass of {_listed(with_runtime)} is not in the input: its overhead, node selector and "
            "tolerations, if it has any, are not known",
            "add the RuntimeClass to the input",
        )
    number = len(objects.of(Node))
    if pods and number > LOOKED_AT:
        yield Finding(
            "scheduler/sampling",
            Severity.INFO,
            f"with {number} nodes the scheduler stops looking once enough of them fit, and the prediction looks at all",
        )


def _volumes(pod: Pod) -> list[str]:
    return [kind for volume in pod.spec.volumes or () for kind in volume if kind in _TIED_TO_NODES]


def _finding(
    objects: ObjectSet, pods: Sequence[Sourced[Pod]], path: tuple[str, ...], message: str, remedy: str
) -> Finding:
    first = pods[0]
    source = written(first, {sourced.ref: sourced for sourced in objects})
    place = first.place.at(*path)
    return Finding("scheduler/ignored", Severity.WARNING, message, place, str(source.ref), remedy)


def _listed(pods: Sequence[Sourced[Pod]]) -> str:
    return listed(f"{pod.ref.namespace}/{pod.ref.name}" for pod in pods)
