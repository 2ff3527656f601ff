"""Which part of a DeviceTaintRule's selector matches no device."""

from collections.abc import Iterable

from msgspec import Struct

from dractl.api.identities import DeviceId
from dractl.api.resource import DeviceTaintSelector
from dractl.near_misses import did_you_mean


class Unmatched(Struct, frozen=True):
    """The first field that leaves no device, what it says, and what it could say instead."""

    field: str
    wanted: str
    values: tuple[str, ...]

    @property
    def message(self) -> str:
        """What is wrong."""
        return f"no device of the input matches: {self.field} {self.wanted} is not there"

    @property
    def remedy(self) -> str:
        """What was probably meant, or nothing."""
        return did_you_mean(self.wanted, self.values)


def unmatched(selector: DeviceTaintSelector, known: Iterable[DeviceId]) -> Unmatched | None:
    """Driver, pool and device in turn; None if some device matches all that are given."""
    left = list(known)
    for field, wanted in (("driver", selector.driver), ("pool", selector.pool), ("device", selector.device)):
        if wanted is None:
            continue
        values = tuple(dict.fromkeys(str(getattr(device, field)) for device in left))
        left = [device for device in left if getattr(device, field) == wanted]
        if not left:
            return Unmatched(field, wanted, values)
    return None
