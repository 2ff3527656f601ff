"""What a pod takes of a node's countable resources (scheduling.md §6.2, §7.2)."""

from collections.abc import Iterable, Mapping
from typing import Final

from dractl.api.core import Container, Pod
from dractl.api.quantity import NANO, Quantity

PODS: Final = "pods"
"""The resource that counts pods; every pod takes one."""

Amounts = Mapping[str, int]
"""Nano-units by resource name."""


def pod_requests(pod: Pod) -> dict[str, int]:
    """What a node must have free for the pod: its containers' peak, or its pod-level requests, plus overhead.

    Sidecars (init containers with `restartPolicy: Always`) run beside everything that starts after them.
    """
    total = _containers(pod)
    level = pod.spec.resources.requests if pod.spec.resources is not None else None
    total.update({name: amount.nano for name, amount in (level or {}).items()})
    _add(total, _nano(pod.spec.overhead))
    total[PODS] = NANO
    return {name: amount for name, amount in total.items() if amount}


def _containers(pod: Pod) -> dict[str, int]:
    running: dict[str, int] = {}
    _add_all(running, pod.spec.containers or ())
    peak: dict[str, int] = {}
    sidecars: dict[str, int] = {}
    for container in pod.spec.initContainers or ():
        requests = _nano(container.resources.requests)
        if container.restartPolicy == "Always":
            _add(sidecars, requests)
            _raise(peak, sidecars)
        else:
            _raise(peak, _sum(sidecars, requests))
    _add(running, sidecars)
    _raise(running, peak)
    return running


def _nano(amounts: Mapping[str, Quantity] | None) -> dict[str, int]:
    return {name: amount.nano for name, amount in (amounts or {}).items()}


def _add(total: dict[str, int], amounts: Amounts) -> None:
    for name, amount in amounts.items():
        total[name] = total.get(name, 0) + amount


def _add_all(total: dict[str, int], containers: Iterable[Container]) -> None:
    for container in containers:
        _add(total, _nano(container.resources.requests))


def _sum(one: Amounts, other: Amounts) -> dict[str, int]:
    total = dict(one)
    _add(total, other)
    return total


def _raise(total: dict[str, int], amounts: Amounts) -> None:
    for name, amount in amounts.items():
        total[name] = max(total.get(name, 0), amount)
