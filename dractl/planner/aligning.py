"""Whether pods have their CPUs, memory and devices on one NUMA node (K9)."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from dractl.api.identities import ClaimRef, DeviceId, PodRef
from dractl.api.pods import claims_by_entry
from dractl.cluster.cluster import Cluster
from dractl.cluster.usage import devices_of
from dractl.errors import InternalError
from dractl.finding import Finding, Severity
from dractl.machine.machine import Machine
from dractl.observe.alignment import Alignment, DeviceLocations, Located
from dractl.phrases import counted
from dractl.planner.node_start import StartedNode
from dractl.planner.plan import Answer, Optimum
from dractl.planner.settings import Preference, Settings
from dractl.solution.node_share import NodeShare


def with_alignments(cluster: Cluster, answer: Answer, started: Mapping[str, StartedNode]) -> Answer:
    """The answer, with how the devices of each placed pod lie where there is something to compare."""
    locations = DeviceLocations(cluster.slices)
    found: dict[PodRef, Alignment] = {}
    for outcome in answer.outcomes:
        placement = outcome.placement
        if placement is not None and placement.share is not None:
            devices = _devices(outcome.pod, answer)
            alignment = locations.alignment(placement.share, devices, started[placement.node].machine)
            if alignment is not None:
                found[outcome.pod] = alignment
    return replace(answer, alignments=found) if found else answer


def with_aligned_optimum(cluster: Cluster, optimum: Optimum, started: Mapping[str, StartedNode]) -> Optimum:
    """The same for the optimum. Raises InternalError if a pod is crossed that the model has aligned."""
    answer = with_alignments(cluster, optimum.answer, started)
    crossed = [ref for ref in optimum.at_home if ref not in answer.alignments or not answer.alignments[ref].is_aligned]
    if crossed:
        raise InternalError(
            f"the model aligns {min(crossed, key=str)}, but its CPUs, memory and devices are not on one NUMA node"
        )
    return replace(optimum, answer=answer)


def alignment_findings(
    cluster: Cluster, answer: Answer, started: Mapping[str, StartedNode], settings: Settings
) -> Iterator[Finding]:
    """The pods that are not on one NUMA node with all that they have."""
    hint = "" if settings.prefers is Preference.ALIGNED else "; --prefer aligned looks for a placement that does"
    for outcome in answer.outcomes:
        alignment, placement = answer.alignments.get(outcome.pod), outcome.placement
        if alignment is None or alignment.is_aligned or placement is None or placement.share is None:
            continue
        yield Finding(
            "kubelet/not-aligned",
            Severity.INFO,
            f"not on one NUMA node of {placement.node}: "
            f"{where_all_lies(placement.share, alignment, started[placement.node].machine)}",
            cluster.place_of_pod(outcome.pod),
            f"Pod {outcome.pod}",
            f"the kubelet aligns CPUs, memory and plugins' devices as far as its policy asks, never DRA devices{hint}",
        )


def where_all_lies(share: NodeShare, alignment: Alignment, machine: Machine) -> str:
    """`5 CPUs on node 1; gpu-1 on node 0`."""
    return "; ".join([_own(share, machine), *_by_nodes(alignment.devices)])


def _devices(ref: PodRef, answer: Answer) -> Iterator[DeviceId]:
    pod, claims = answer.pods[ref], answer.claims
    names = [name for name in claims_by_entry(pod).values() if name is not None]
    special = pod.status.extendedResourceClaimStatus
    if special is not None:
        names.append(special.resourceClaimName)
    for name in dict.fromkeys(names):
        claim = claims.get(ClaimRef(ref.namespace, name))
        yield from devices_of(claim) if claim is not None else ()


def _own(share: NodeShare, machine: Machine) -> str:
    """`7 CPUs on node 0, 3 on node 1`, or where its memory is."""
    if not share.cpus:
        return f"memory on node {share.numa}"
    counts = [(node.node_id, len(node.cpus & share.cpus)) for node in machine.nodes]
    (first, number), *others = [(node, count) for node, count in counts if count]
    cpus = f"{counted(number, 'CPU')} on node {first}"
    return ", ".join([cpus, *(f"{count} on node {node}" for node, count in others)])


def _by_nodes(devices: Iterable[Located]) -> Iterator[str]:
    """`gpu-0 and gpu-1 on node 0`."""
    names: dict[str, list[str]] = {}
    for device in devices:
        names.setdefault(str(device.nodes), []).append(device.name)
    for nodes, together in names.items():
        last = f" and {together[-1]}" if len(together) > 1 else ""
        yield f"{', '.join(together[:-1] or together)}{last} on node {nodes}"
