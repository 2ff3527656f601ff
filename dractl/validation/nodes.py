"""Namespaces, nodes and priority classes (answers in validate-core)."""

from collections.abc import Iterator
from typing import Final

from dractl.api.core import Namespace, Node, PriorityClass
from dractl.api.priorities import SYSTEM_PRIORITIES
from dractl.validation.formats import label_value
from dractl.validation.node_taints import check_node_taints
from dractl.validation.pod_spec import check_preemption_policy
from dractl.validation.resource_names import Amounts, is_counted
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, echoes, invalid

HIGHEST_PRIORITY: Final = 1_000_000_000
_SYSTEM: Final = "system-"


def check_namespace(namespace: Namespace, _: Rulebook) -> Iterator[Violation]:
    """The name becomes a label of the namespace itself."""
    yield from below(echoes(label_value(namespace.metadata.name)), "metadata", "labels")


def check_node(node: Node, _: Rulebook) -> Iterator[Violation]:
    """Taints, which the server looks for in the metadata, and what the node says that it has."""
    for flaw in check_node_taints(node.spec.taints or ()):
        yield Violation(
            ("metadata", "taints", *flaw.path),
            flaw.type,
            flaw.message,
            flaw.remedy,
            written_at=("spec", "taints", *flaw.path),
        )
    yield from below(_check_amounts(node.status.capacity), "status", "capacity")
    if node.status.allocatable is None:
        yield from below(echoes(_check_amounts(node.status.capacity)), "status", "allocatable")
    else:
        yield from below(_check_amounts(node.status.allocatable), "status", "allocatable")


def _check_amounts(amounts: Amounts | None) -> Iterator[Violation]:
    for name, amount in (amounts or {}).items():
        if amount.nano < 0:
            yield invalid(f"{amount} is less than nothing", "write 0 or more", name)
        if is_counted(name) and not amount.is_whole:
            yield invalid(f"{amount} of {name} is not a whole number", "write a whole number", name)


def check_priority_class(of: PriorityClass, _: Rulebook) -> Iterator[Violation]:
    """The value, the names that Kubernetes keeps for itself, and the policy."""
    name = of.metadata.name
    if name.startswith(_SYSTEM):
        if SYSTEM_PRIORITIES.get(name) != of.value:
            message = f'names that begin with "{_SYSTEM}" are for Kubernetes itself'
            yield Violation(("metadata", "name"), ViolationType.FORBIDDEN, message, "choose another name")
    elif of.value > HIGHEST_PRIORITY:
        message = f"{of.value} is too high: at most {HIGHEST_PRIORITY} are allowed"
        yield Violation(("value",), ViolationType.FORBIDDEN, message, "write a lower one")
    yield from below(check_preemption_policy(of.preemptionPolicy), "preemptionPolicy")
