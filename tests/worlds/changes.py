"""Worlds that differ from another one in what should not matter."""

from dataclasses import dataclass, replace

import msgspec

from dractl.api.resource import Device, DeviceRequestAllocationResult, ResourceClaim, ResourceSlice
from tests.worlds.world import World


@dataclass(frozen=True)
class Renaming:
    """New names of devices by `driver/pool/device`, in another alphabetical order than the old ones."""

    names: dict[str, str]

    @classmethod
    def of(cls, world: World) -> "Renaming":
        devices = [
            (_path(slice_, device.name), device.name) for slice_ in world.slices for device in slice_.spec.devices or ()
        ]
        return cls({path: f"x{len(devices) - number}-{name}" for number, (path, name) in enumerate(devices)})

    def of_result(self, result: DeviceRequestAllocationResult) -> DeviceRequestAllocationResult:
        path = f"{result.driver}/{result.pool}/{result.device}"
        return msgspec.structs.replace(result, device=self.names[path])

    def device(self, path: str) -> str:
        """The new `driver/pool/device`."""
        return f"{path.rpartition('/')[0]}/{self.names[path]}"


def renamed(world: World, names: Renaming) -> World:
    """The same world with other names for its devices, held ones included."""
    slices = tuple(
        _with_devices(
            slice_,
            [
                msgspec.structs.replace(device, name=names.names[_path(slice_, device.name)])
                for device in slice_.spec.devices or ()
            ],
        )
        for slice_ in world.slices
    )
    return replace(world, slices=slices, held=tuple(_renamed_claim(claim, names) for claim in world.held))


def without_device(world: World, path: str) -> World:
    """The same world without one device."""
    slices = tuple(
        _with_devices(slice_, [each for each in slice_.spec.devices or () if _path(slice_, each.name) != path])
        for slice_ in world.slices
    )
    return replace(world, slices=slices)


def uses_all(world: World) -> bool:
    """Whether any request wants all devices, so that every device matters."""
    asked = [
        each
        for claim in world.claims
        for request in claim.spec.devices.requests or ()
        for each in ([request.exactly] if request.exactly else request.firstAvailable or ())
    ]
    return any(each.allocationMode == "All" for each in asked)


def _path(slice_: ResourceSlice, device: str) -> str:
    return f"{slice_.spec.driver}/{slice_.spec.pool.name}/{device}"


def _with_devices(slice_: ResourceSlice, devices: list[Device]) -> ResourceSlice:
    if slice_.spec.devices is None:
        return slice_
    return msgspec.structs.replace(slice_, spec=msgspec.structs.replace(slice_.spec, devices=devices))


def _renamed_claim(claim: ResourceClaim, names: Renaming) -> ResourceClaim:
    allocation = claim.status.allocation
    assert allocation is not None
    results = [names.of_result(result) for result in allocation.devices.results or ()]
    devices = msgspec.structs.replace(allocation.devices, results=results)
    status = msgspec.structs.replace(claim.status, allocation=msgspec.structs.replace(allocation, devices=devices))
    return msgspec.structs.replace(claim, status=status)
