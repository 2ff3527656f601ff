"""What kubelets have to do with a joint problem: what they have left by NUMA node, and what they refuse."""

from collections.abc import Mapping

from msgspec import Struct

from dractl.api.identities import PodRef

Amounts = Mapping[str, int]
"""CPUs that containers have for themselves, and bytes of memory and huge pages, by resource name."""


class NumaRoom(Struct, frozen=True, eq=False):
    """What the kubelet of a node can give away.

    `free` is what each NUMA node has left, `whole` the node in all. `parts` are of each pod the amounts that have to
    come from one NUMA node each, `sums` what the pod has in all. Both say no more than what no order of admission can
    avoid; whether pods really fit is for the kubelet to say.
    """

    free: tuple[Amounts, ...]
    whole: Amounts
    parts: Mapping[PodRef, tuple[Amounts, ...]]
    sums: Mapping[PodRef, Amounts]


class AlikePods(Struct, frozen=True):
    """Pods that a kubelet cannot tell apart, and how many of them are meant."""

    pods: frozenset[PodRef]
    number: int


class NodeConflict(Struct, frozen=True):
    """None of these nodes lets in so many pods of each kind together, in whatever order they come."""

    nodes: tuple[str, ...]
    together: tuple[AlikePods, ...]
