"""The rules of dra.md as yes-or-no questions about one more device, written without the product's code.

Slow and plain on purpose: every question is answered from scratch, from what is held and what was taken before.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dractl.api.core import Node
from dractl.api.resource import (
    CapacityRequirements,
    Device,
    DeviceAttribute,
    DeviceCapacity,
    DeviceConstraint,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceSlice,
)
from dractl.cluster.upstream import UpstreamFault
from tests.worlds.world import World

OPERATIONS = "DRAOptionalNodeOperations"

DeviceKey = tuple[str, str, str]
"""Driver, pool and device."""

Amounts = tuple[tuple[str, int], ...]
"""Capacity or counter with nano-units, sorted."""


@dataclass(frozen=True)
class Seen:
    """A device as one slice lists it."""

    key: DeviceKey
    device: Device
    slice: ResourceSlice

    @property
    def pool(self) -> tuple[str, str]:
        return self.key[:2]


@dataclass(frozen=True, order=True)
class Holding:
    """One device, or a share of it, that a claim holds."""

    key: DeviceKey
    is_share: bool
    consumed: Amounts = ()


@dataclass(frozen=True, eq=False)
class Taken:
    """One device taken for one request or alternative of a claim, in this attempt."""

    claim: ResourceClaim
    request: str
    alternative: str | None
    asked: ExactDeviceRequest | DeviceSubRequest
    seen: Seen

    @property
    def is_admin(self) -> bool:
        return isinstance(self.asked, ExactDeviceRequest) and bool(self.asked.adminAccess)

    @property
    def name(self) -> str:
        return self.request if self.alternative is None else f"{self.request}/{self.alternative}"


@dataclass(frozen=True)
class View:
    """What one node sees of a world while one pod is decided."""

    world: World
    node: Node
    holdings: tuple[Holding, ...]
    devices: tuple[Seen, ...] = field(default=())
    listed: tuple[Seen, ...] = field(default=())


def view(world: World, node: Node, holdings: tuple[Holding, ...]) -> View:
    """All pools of the worlds are complete and valid (dra.md §4); `listed` are all their devices, here or elsewhere."""
    slices = sorted(world.slices, key=lambda each: (each.spec.driver, each.spec.pool.name, each.metadata.name))
    everything = [
        Seen((each.spec.driver, each.spec.pool.name, device.name), device, each)
        for each in slices
        for device in each.spec.devices or ()
    ]
    here = tuple(seen for seen in everything if reaches(seen.slice, node))
    return View(world, node, holdings, here, tuple(everything))


def reaches(slice_: ResourceSlice, node: Node) -> bool:
    """The worlds' node selectors have one label with one value."""
    if slice_.spec.nodeName is not None:
        return slice_.spec.nodeName == node.metadata.name
    if slice_.spec.allNodes:
        return True
    terms = slice_.spec.nodeSelector.nodeSelectorTerms if slice_.spec.nodeSelector else None
    wanted = (terms or [])[0].matchExpressions or []
    return all((node.metadata.labels or {}).get(each.key) in (each.values or []) for each in wanted)


# --- what a device is to a request, whatever else is taken -----------------------------------------------------------


def is_shareable(seen: Seen) -> bool:
    return bool(seen.device.allowMultipleAllocations)


def is_selectable(at: View, asked: ExactDeviceRequest | DeviceSubRequest, seen: Seen) -> bool:
    driver = at.world.classes[asked.deviceClassName]
    return driver is None or driver == seen.key[0]


def may_be_used(seen: Seen, node: Node) -> bool:
    """dra.md §11.2; all gates of the worlds are on."""
    return not seen.slice.spec.skipNodeOperations or OPERATIONS in (node.status.declaredFeatures or [])


def is_tolerated(asked: ExactDeviceRequest | DeviceSubRequest, seen: Seen) -> bool:
    """dra.md §15; the worlds tolerate by key with `Exists` only."""
    keys = {toleration.key for toleration in asked.tolerations or ()}
    return all(taint.effect == "None" or taint.key in keys for taint in seen.device.taints or ())


def consumed_amounts(asked: ExactDeviceRequest | DeviceSubRequest, seen: Seen) -> dict[str, int] | None:
    """dra.md §8, 1–4, with nothing consumed; None if the device cannot serve the request."""
    wanted = _wanted(asked.capacity)
    offered = seen.device.capacity or {}
    if any(name not in offered for name in wanted):
        return None
    amounts = {name: _consumed(wanted.get(name), capacity) for name, capacity in offered.items()}
    for name, capacity in offered.items():
        if amounts[name] > capacity.value.nano or _violates(amounts[name], capacity):
            return None
    return amounts


