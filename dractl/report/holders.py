"""Who holds what, by the names that people know: pods rather than claims."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.resource import ResourceClaim
from dractl.phrases import listed
from dractl.report.phrases import device_name


class Holders:
    """Looks up holders in the claims of an answer."""

    def __init__(self, claims: Mapping[ClaimRef, ResourceClaim]) -> None:
        self._claims = claims

    def of_claims(self, claims: Iterable[ClaimRef]) -> list[str]:
        """The pods that claims are reserved for, and claims that are reserved for nobody."""
        names: list[str] = []
        for ref in claims:
            claim = self._claims.get(ref)
            users = (claim.status.reservedFor if claim is not None else None) or ()
            names += [f"{ref.namespace}/{user.name}" for user in users] or [f"claim {ref}"]
        return list(dict.fromkeys(names))

    def described(self, devices: Iterable[DeviceId], node: str) -> str:
        """Devices in use, each with its holders: `gpu-2-half-0 (ml/notebook)`."""
        texts = []
        for device in devices:
            pods = listed(self.of_claims(self._by_device.get(device, ())))
            texts.append(f"{device_name(device, node)} ({pods})" if pods else device_name(device, node))
        return listed(texts)

    @cached_property
    def _by_device(self) -> dict[DeviceId, list[ClaimRef]]:
        found: dict[DeviceId, list[ClaimRef]] = {}
        for ref, claim in self._claims.items():
            allocation = claim.status.allocation
            for result in (allocation.devices.results if allocation is not None else None) or ():
                if not result.adminAccess:
                    device = DeviceId(result.driver, result.pool, result.device)
                    found.setdefault(device, []).append(ref)
        return found
