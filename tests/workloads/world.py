"""Objects for tests, written as YAML."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from ruamel.yaml import YAML

from dractl.api import core, resource, scheduling, workload
from dractl.api.codec import to_api
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.errors import Origin, Place
from dractl.workloads import Expansion, expand

_KINDS: Final[dict[str, type[Any]]] = {
    kind.__name__: kind
    for kind in (
        *(core.Node, core.Pod, core.PriorityClass),
        *(resource.ResourceSlice, resource.ResourceClaim, resource.ResourceClaimTemplate),
        *(workload.ReplicationController, workload.ReplicaSet, workload.Deployment, workload.StatefulSet),
        *(workload.DaemonSet, workload.Job, workload.CronJob, scheduling.PodGroup),
    )
}
_CLUSTER_KINDS: Final = ("Node", "PriorityClass", "ResourceSlice")


def objects(text: str) -> ObjectSet:
    """The documents of a YAML text; the namespace is `ml` where none is written."""
    return documents(each for each in YAML(typ="safe").load_all(text) if each)


def documents(contents: Iterable[dict[str, Any]]) -> ObjectSet:
    """The same from plain data."""
    return ObjectSet(_sourced(content, number) for number, content in enumerate(contents))


def expanded(text: str, gates: frozenset[str] = frozenset()) -> Expansion:
    return expand(objects(text), gates)


def pods(result: Expansion) -> list[str]:
    return [pod.ref.name for pod in result.objects.of(core.Pod)]


def claims(result: Expansion) -> list[str]:
    return [claim.ref.name for claim in result.objects.of(resource.ResourceClaim)]


def pod(result: Expansion, name: str) -> Sourced[core.Pod]:
    return next(each for each in result.objects.of(core.Pod) if each.ref.name == name)


def claim(result: Expansion, name: str) -> Sourced[resource.ResourceClaim]:
    return next(each for each in result.objects.of(resource.ResourceClaim) if each.ref.name == name)


def rules(result: Expansion) -> list[str]:
    return [finding.rule.removeprefix("workloads/") for finding in result.findings]


def names_of(sourced: Sequence[Sourced[Any]]) -> list[str]:
    return [each.ref.name for each in sourced]


def _sourced(document: dict[str, Any], number: int) -> Sourced[Any]:
    kind = document.pop("kind")
    document.pop("apiVersion", None)
    metadata = document.setdefault("metadata", {})
    namespace = "" if kind in _CLUSTER_KINDS else metadata.setdefault("namespace", "ml")
    ref = ObjectRef(kind, namespace, metadata.get("name", ""))
    return Sourced(to_api(document, _KINDS[kind]), ref, Place(Origin("world.yaml", number)), "v1")