def _wanted(capacity: CapacityRequirements | None) -> dict[str, int]:
    return {name: amount.nano for name, amount in ((capacity.requests if capacity else None) or {}).items()}


def _consumed(asked: int | None, capacity: DeviceCapacity) -> int:
    policy = capacity.requestPolicy
    if asked is None:
        return policy.default.nano if policy and policy.default else capacity.value.nano
    if policy is None:
        return asked
    if policy.validValues:
        return min((value.nano for value in policy.validValues if value.nano >= asked), default=asked)
    if policy.validRange and policy.validRange.min:
        amount = policy.validRange.min.nano
        if policy.validRange.step is None:
            return max(amount, asked)
        while amount < asked:
            amount += policy.validRange.step.nano
        return amount
    return asked


def _violates(amount: int, capacity: DeviceCapacity) -> bool:
    policy = capacity.requestPolicy
    if policy is None or (policy.default and policy.default.nano == amount):
        return False
    if policy.validValues:
        return amount not in [value.nano for value in policy.validValues]
    return bool(policy.validRange and policy.validRange.max and amount > policy.validRange.max.nano)


# --- whether one more device can be taken (dra.md §11) ---------------------------------------------------------------


def can_take(at: View, before: Sequence[Taken], one: Taken) -> bool:
    settled = not pays(at, one) or (is_shareable(one.seen) and is_shared(at, before, one.seen))
    return (
        not is_in_use(at, before, one)
        and is_selectable(at, one.asked, one.seen)
        and has_capacity(at, before, one)
        and may_be_used(one.seen, at.node)
        and is_tolerated(one.asked, one.seen)
        and (settled or fits_groups(at, before, one.seen))
        and (settled or fits_counters(at, before, one.seen))
        and satisfies_constraints(at, before, one)
    )


def has(at: View, fault: UpstreamFault) -> bool:
    """dra.md §18: whether the rules of the world have the fault."""
    return fault in at.world.features.faults


def pays(at: View, one: Taken) -> bool:
    """Whether taking the device needs counters and groups at all."""
    return not one.is_admin or has(at, UpstreamFault.ADMIN_PAYS_COUNTERS)


def is_in_use(at: View, before: Sequence[Taken], one: Taken) -> bool:
    same = [taken for taken in before if taken.seen.key == one.seen.key and not is_shareable(taken.seen)]
    if any(taken.claim is one.claim for taken in same):
        return True
    if one.is_admin:
        return False
    if not has(at, UpstreamFault.ADMIN_BLOCKS_LATER):
        same = [taken for taken in same if not taken.is_admin]
    return bool(same) or any(held.key == one.seen.key and not held.is_share for held in at.holdings)


def is_shared(at: View, before: Sequence[Taken], seen: Seen) -> bool:
    return any(taken.seen.key == seen.key and pays(at, taken) for taken in before) or any(
        held.key == seen.key and held.is_share for held in at.holdings
    )


def has_capacity(at: View, before: Sequence[Taken], one: Taken) -> bool:
    amounts = consumed_amounts(one.asked, one.seen)
    if amounts is None:
        return False
    used = [dict(held.consumed) for held in at.holdings if held.key == one.seen.key and held.is_share]
    used += [
        consumed_amounts(taken.asked, taken.seen) or {}
        for taken in before
        if taken.seen.key == one.seen.key and is_shareable(taken.seen)
    ]
    return all(
        amount + sum(each.get(name, 0) for each in used) <= (one.seen.device.capacity or {})[name].value.nano
        for name, amount in amounts.items()
    )


def _paying(before: Sequence[Taken], at: View) -> Iterator[Seen]:
    """What this attempt has paid counters for: shareable devices once, and not if shares are held."""
    for number, taken in enumerate(before):
        if pays(at, taken) and not (is_shareable(taken.seen) and is_shared(at, before[:number], taken.seen)):
            yield taken.seen


def _allocated(at: View) -> list[Seen]:
    keys = {held.key for held in at.holdings}
    return [seen for seen in at.listed if seen.key in keys]


