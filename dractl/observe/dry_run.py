"""A cluster as the device taint eviction controller sees it, and what follows from its taints (taints.md)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.resource import DeviceTaintRule, ResourceClaim, ResourceSlice
from dractl.observe.device_taints import (
    EVICTING,
    EvictingTaints,
    PublishedDevice,
    RuleOrigin,
    published_devices,
    selects,
)
from dractl.observe.eviction import AffectedClaim, Eviction, affected_claims, evictions

NO_EFFECT: Final = "None"
"""The effect that only looks."""


class TaintWorld:
    """Slices, rules, claims and pods at one moment; `now` also stands for a `timeAdded` that is missing."""

    def __init__(
        self,
        slices: Iterable[ResourceSlice],
        rules: Iterable[DeviceTaintRule],
        claims: Iterable[ResourceClaim],
        pods: Iterable[Pod],
        now: datetime,
    ) -> None:
        self.now: Final = now
        self.rules: Final = tuple(rules)
        self.claims: Final[Mapping[ClaimRef, ResourceClaim]] = {
            ClaimRef(claim.metadata.namespace, claim.metadata.name): claim for claim in claims
        }
        self.pods: Final = tuple(pods)
        self.slices: Final = tuple(slices)
        self.devices: Final[Sequence[PublishedDevice]] = published_devices(self.slices)

    @cached_property
    def affected(self) -> Mapping[ClaimRef, AffectedClaim]:
        """The claims whose users are to be evicted, by namespace and name."""
        return affected_claims(self.claims.values(), EvictingTaints(self.devices, self.rules, self.now))

    @cached_property
    def evictions(self) -> Sequence[Eviction]:
        """The pods to be evicted, by namespace and name."""
        return evictions(self.pods, self.claims, self.affected)

    def evictions_by(self, rule: DeviceTaintRule) -> list[Eviction]:
        """Those that name the rule among their reasons; if its effect is None, those that would.

        Such a dry run leaves all other rules out, and taints of slices in (taints.md §5).
        """
        origin = RuleOrigin(rule.metadata.name)
        if rule.spec.taint.effect != NO_EFFECT:
            return [each for each in self.evictions if each.is_because_of(origin)]
        taints = EvictingTaints(self.devices, [as_evicting(rule)], self.now)
        supposed = evictions(self.pods, self.claims, affected_claims(self.claims.values(), taints))
        return [each for each in supposed if each.is_because_of(origin)]

    def known_devices(self) -> list[DeviceId]:
        """Every device that a slice publishes or a claim holds, each once."""
        held = (device for claim in self.claims.values() for device in _allocated(claim))
        return list(dict.fromkeys([*(device.id for device in self.devices), *held]))

    def supposed(self) -> "TaintWorld":
        """The same cluster if every rule with the effect None evicted from now on."""
        rules = [as_evicting(rule) if rule.spec.taint.effect == NO_EFFECT else rule for rule in self.rules]
        return TaintWorld(self.slices, rules, self.claims.values(), self.pods, self.now)

    def selected_by(self, rule: DeviceTaintRule) -> tuple[int, int]:
        """How many published devices and how many allocation results the rule's selector matches."""
        selector = rule.spec.deviceSelector
        published = sum(selects(selector, device.id) for device in self.devices)
        allocated = sum(selects(selector, device) for claim in self.claims.values() for device in _allocated(claim))
        return published, allocated


def _allocated(claim: ResourceClaim) -> list[DeviceId]:
    allocation = claim.status.allocation
    results = (allocation.devices.results if allocation is not None else None) or ()
    return [DeviceId(result.driver, result.pool, result.device) for result in results]


def as_evicting(rule: DeviceTaintRule) -> DeviceTaintRule:
    """The rule with the effect NoExecute from now on: the server sets `timeAdded` at such a change."""
    taint = replace(rule.spec.taint, effect=EVICTING, timeAdded=None)
    return replace(rule, spec=replace(rule.spec, taint=taint))
