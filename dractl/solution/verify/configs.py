"""The configuration of an allocation: what classes and claim say to the drivers, in order (dra.md §17)."""

from collections.abc import Iterator

from dractl.api.resource import DeviceAllocationConfiguration
from dractl.problem.demands import Demand
from dractl.solution.verify.attempt import AllocatedClaim, Attempt
from dractl.solution.verify.violations import Breach


def configs_are_complete_and_in_order(attempt: Attempt) -> Iterator[Breach]:
    """Classes in the order in which requests meet them, then the claim's own; nothing missing, nothing else."""
    for claim in attempt.claims:
        wanted = [*_from_classes(claim), *_from_claim(claim)]
        stated = [_wired(entry.source, entry.requests, entry) for entry in claim.allocation.devices.config or ()]
        if len(stated) != len(wanted):
            yield Breach(f"there are {len(stated)} configs instead of {len(wanted)}", claim.ref)
        for number, (got, expected) in enumerate(zip(stated, wanted, strict=False)):
            if got != expected:
                what = f"{got.source} for {got.requests} stands where {expected.source} for {expected.requests} belongs"
                yield Breach(f"config #{number}: {what}, or its parameters differ", claim.ref)


def _from_classes(claim: AllocatedClaim) -> Iterator[DeviceAllocationConfiguration]:
    answered = _answered(claim)
    users: dict[str, list[str]] = {}
    for demand in answered:
        if demand.device_class is not None:
            users.setdefault(demand.device_class.metadata.name, []).append(demand.ref.name)
    classes = {demand.device_class.metadata.name: demand.device_class for demand in answered if demand.device_class}
    for class_name, names in users.items():
        for config in classes[class_name].spec.config or ():
            entry = DeviceAllocationConfiguration(opaque=config.opaque)
            yield _wired("FromClass", _unless_all(claim, names), entry)


def _from_claim(claim: AllocatedClaim) -> Iterator[DeviceAllocationConfiguration]:
    """A config without names, with the name of a request, or with that of a selected alternative."""
    alive = {request.name for request in claim.demand.requests}
    alive |= {demand.ref.name for demand in _answered(claim)}
    for config in claim.demand.configs:
        if not config.requests or not alive.isdisjoint(config.requests):
            entry = DeviceAllocationConfiguration(opaque=config.opaque)
            yield _wired("FromClaim", _unless_all(claim, config.requests or []), entry)


def _unless_all(claim: AllocatedClaim, names: list[str]) -> list[str] | None:
    """The names, or nothing if they cover every request of the claim, directly or by its selected alternative."""
    chosen = claim.chosen()
    for request in claim.demand.requests:
        selected = chosen.get(request.name)
        if request.name not in names and (selected is None or selected.ref.name not in names):
            return names
    return None


def _answered(claim: AllocatedClaim) -> list[Demand]:
    chosen = claim.chosen()
    return [chosen[request.name] for request in claim.demand.requests if request.name in chosen]


def _wired(
    source: str, requests: list[str] | None, entry: DeviceAllocationConfiguration
) -> DeviceAllocationConfiguration:
    """The entry as it is on the wire, where an empty list of requests is left out."""
    return DeviceAllocationConfiguration(source=source, requests=requests or None, opaque=entry.opaque)
