"""Claims of a plan: allocated once, for a pod that uses them, and usable where each of their pods runs."""

from collections.abc import Iterator
from typing import Final

from dractl.api.core import Node
from dractl.api.identities import ClaimRef, DeviceId, ObjectRef
from dractl.api.resource import AllocationResult
from dractl.api.selectors import matches_node
from dractl.solution.verify.attempt import device_of
from dractl.solution.verify.nodes import NODE_OPERATIONS
from dractl.solution.verify.plan import Replay
from dractl.solution.verify.violations import Breach

RESERVATIONS_PER_CLAIM: Final = 256
"""The API server refuses the next entry of `reservedFor` (scheduling.md §3.3)."""


def held_allocations_stay(replay: Replay) -> Iterator[Breach]:
    """A claim that had its devices at the start keeps them."""
    for step in replay.steps:
        for claim in step.attempt:
            if claim in replay.start.held:
                yield Breach("the claim is allocated already", claim)


def each_claim_is_allocated_once(replay: Replay) -> Iterator[Breach]:
    """What an earlier placement allocated is only used by later ones."""
    for step in replay.steps:
        for claim in step.attempt:
            if claim not in replay.start.held and replay.allocation_before(step, claim) is not None:
                yield Breach(f"{step.placement.pod} allocates the claim a second time", claim)


def pods_allocate_nothing_but_their_own_claims(replay: Replay) -> Iterator[Breach]:
    """A placement allocates claims that its pod uses and that are there."""
    for step in replay.steps:
        for claim in step.attempt:
            if step.pod is not None and claim not in step.pod.claims:
                yield Breach(f"{step.placement.pod} does not use the claim", claim)
            elif claim not in replay.start.demands and claim not in replay.start.held:
                yield Breach(f"{step.placement.pod} allocates a claim that does not exist", claim)


def every_claim_of_a_placed_pod_is_allocated(replay: Replay) -> Iterator[Breach]:
    """A pod runs only when each of its claims has its devices, from before or with this placement."""
    for step in replay.steps:
        for claim in step.used:
            if claim not in step.placement.allocations and replay.allocation_before(step, claim) is None:
                yield Breach(f"{step.placement.pod} is placed without the claim", claim)


def every_claim_is_usable_where_its_pods_run(replay: Replay) -> Iterator[Breach]:
    """The allocation's node selector admits the node of every pod that uses the claim (scheduling.md §5)."""
    for step in replay.steps:
        for claim in step.used:
            allocation = step.placement.decided.get(claim) or replay.allocation_before(step, claim)
            because = _why_not_usable(allocation, step.node) if allocation and step.node else ""
            if because:
                yield Breach(f"{step.placement.pod} cannot use the claim on {step.placement.node}: {because}", claim)


def no_claim_has_too_many_users(replay: Replay) -> Iterator[Breach]:
    """At most 256 consumers are reserved for a claim; a PodGroup counts once."""
    users: dict[ClaimRef, set[ObjectRef]] = {}
    for step in replay.steps:
        for claim, consumer in step.used.items():
            users.setdefault(claim, set(replay.start.reserved.get(claim, ()))).add(consumer)
    for claim, consumers in users.items():
        if len(consumers) > RESERVATIONS_PER_CLAIM:
            yield Breach(f"{len(consumers)} consumers exceed the limit of {RESERVATIONS_PER_CLAIM}", claim)


def share_ids_are_fresh(replay: Replay) -> Iterator[Breach]:
    """A new share of a device has an id that no other share of it has, whoever holds it."""
    seen = {share for allocation in replay.start.held.values() for share in _shares(allocation)}
    for step in replay.steps:
        for claim, allocation in step.placement.decided.items():
            for device, share in _shares(allocation):
                if (device, share) in seen:
                    yield Breach(f"shareID {share} is not fresh", claim, device)
                seen.add((device, share))


def _shares(allocation: AllocationResult) -> Iterator[tuple[DeviceId, str]]:
    for result in allocation.devices.results or ():
        if result.shareID is not None:
            yield device_of(result), result.shareID


def _why_not_usable(allocation: AllocationResult, node: Node) -> str:
    if allocation.nodeSelector is not None and not matches_node(allocation.nodeSelector, node):
        return "its node selector excludes the node"
    skips = any(result.skipNodeOperations for result in allocation.devices.results or ())
    if skips and NODE_OPERATIONS not in (node.status.declaredFeatures or ()):
        return "its driver skips node operations, which the node does not allow"
    return ""
