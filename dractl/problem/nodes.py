"""What kubelets have to do with a joint problem: what they have left by NUMA node, and what they refuse."""

from collections.abc import Mapping

from msgspec import Struct

from dractl.api.identities import DeviceId, PodRef
from dractl.machine.idsets import NumaSet

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
    """None of these nodes lets in so many pods of each kind together, in whatever order they come.

    Nothing is said of nodes that get any of `unless`, so many or more: beside others a kubelet may let in pods that it
    refuses by themselves, for these take other CPUs then.
    """

    nodes: tuple[str, ...]
    together: tuple[AlikePods, ...]
    unless: tuple[AlikePods, ...] = ()


class Settled(Struct, frozen=True):
    """How many pods of a kind have all that the kubelet gives them on this one NUMA node."""

    pods: AlikePods
    numa_node: int


class Gathering(Struct, frozen=True):
    """Exactly so many pods of each kind on one of these nodes, and the courses that this can take.

    A course tells who comes to lie where at most, depending on the order of admission; pods that it does not name lie
    on several NUMA nodes. Without any course the kubelet refuses the pods in whatever order they come.
    """

    nodes: tuple[str, ...]
    pods: tuple[AlikePods, ...]
    courses: tuple[tuple[Settled, ...], ...] = ()


class CourseTable(Struct, frozen=True):
    """All that the kubelets of these nodes can make of pods of the plan, whatever is there and in whatever order.

    A row has how many pods there are of each of the `kinds`, and then for each column of `homes`, a kind by its place
    and a NUMA node, how many of these pods may at most have all that is theirs there. Numbers of pods that no row has
    are refused.
    """

    nodes: tuple[str, ...]
    kinds: tuple[frozenset[PodRef], ...]
    homes: tuple[tuple[int, int], ...]
    rows: tuple[tuple[int, ...], ...]


class NodeLayout(Struct, frozen=True, eq=False):
    """What it takes on one node that a pod lies with all that it has on one NUMA node.

    `numa_nodes` are those of the machine, `devices` say where those that a claim may get sit, as far as anything tells.
    `pods` have devices, and CPUs or memory of their own if they run here; `plugged` of these have devices of plugins.
    """

    numa_nodes: tuple[int, ...]
    devices: Mapping[DeviceId, NumaSet]
    pods: frozenset[PodRef]
    plugged: frozenset[PodRef]
