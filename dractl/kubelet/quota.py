"""Which containers and pods are bounded by a CFS quota (kubelet.md §14.5)."""

from collections.abc import Mapping

from msgspec import Struct

from dractl.kubelet.cpus import PodCpus
from dractl.kubelet.kubelet import KubeletState


class Quotas(Struct, frozen=True):
    """Whether there is a quota: by container, and for the pod's cgroup and sandbox."""

    containers: Mapping[str, bool]
    pod: bool


def quotas_of(state: KubeletState, uid: str) -> Quotas:
    """The quotas of an active pod. Containers with CPUs of their own have none. Raises KeyError for other pods.

    A pod loses its own quota as soon as one container has none, one with a pool of its own only when all have none.
    """
    demand = state.kubelet.demand_of(state.active[uid])
    held = state.cpus.pods.get(uid, PodCpus()).containers
    bounded = {container.name: not (container.cpus and container.name in held) for container in demand.containers}
    keeps = any(bounded.values()) if demand.pooled else all(bounded.values())
    return Quotas(bounded, keeps)
