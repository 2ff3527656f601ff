"""The CPU manager's books: who holds which CPUs, and the check when the kubelet starts (kubelet.md §3.1, §3.3)."""

from collections.abc import Mapping, Set
from typing import Final

from msgspec import Struct, field

from dractl.kubelet.cpu_policy import STATIC, CpuPolicy
from dractl.kubelet.cpu_topology import union
from dractl.kubelet.options import CpuOption
from dractl.kubelet.reservations import Stage, StartFault
from dractl.machine.idsets import NO_CPUS, CpuSet
from dractl.machine.state_files import CpuManagerState

CPU_STATE_FILE: Final = "/var/lib/kubelet/cpu_manager_state"


class PodCpus(Struct, frozen=True):
    """What one pod holds: its containers' sets by name, and the set of the whole pod if it has one."""

    containers: Mapping[str, CpuSet] = field(default_factory=dict)
    pod: CpuSet = NO_CPUS


class CpuBooks(Struct, frozen=True):
    """The shared pool, which holds reserved CPUs too unless the reservation is strict, and what pods hold, by UID."""

    default: CpuSet = NO_CPUS
    pods: Mapping[str, PodCpus] = field(default_factory=dict)

    def without(self, gone: Set[str]) -> "CpuBooks":
        """Those pods' CPUs are in the shared pool again: a pod's own set, or else what its containers held.

        A pod's own set goes with the last of its containers; where none ever got CPUs it stays for good (§13).
        """
        leaving = {uid for uid in gone if uid in self.pods and self.pods[uid].containers}
        if not leaving:
            return self
        freed = union(_freed(self.pods[uid]) for uid in leaving)
        kept = {uid: held for uid, held in self.pods.items() if uid not in leaving}
        return CpuBooks(CpuSet.of_mask(self.default.mask | freed), kept)

    def with_pod(self, uid: str, default: CpuSet, held: PodCpus) -> "CpuBooks":
        """After an admission."""
        pods = {**self.pods, uid: held} if held.containers or held.pod else self.pods
        return CpuBooks(default, pods)


def cpu_books_of(policy: CpuPolicy, state: CpuManagerState | None, *, pod_entries: bool) -> CpuBooks:
    """The books with which the kubelet starts.

    `pod_entries` says whether pods' own sets are read (gate PodLevelResourceManagers). Raises StartFault where the
    state contradicts machine or configuration.
    """
    if state is None:
        return CpuBooks(policy.initial_default)
    check_cpu_file(state, STATIC)
    books = _books_in(state, pod_entries=pod_entries)
    if not books.default and not books.pods:
        return CpuBooks(policy.initial_default)
    _check(policy, books)
    return books


def check_cpu_file(state: CpuManagerState, policy: str) -> None:
    """Raises StartFault where the file is damaged or was written under another policy."""
    problem = state.damage
    if not problem and state.policy != policy:
        problem = f'configured policy "{policy}" differs from state checkpoint policy "{state.policy}"'
    if problem:
        raise _fault(
            f"could not restore state from checkpoint: {problem}, please drain this node and delete the CPU manager "
            f'checkpoint file "{CPU_STATE_FILE}" before restarting Kubelet'
        )


def _freed(held: PodCpus) -> int:
    return held.pod.mask if held.pod else union(cpus.mask for cpus in held.containers.values())


def _books_in(state: CpuManagerState, *, pod_entries: bool) -> CpuBooks:
    own = state.pod_entries if pod_entries else {}
    uids = [*state.entries, *(uid for uid in own if uid not in state.entries)]
    return CpuBooks(
        state.default, {uid: PodCpus(dict(state.entries.get(uid, {})), own.get(uid, NO_CPUS)) for uid in uids}
    )


def _check(policy: CpuPolicy, books: CpuBooks) -> None:
    if not books.default:
        raise _fault("default cpuset cannot be empty")
    _check_reserved(policy, books.default)
    known = books.default.mask
    for uid, held in books.pods.items():
        for name, cpus in held.containers.items():
            if not cpus.isdisjoint(books.default):
                raise _fault(
                    f'pod: {uid}, container: {name} cpuset: "{cpus}" overlaps with default cpuset "{books.default}"'
                )
            known |= cpus.mask
        known |= held.pod.mask
    if known != policy.initial_default.mask:
        raise _fault(
            f'current set of available CPUs "{policy.initial_default}" doesn\'t match with CPUs in state '
            f'"{CpuSet.of_mask(known)}"'
        )


def _check_reserved(policy: CpuPolicy, default: CpuSet) -> None:
    reserved = CpuSet.of_mask(policy.reserved)
    if CpuOption.STRICT_RESERVATION in policy.options:
        if not reserved.isdisjoint(default):
            raise _fault(
                f'some of strictly reserved cpus: "{reserved & default}" are present in defaultCpuSet: "{default}"'
            )
    elif not reserved <= default:
        raise _fault(f'not all reserved cpus: "{reserved}" are present in defaultCpuSet: "{default}"')


def _fault(message: str) -> StartFault:
    return StartFault(Stage.CPU, message)
