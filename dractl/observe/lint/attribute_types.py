"""Attributes that few devices of a driver have in another type than the others."""

from collections import Counter

from msgspec import Struct

from dractl.api.identities import DeviceId
from dractl.cel import EvaluationFault
from dractl.cluster.pools import PoolDevice
from dractl.errors import Place
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.partitions import devices_of
from dractl.observe.lint.spelling import names_in, qualified
from dractl.problem.attributes import attribute_value

_NO_SUCH_KEY = "no such key"


class _Use(Struct, frozen=True):
    """An attribute of a device: its type, and where it stands."""

    type: str
    device: DeviceId
    place: Place
    subject: str


class Mistyped(Struct, frozen=True):
    """An attribute by its qualified name; `first` is the first device that has it in another type than `usual` has."""

    name: str
    first: _Use
    usual: _Use
    devices: frozenset[DeviceId]

    def explains(self, expression: str, device: PoolDevice, fault: EvaluationFault) -> bool:
        """Whether an expression fails at a device because of the type."""
        is_about = device.id in self.devices and ("attributes", self.name) in names_in(expression)
        return is_about and not fault.message.startswith(_NO_SUCH_KEY)


def mistyped(context: LintContext) -> tuple[Mistyped, ...]:
    """All of them, in the order in which the names first occur."""
    return context.once(("mistyped",), lambda: _mistyped(context))


def _mistyped(context: LintContext) -> tuple[Mistyped, ...]:
    """The type that most devices have is right, of two alike the first; lists count like single values."""
    uses: dict[tuple[str, str], list[_Use]] = {}
    for pool in context.pools.values():
        for device, place, slice_ in devices_of(pool):
            identity = DeviceId(pool.id.driver, pool.id.pool, device.name)
            for name, attribute in (device.attributes or {}).items():
                if kind := attribute_value(attribute).type:
                    use = _Use(kind, identity, place.at("attributes", name), str(slice_.ref))
                    uses.setdefault((pool.id.driver, qualified(name, pool.id.driver)), []).append(use)
    return tuple(
        Mistyped(name, others[0], next(each for each in members if each.type == usual), _devices(others))
        for (_, name), members in uses.items()
        if (others := _others(members, usual := _usual(members)))
    )


def _usual(members: list[_Use]) -> str:
    return Counter(each.type for each in members).most_common(1)[0][0]


def _others(members: list[_Use], usual: str) -> list[_Use]:
    return [each for each in members if each.type != usual]


def _devices(members: list[_Use]) -> frozenset[DeviceId]:
    return frozenset(each.device for each in members)
