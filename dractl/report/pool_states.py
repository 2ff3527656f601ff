"""Why pools whose state is an error of the allocator are not complete, and where their slices stand."""

from collections.abc import Iterator

from msgspec import Struct

from dractl.api.identities import ObjectRef, PoolId
from dractl.cluster.cluster import Cluster
from dractl.cluster.pools import PoolState, newest, pool_of
from dractl.errors import Place
from dractl.problem.faults import AllocationFault


class PoolTrouble(Struct, frozen=True):
    """`text` says what is wrong with the pool; `place` is its last slice by name, of its newest generation."""

    text: str
    place: Place | None


def pool_troubles(cluster: Cluster, node: str, fault: AllocationFault) -> Iterator[PoolTrouble]:
    """What is wrong with the pools that the fault is about, as the node sees them; no name means any node."""
    nodes = [cluster.nodes[node]] if node else cluster.nodes.values()
    seen: set[PoolId] = set()
    for each in nodes:
        for pool in cluster.pools.for_node(each) if fault.pools else ():
            if pool.id in fault.pools and pool.id not in seen and pool.state is not PoolState.COMPLETE:
                seen.add(pool.id)
                yield PoolTrouble(f"pool {pool.id} is {pool.state}: {pool.because}", _place(cluster, pool.id))


def _place(cluster: Cluster, pool: PoolId) -> Place | None:
    names = [slice_.metadata.name for slice_ in newest(cluster.slices) if pool_of(slice_) == pool]
    return cluster.places.get(ObjectRef("ResourceSlice", "", names[-1])) if names else None
