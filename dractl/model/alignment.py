"""Pods that have their CPUs, memory and devices on one NUMA node: the kubelet does not see to it (K9).

That a pod is aligned means here what it means in the report: the kubelet puts all that is its to give on one NUMA node,
the pod's home, every device whose place is known sits there, and there is such a device.
"""

from dractl.api.identities import DeviceId
from dractl.machine.idsets import NumaSet
from dractl.model.formula import Formula, Literal, opposite
from dractl.model.variables import Choice, PodOnNode, Variables
from dractl.problem.joint import PodDemand
from dractl.problem.nodes import NodeLayout


def a_pod_has_one_home_on_its_node(formula: Formula, variables: Variables) -> None:
    """At most one: a pod that lies on several NUMA nodes has none, nor does one that is not placed."""
    for place, homes in variables.homes.items():
        formula.at_most_one(homes)
        for home in homes:
            formula.implies(home, variables.on[place])


def devices_of_a_pod_with_a_home_sit_there(formula: Formula, variables: Variables) -> None:
    """Devices of whose place nothing is known do not matter, but one that does sit there has to be among them."""
    for pod in variables.joint.pods:
        choices = [choice for claim in pod.claims for site in variables.sites_of(claim) for choice in site.choices]
        for node in sorted(set(pod.nodes)):
            for numa_node, home in _homes(variables, pod, node):
                _devices_sit_at(formula, variables.joint.layouts[node], pod, choices, home, NumaSet((numa_node,)))


def _devices_sit_at(
    formula: Formula, layout: NodeLayout, pod: PodDemand, choices: list[Choice], home: Literal, there: NumaSet
) -> None:
    def sits(device: DeviceId) -> NumaSet | None:
        return layout.devices.get(device)

    if any(sits(device) not in (None, there) for device in pod.holds):
        formula.forbid(home)
    for choice in choices:
        if sits(choice.device) not in (None, there):
            formula.at_least_one([opposite(home), opposite(choice.taken)])
    if pod.ref not in layout.plugged and not any(sits(device) == there for device in pod.holds):
        formula.at_least_one([opposite(home), *(each.taken for each in choices if sits(each.device) == there)])


def numa_nodes_have_room_for_those_at_home(formula: Formula, variables: Variables) -> None:
    """What a kubelet has left of CPUs and memory by NUMA node; who really comes to lie there, it decides itself."""
    for node, room in variables.joint.rooms.items():
        if node not in variables.joint.layouts:
            continue
        for number, free in enumerate(room.free):
            at_home = [
                (homes[number], room.sums.get(pod.ref, {}))
                for pod, _ in variables.pods_on.get(node, ())
                if (homes := variables.homes.get(PodOnNode(pod.ref, node)))
            ]
            for resource, amount in free.items():
                formula.limit([(home, sums.get(resource, 0)) for home, sums in at_home], amount)


def alignment_levels(formula: Formula, variables: Variables) -> list[list[Literal]]:
    """The aligned pods of each priority, the highest first, as for placed pods."""
    found: dict[int, list[Literal]] = {}
    for pod in variables.joint.pods:
        homes = [home for node in sorted(set(pod.nodes)) for _, home in _homes(variables, pod, node)]
        if homes:
            found.setdefault(pod.priority, []).append(formula.any_of(homes))
    return [found[priority] for priority in sorted(found, reverse=True)]


def _homes(variables: Variables, pod: PodDemand, node: str) -> list[tuple[int, Literal]]:
    homes = variables.homes.get(PodOnNode(pod.ref, node))
    return list(zip(variables.joint.layouts[node].numa_nodes, homes, strict=True)) if homes is not None else []
