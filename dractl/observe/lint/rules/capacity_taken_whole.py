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
"""

from collections.abc import Iterator

from dractl.api.identities import PoolId
from dractl.cluster.pools import PoolDevice
from dractl.finding import Severity
from dractl.observe.lint.answers import Devices
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed


def check(context: LintContext) -> Iterator[Remark]:
    """Where the input has requests for such devices those that leave the capacity out, else the devices themselves."""
    if not context.cluster.features.consumable_capacity:
        return
    greedy = {device.id: names for device in context.devices if (names := _without_default(device))}
    if not greedy:
        return
    reached: set[PoolId] = set()

    def shareable(devices: Devices) -> Devices:
        return tuple(device for device in devices if device.id in greedy)

    for asked in context.asked:
        if asked.demand.device_class is not None and not asked.demand.admin_access:
            matching = context.about("greedy", context.matching(asked.demand.selectors), shareable)
            reached.update(device.id.pool_id for device in matching)
            yield from _of_request(asked, [(device, greedy[device.id]) for device in matching])
    told: set[PoolId] = set()
    for device in context.devices:
        pool = device.id.pool_id
        if device.id in greedy and pool not in reached and pool not in told:
            told.add(pool)
            yield _of_device(context, device, greedy[device.id])


def _without_default(device: PoolDevice) -> list[str]:
    if not device.device.allowMultipleAllocations:
        return []
    return [
        name
        for name, capacity in (device.device.capacity or {}).items()
        if capacity.requestPolicy is None or capacity.requestPolicy.default is None
    ]


def _of_request(asked: Asked, devices: list[tuple[PoolDevice, list[str]]]) -> Iterator[Remark]:
    left_out = [(device, [name for name in names if name not in asked.demand.capacity]) for device, names in devices]
    first = next(((device, names) for device, names in left_out if names), None)
    if first is not None:
        device, names = first
        yield Remark(
            f"request {asked.demand.ref.name} takes all of {listed(names)} of the shareable device {device.id}, "
            "as it names no amount and the device no default",
            asked.place,
            asked.subject,
            f"write `capacity: {{requests: {{{names[0]}: AMOUNT}}}}` into the request",
        )


def _of_device(context: LintContext, device: PoolDevice, names: list[str]) -> Remark:
    numbers = [number for number, each in enumerate(device.slice.spec.devices or ()) if each is device.device]
    place = context.place_of_slice(device.slice).at("spec", "devices", numbers[0], "capacity", names[0])
    return Remark(
        f"device {device.id.device} may be shared, but a request that does not name {listed(names)} takes all of it",
        place,
        f"ResourceSlice {device.slice.metadata.name}",
        "give the capacity a `requestPolicy` with a default",
        Severity.INFO,
    )


RULE = Rule("DRA111", "capacity-taken-whole", Severity.WARNING, __doc__, check, needs_slices=True)
