"""The first share of a device takes all of a capacity.

A device may be shared (`allowMultipleAllocations`), but one of its capacities has no `requestPolicy.default`, and a
request that can get the device does not name it.

Why: a capacity that is not asked for is consumed by its default, and without one **as a whole**. The first claim
leaves nothing of it, and the device cannot be shared after all.

Example:

    devices:
    - name: nic-0
      allowMultipleAllocations: true
      capacity:
        example.com/bandwidth: {value: 100G}

Instead: let the driver publish `requestPolicy: {default: 1G}`, or name an amount in every request:

    capacity: {requests: {example.com/bandwidth: 10G}}

It is a warning where a request that can get the device names no amount, a remark where the input has no request for it,
and nothing where every request names one.
"""

from collections.abc import Iterator

from msgspec import Struct

from dractl.api.identities import DeviceId
from dractl.cluster.pools import PoolDevice
from dractl.finding import Severity
from dractl.observe.lint.answers import Devices
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted, listed, verb
from dractl.problem.capacity import CapacityRefusal, capacity_share


class _Kind(Struct, frozen=True):
    """Devices of one driver that lack the same defaults: they are told once, whatever pools they are in."""

    driver: str
    capacities: tuple[str, ...]


def check(context: LintContext) -> Iterator[Remark]:
    """Each kind of device at the first one, unless every request that gets such a device names all amounts."""
    if not context.cluster.features.consumable_capacity:
        return
    kinds: dict[_Kind, list[PoolDevice]] = {}
    for device in context.devices:
        if names := _without_default(device):
            kinds.setdefault(_Kind(device.id.driver, tuple(names)), []).append(device)
    if not kinds:
        return
    takers = _takers(context, {device.id for devices in kinds.values() for device in devices})
    for kind, devices in kinds.items():
        asking = {id(asked): asked for device in devices for asked in takers.get(device.id, ())}
        greedy = [asked for asked in asking.values() if not asked.demand.capacity.keys() >= set(kind.capacities)]
        names = [
            name for name in kind.capacities if not asking or any(name not in asked.demand.capacity for asked in greedy)
        ]
        if names:
            yield _remark(context, names, devices, greedy)


def _without_default(device: PoolDevice) -> list[str]:
    if not device.device.allowMultipleAllocations:
        return []
    return [
        name
        for name, capacity in (device.device.capacity or {}).items()
        if capacity.requestPolicy is None or capacity.requestPolicy.default is None
    ]


def _takers(context: LintContext, greedy: set[DeviceId]) -> dict[DeviceId, list[Asked]]:
    """The requests that can get each of the devices."""

    def shareable(devices: Devices) -> Devices:
        return tuple(device for device in devices if device.id in greedy)

    found: dict[DeviceId, list[Asked]] = {}
    for asked in context.asked:
        if asked.demand.device_class is not None and not asked.demand.admin_access:
            for device in context.about("greedy", context.matching(asked.demand.selectors), shareable):
                if not isinstance(capacity_share(asked.demand, device, context.cluster.features), CapacityRefusal):
                    found.setdefault(device.id, []).append(asked)
    return found


def _remark(context: LintContext, names: list[str], devices: list[PoolDevice], greedy: list[Asked]) -> Remark:
    first = devices[0]
    place = context.place_of_slice(first.slice).at("spec", "devices", _number(first), "capacity", names[0])
    more = f" and {counted(len(devices) - 1, 'other device')}" if len(devices) > 1 else ""
    what = f"all of {listed(names)}, as the amount has no default"
    if greedy:
        others = f" and {counted(len(greedy) - 1, 'other')}" if len(greedy) > 1 else ""
        taking = (
            f"request {greedy[0].demand.ref.name} of {greedy[0].subject}{others} {verb(len(greedy), 'takes', 'take')}"
        )
    else:
        taking = "a request that names no amount takes"
    return Remark(
        f"device {first.id.device}{more} may be shared, but {taking} {what}",
        place,
        f"ResourceSlice {first.slice.metadata.name}",
        "give the capacity a `requestPolicy` with a default, or write "
        f"`capacity: {{requests: {{{names[0]}: AMOUNT}}}}` into every request",
        Severity.WARNING if greedy else Severity.INFO,
    )


def _number(device: PoolDevice) -> int:
    return next(n for n, each in enumerate(device.slice.spec.devices or ()) if each is device.device)


RULE = Rule("DRA111", "capacity-taken-whole", Severity.WARNING, __doc__, check, needs_slices=True)
