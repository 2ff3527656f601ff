"""Pods of a plan are placed once, where they may run, with what their node has left."""

from collections import Counter
from collections.abc import Iterator

from dractl.api.identities import PodRef
from dractl.api.quantity import Quantity
from dractl.solution.verify.plan import Replay
from dractl.solution.verify.violations import Breach


def every_placement_names_a_pod_and_a_node(replay: Replay) -> Iterator[Breach]:
    """Only pods to be planned are placed, and only on nodes that there are."""
    for step in replay.steps:
        if step.pod is None:
            yield Breach(f"{step.placement.pod} is not a pod to be planned")
        if step.node is None:
            yield Breach(f"{step.placement.pod} is placed on {step.placement.node}, which is no node")


def every_pod_is_placed_once(replay: Replay) -> Iterator[Breach]:
    """A plan names a pod once."""
    seen: set[PodRef] = set()
    for step in replay.steps:
        if step.placement.pod in seen:
            yield Breach(f"{step.placement.pod} is placed a second time, on {step.placement.node}")
        seen.add(step.placement.pod)


def every_pod_is_on_a_permitted_node(replay: Replay) -> Iterator[Breach]:
    """The pod's own rules, such as its node selector, permit the node."""
    for step in replay.steps:
        if step.pod is not None and step.pod.nodes is not None and step.placement.node not in step.pod.nodes:
            yield Breach(f"{step.placement.pod} may not run on {step.placement.node}")


def no_node_gives_more_than_it_has(replay: Replay) -> Iterator[Breach]:
    """All pods placed on a node fit into what it has left of each resource that they ask for."""
    wanted: dict[str, Counter[str]] = {}
    for step in replay.steps:
        if step.pod is not None:
            wanted.setdefault(step.placement.node, Counter()).update(step.pod.takes)
    for node, takes in wanted.items():
        free = replay.start.free.get(node, {})
        for resource, amount in takes.items():
            if resource in free and amount > max(free[resource], 0):
                left = Quantity(free[resource])
                yield Breach(f"node {node} has {left} {resource} left and {Quantity(amount)} is taken")


def no_host_port_is_taken_twice(replay: Replay) -> Iterator[Breach]:
    """Pods on a node need ports that nobody else has there."""
    taken = {node: list(ports) for node, ports in replay.start.ports.items()}
    for step in replay.steps:
        there = taken.setdefault(step.placement.node, [])
        for port in sorted(step.pod.ports if step.pod is not None else (), key=lambda port: (port.protocol, port.port)):
            if any(port.conflicts_with(other) for other in there):
                name = f"host port {port.port}/{port.protocol}"
                yield Breach(f"{step.placement.pod} needs {name} of {step.placement.node}, which is taken")
        there.extend(step.pod.ports if step.pod is not None else ())


def every_group_has_enough_pods(replay: Replay) -> Iterator[Breach]:
    """A group starts with its minimum or not at all."""
    placed = {step.placement.pod for step in replay.steps}
    for gang in replay.start.gangs:
        number = len(placed.intersection(gang.members))
        if 0 < number < gang.min_count:
            yield Breach(f"{number} pods of {gang.group.name} are placed, and it starts with {gang.min_count}")
