"""What a pod takes of a node's countable resources (scheduling.md §6.2, §7.2, §8.1)."""

from collections.abc import Iterable, Mapping
from typing import Final

from dractl.api.core import Container, Pod
from dractl.api.quantity import MILLI, NANO, Quantity

CPU: Final = "cpu"
MEMORY: Final = "memory"
PODS: Final = "pods"
"""The resource that counts pods; every pod takes one."""

Amounts = Mapping[str, int]
"""Nano-units by resource name, always whole thousandths of CPU and whole units of anything else."""

_DEFAULT_CPU: Final = 100 * MILLI
_DEFAULT_MEMORY: Final = 200 * 1024**2 * NANO


def pod_requests(pod: Pod) -> dict[str, int]:
    """The amounts that a node must have free: the containers' peak, or the pod-level requests, plus overhead."""
    total = {**_named(pod), PODS: NANO}
    return {name: rounded_up(name, amount) for name, amount in total.items() if amount}


def _named(pod: Pod) -> dict[str, int]:
    """What the pod names at any level, amounts of zero too."""
    total = container_requests(pod)
    total.update(_exact(pod_level_requests(pod)))
    _add(total, _exact(pod.spec.overhead))
    return total


def container_requests(pod: Pod) -> dict[str, int]:
    """The peak of the containers' requests, not rounded.

    Sidecars (init containers with `restartPolicy: Always`) run beside everything that starts after them.
    """
    return _peak(pod, {})


def pod_level_requests(pod: Pod) -> Mapping[str, Quantity]:
    """`spec.resources.requests`."""
    return (pod.spec.resources.requests if pod.spec.resources is not None else None) or {}


def device_amounts(pod: Pod) -> dict[str, int]:
    """What a pod's devices take of its node beside its requests, as its status has it (scheduling.md §7).

    The status alone counts, whatever became of the claims; pod-level requests stand for all of what they name.
    """
    total: dict[str, int] = {}
    for claim in pod.status.nodeAllocatableResourceClaimStatuses or ():
        for mapped in claim.mapping or ():
            _add(total, {mapped.name: mapped.quantity.nano})
        for each in claim.overhead or ():
            per_pod, per_container = (amount.nano if amount else 0 for amount in (each.perPod, each.perContainer))
            _add(total, {each.name: per_pod + per_container * len(claim.containers or ())})
    level = pod_level_requests(pod)
    return {name: rounded_up(name, amount) for name, amount in total.items() if name not in level}


def score_requests(pod: Pod) -> dict[str, int]:
    """CPU and memory as scores see them: a container that names none counts as 100m and 200Mi (scheduling.md §8.1)."""
    total = _peak(pod, {CPU: _DEFAULT_CPU, MEMORY: _DEFAULT_MEMORY})
    _add(total, _exact(pod.spec.overhead))
    return {name: rounded_up(name, total.get(name, 0)) for name in (CPU, MEMORY)}


def running_score_requests(pod: Pod) -> dict[str, int]:
    """The same for a pod that is on a node.

    One with pod-level requests counts with what it names there, in a container or as overhead, and with the defaults of
    its containers only for a resource that it names nowhere (v1.37.2).
    """
    assumed = score_requests(pod)
    if not any(map(_is_of_pods, pod_level_requests(pod))):
        return assumed
    named = _named(pod)
    return {name: rounded_up(name, named.get(name, assumed[name])) for name in (CPU, MEMORY)}


def _is_of_pods(resource: str) -> bool:
    """Whether requests for the resource at pod level count."""
    return resource in (CPU, MEMORY) or resource.startswith("hugepages-")


def rounded_up(name: str, nano: int) -> int:
    """CPU counts in whole thousandths, anything else in whole units."""
    unit = MILLI if name == CPU else NANO
    return -(-nano // unit) * unit


def _peak(pod: Pod, defaults: Amounts) -> dict[str, int]:
    running: dict[str, int] = {}
    for container in pod.spec.containers or ():
        _add(running, _of(container, defaults))
    peak: dict[str, int] = {}
    sidecars: dict[str, int] = {}
    for container in pod.spec.initContainers or ():
        requests = _of(container, defaults)
        if container.restartPolicy == "Always":
            _add(sidecars, requests)
            _raise(peak, sidecars)
        else:
            _raise(peak, _sum(sidecars, requests))
    _add(running, sidecars)
    _raise(running, peak)
    return running


def _of(container: Container, defaults: Amounts) -> dict[str, int]:
    return {**defaults, **_exact(container.resources.requests)}


def _exact(amounts: Mapping[str, Quantity] | None) -> dict[str, int]:
    return {name: amount.nano for name, amount in (amounts or {}).items()}


def _add(total: dict[str, int], amounts: Amounts) -> None:
    for name, amount in amounts.items():
        total[name] = total.get(name, 0) + amount


def _sum(*parts: Amounts) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        _add(total, part)
    return total


def _raise(total: dict[str, int], amounts: Amounts) -> None:
    for name, amount in amounts.items():
        total[name] = max(total.get(name, 0), amount)


def added(amounts: Iterable[Amounts]) -> dict[str, int]:
    """The sum of several amounts."""
    return _sum(*amounts)