def _uses(seen: Seen) -> Mapping[tuple[str, str], int]:
    return {
        (use.counterSet, name): counter.value.nano
        for use in seen.device.consumesCounters or ()
        for name, counter in (use.counters or {}).items()
    }


def fits_counters(at: View, before: Sequence[Taken], one: Seen) -> bool:
    """dra.md §14: every counter of every counter set of the pool is compared."""
    if not one.device.consumesCounters:
        return True
    own = {use.counterSet for use in one.device.consumesCounters}
    spending = [seen for seen in (*_allocated(at), *_paying(before, at), one) if seen.pool == one.pool]
    for slice_ in at.world.slices:
        if (slice_.spec.driver, slice_.spec.pool.name) == one.pool:
            for counter_set in slice_.spec.sharedCounters or ():
                if counter_set.name not in own and not has(at, UpstreamFault.OVERDRAWN_SET_BLOCKS_POOL):
                    continue
                for name, counter in (counter_set.counters or {}).items():
                    if sum(_uses(seen).get((counter_set.name, name), 0) for seen in spending) > counter.value.nano:
                        return False
    return True


def fits_groups(at: View, before: Sequence[Taken], one: Seen) -> bool:
    """dra.md §13, with a state per counter set that starts from what is held and is narrowed device by device."""
    if not at.world.features.compatibility_groups:
        return True
    states: dict[str, frozenset[str] | str] = {}
    here_first = sorted(_allocated(at), key=lambda seen: not reaches(seen.slice, at.node))
    for seen in here_first:
        if seen.pool == one.pool:
            _narrow(states, seen, refuse=False)
    for seen in _paying(before, at):
        if seen.pool == one.pool:
            _narrow(states, seen, refuse=True)
    return _narrow(states, one, refuse=True)


def _narrow(states: dict[str, frozenset[str] | str], seen: Seen, *, refuse: bool) -> bool:
    new = dict(states)
    for use in seen.device.consumesCounters or ():
        own = frozenset(use.compatibilityGroups or ())
        state = states.get(use.counterSet)
        if state is None:
            new[use.counterSet] = own or "ungrouped"
        elif isinstance(state, str):
            if own and refuse:
                return False
        elif own:
            if refuse and not state & own:
                return False
            new[use.counterSet] = state & own
        elif refuse:
            return False
    states.update(new)
    return True


# --- constraints (dra.md §9) -----------------------------------------------------------------------------------------


def satisfies_constraints(at: View, before: Sequence[Taken], one: Taken) -> bool:
    bound = [taken for taken in before if taken.claim is one.claim]
    return all(
        _satisfies(at, constraint, [taken for taken in bound if _applies(constraint, taken)], one)
        for constraint in one.claim.spec.devices.constraints or ()
        if _applies(constraint, one)
    )


def _applies(constraint: DeviceConstraint, taken: Taken) -> bool:
    return not constraint.requests or taken.request in constraint.requests or taken.name in constraint.requests


def _satisfies(at: View, constraint: DeviceConstraint, before: Sequence[Taken], one: Taken) -> bool:
    attribute = constraint.matchAttribute or constraint.distinctAttribute or ""
    found = _values(one.seen, attribute)
    others = [values for taken in before if (values := _values(taken.seen, attribute)) is not None]
    if found is None:
        return False
    if at.world.features.list_type_attributes:
        if constraint.matchAttribute is not None:
            return bool(frozenset.intersection(found[0], *(values for values, _ in others)))
        return all(not found[0] & values for values, _ in others)
    if constraint.matchAttribute is not None:
        return not others or (not found[1] and all(found[0] == values and not is_list for values, is_list in others))
    if found[1]:
        return not others
    return all(is_list or found[0] != values for values, is_list in others)


def _values(seen: Seen, attribute: str) -> tuple[frozenset[tuple[str, object]], bool] | None:
    """The worlds publish attributes under their bare names, and constraints use the domain of the driver."""
    domain, _, name = attribute.partition("/")
    published = (seen.device.attributes or {}).get(name)
    if domain != seen.key[0] or published is None:
        return None
    return _typed(published)


def _typed(value: DeviceAttribute) -> tuple[frozenset[tuple[str, object]], bool]:
    for kind in ("int", "bool", "string", "version"):
        scalar, several = getattr(value, kind), getattr(value, f"{kind}s")
        if scalar is not None:
            return frozenset({(kind, scalar)}), False
        if several is not None:
            return frozenset((kind, each) for each in several), True
    raise AssertionError("an attribute without a value")
