"""Known faults of v1.37.2 that show in what the kubelet does: reproduced, and named where they decide (§13)."""

from enum import StrEnum


class KubeletFault(StrEnum):
    """A fault; the value is the name under which it is reported."""

    ALIASED_NODES = "aliased-combination"
    ENDLESS_REMAINDER = "endless-remainder"
    TAKES_RESERVED = "average-sizes-take-reserved"
    TAKES_BUSY = "average-sizes-take-busy"
    SECOND_POOL = "pod-level-second-pool"
    LOST_POOL = "pod-level-lost-pool"
    RUNNING_POD_REFUSED = "pod-level-running-refused"
    REUSE_NOT_COUNTED = "init-reuse-not-counted"
    MEMORY_WRAPS = "reserved-memory-wraps"
    MISSING_PAGE_SIZE = "missing-page-size"
    SPARSE_DISTANCES = "sparse-distances"
    LARGE_NODE_NUMBER = "large-node-number"
    DEVICES_LEFT_OUT = "pod-level-devices"
    RESERVED_HIDES_NODE = "reserved-hides-node"
    MEMORY_SHORT = "memory-short"

    @property
    def effect(self) -> str:
        """What it does, in a sentence's words."""
        return _EFFECTS[self]


_EFFECTS = {
    KubeletFault.ALIASED_NODES: (
        "distribute-cpus-across-numa overwrites its best set of NUMA nodes while it looks on; CPUs land on other nodes"
    ),
    KubeletFault.ENDLESS_REMAINDER: (
        "distribute-cpus-across-numa deals the rest of a request to NUMA nodes without whole cores, and never ends"
    ),
    KubeletFault.TAKES_RESERVED: (
        "cores and sockets count as free by their average size, and reserved CPUs are handed out; "
        "the next start of the kubelet fails"
    ),
    KubeletFault.TAKES_BUSY: (
        "cores and sockets count as free by their average size, and CPUs of another container are handed out again"
    ),
    KubeletFault.SECOND_POOL: (
        "a pod with pod-level resources gets a second pool when the kubelet starts again; the first is lost, "
        "and the start after that fails"
    ),
    KubeletFault.LOST_POOL: (
        "a pod with pod-level resources took its CPUs before it turned out that its containers do not fit into them; "
        "the CPUs are lost until the state file is deleted"
    ),
    KubeletFault.RUNNING_POD_REFUSED: (
        "a running pod whose containers share its pool finds no hint when the kubelet starts again, and may be refused"
    ),
    KubeletFault.REUSE_NOT_COUNTED: (
        "full-pcpus-only does not count the CPUs of the pod's own init containers as free; "
        "the pod is refused although it fits"
    ),
    KubeletFault.MEMORY_WRAPS: (
        "more memory is reserved or in huge pages than the NUMA node has; the difference wraps around, "
        "and the node accepts anything"
    ),
    KubeletFault.MISSING_PAGE_SIZE: "a huge page size that one NUMA node does not list crashes the kubelet",
    KubeletFault.SPARSE_DISTANCES: (
        "prefer-closest-numa-nodes looks distances up by node number; gaps in the numbers crash the kubelet"
    ),
    KubeletFault.LARGE_NODE_NUMBER: "NUMA nodes with numbers of 64 and more crash the kubelet",
    KubeletFault.DEVICES_LEFT_OUT: (
        "a pod with pod-level resources gets its plugin devices only when its containers start; "
        "a later pod may have taken them by then"
    ),
    KubeletFault.RESERVED_HIDES_NODE: (
        "reserved CPUs count when the kubelet works out how few NUMA nodes are enough; no hint can be preferred"
    ),
    KubeletFault.MEMORY_SHORT: (
        "too little memory everywhere counts as no preference; the pod fails later, after it was given CPUs"
    ),
}
