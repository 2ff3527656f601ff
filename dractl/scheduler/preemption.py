"""Which pods of lower priority would make room for a pod that does not fit (scheduling.md §12).

Devices do not count: what a victim holds is freed later, so a node that was refused for devices is never a candidate.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.api.pods import is_preempted
from dractl.cluster.node_state import NodeState
from dractl.scheduler.cycle import Cycle, Fit
from dractl.scheduler.devices import DeviceError
from dractl.scheduler.refusal import Code, Refused
from dractl.scheduler.texts import available

NEVER: Final = "preemption: not eligible due to preemptionPolicy=Never."
_UNDER_WAY: Final = "preemption: not eligible due to a terminating pod on the nominated node."
_NOW: Final = "~"
"""After every time that is written down."""
_WEIGHT_OF_A_POD: Final = 2**31
"""Makes every priority positive, so that each victim adds to the sum."""
_NOT_HELPFUL: Final = "Preemption is not helpful for scheduling"
_NO_VICTIMS: Final = "No preemption victims found for incoming pod"


class Preemption(Struct, frozen=True):
    """What preemption comes to: a text for the pod's condition and, if it helps, victims on a node.

    Victims that are being deleted already are waited for. `tied` are all nodes on which it might as well be; which one
    the scheduler takes is not fixed. Where nobody looked for victims (`is_tried`), the pod keeps the node where others
    were deleted for it before.
    """

    text: str
    node: str = ""
    victims: tuple[PodRef, ...] = ()
    tied: tuple[str, ...] = ()
    is_tried: bool = True


def preempt(cycle: Cycle, refused: Mapping[str, Refused]) -> Preemption:
    """Look for a node where deleting pods of lower priority makes the pod fit."""
    pod = cycle.info.pod
    if pod.spec.preemptionPolicy == "Never":
        return Preemption(NEVER, is_tried=False)
    if under_way := _under_way(cycle, refused):
        return Preemption(_UNDER_WAY, victims=under_way, is_tried=False)
    candidates: dict[str, list[PodRef]] = {}
    texts: list[tuple[str, ...]] = []
    for name, node in cycle.state.nodes.items():
        answer = refused.get(name)
        if answer is None or answer.code is Code.UNRESOLVABLE:
            texts.append((_NOT_HELPFUL,))
            continue
        victims = _victims(cycle, node)
        if isinstance(victims, tuple):
            texts.append(victims)
        else:
            candidates[name] = victims
    if not candidates:
        return Preemption(f"preemption: {available(len(cycle.state.nodes), texts)}")
    return _cheapest(cycle, candidates)


def _under_way(cycle: Cycle, refused: Mapping[str, Refused]) -> tuple[PodRef, ...]:
    """Pods that were deleted for this or another pod where it may start, and are not gone yet.

    They do not count where the node is refused for something that no deletion changes.
    """
    node = cycle.state.nodes.get(cycle.state.nominated.get(cycle.ref, ""))
    answer = refused.get(node.name) if node is not None else None
    if node is None or (answer is not None and answer.code is Code.UNRESOLVABLE):
        return ()
    mine = priority_of(cycle.info.pod)
    return tuple(ref for ref, pod in node.pods.items() if is_preempted(pod) and priority_of(pod) < mine)


def _cheapest(cycle: Cycle, candidates: Mapping[str, list[PodRef]]) -> Preemption:
    """Of several nodes that cost the same the preferred one, or else the first by name."""
    costs = {name: _cost(cycle, victims) for name, victims in candidates.items()}
    least = min(costs.values())
    tied = sorted(name for name, cost in costs.items() if not least < cost)
    node = cycle.preferred if cycle.preferred in tied else tied[0]
    victims = candidates[node]
    text = f"preemption: found a potential placement for pod on node {node}, preempting {len(victims)} victims"
    return Preemption(text, node, tuple(victims), tuple(tied))


def _victims(cycle: Cycle, node: NodeState) -> list[PodRef] | tuple[str, ...]:
    """The fewest important pods whose deletion lets the pod in, or in the scheduler's words why there are none."""
    priority = priority_of(cycle.info.pod)
    lower = [ref for ref, pod in node.pods.items() if priority_of(pod) < priority]
    if not lower:
        return (_NO_VICTIMS,)
    trial = node.copy()
    for ref in lower:
        trial.remove(ref)
    answer = _try(cycle, trial)
    if not isinstance(answer, Fit):
        return answer.texts if isinstance(answer, Refused) else (answer.fault.text,)
    victims = []
    for ref in sorted(lower, key=lambda ref: importance(node.pods[ref])):
        trial.add(ref, node.pods[ref], node.extra.get(ref))
        if not isinstance(_try(cycle, trial), Fit):
            trial.remove(ref)
            victims.append(ref)
    return victims


def _try(cycle: Cycle, trial: NodeState) -> Fit | Refused | DeviceError:
    return cycle.after(cycle.state.with_node(trial)).try_node(trial)


def priority_of(pod: Pod) -> int:
    """The pod's priority; 0 where it has none."""
    return pod.spec.priority or 0


def importance(pod: Pod) -> tuple[int, str]:
    """The most important first: higher priority, then the one that started earlier."""
    return -priority_of(pod), _start(pod)


def _start(pod: Pod) -> str:
    """When the pod started; one that has not counts as starting now."""
    return pod.status.startTime or _NOW


class _Latest:
    """Orders sets of victims by the earliest start among them, the latest first."""

    def __init__(self, starts: Iterable[str]) -> None:
        self.earliest: Final = min(starts, default=_NOW)

    def __lt__(self, other: "_Latest") -> bool:
        return self.earliest > other.earliest


def _cost(cycle: Cycle, victims: Sequence[PodRef]) -> tuple[int, int, int, _Latest]:
    """Lowest top priority, smallest sum of priorities, fewest victims, latest start of the most important ones.

    Priorities are summed above the lowest possible one, so that two victims outweigh any single one.
    """
    pods = [cycle.state.pods[ref] for ref in victims]
    priorities = [priority_of(pod) for pod in pods]
    top = max(priorities, default=0)
    return (
        top,
        sum(each + _WEIGHT_OF_A_POD for each in priorities),
        len(pods),
        _Latest(_start(pod) for pod in pods if priority_of(pod) == top),
    )
