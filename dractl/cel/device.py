"""What expressions see of a device (cel.md, The device)."""

from collections.abc import Mapping
from typing import Final

from dractl.api.resource import Device, DeviceAttribute
from dractl.api.version import Version
from dractl.cel.faults import EvaluationFault
from dractl.cel.library.quantity import amount_of
from dractl.cel.values import MISSING, Fault, MapValue, Value, register_map


class IdentifierMap(MapValue):
    """The map of one domain: id to value. Keys other than strings find nothing."""

    __slots__ = ()

    def find(self, key: Value) -> Value:
        """The value of an id, or `MISSING`."""
        return self.entries.get(key, MISSING) if key.__class__ is str else MISSING


_NO_DOMAIN: Final = IdentifierMap({})


class DomainMap(MapValue):
    """A map of domain to map of id. Every look-up finds something: an unknown domain has an empty map.

    Membership, size and loops see the real domains only.
    """

    __slots__ = ()

    def find(self, key: Value) -> Value:
        """The map of a domain; only strings are domains, and what is none has an empty map too."""
        return self.entries.get(key, _NO_DOMAIN) if key.__class__ is str else _NO_DOMAIN

    def contains(self, key: Value) -> bool:
        """Whether the device has anything in a domain."""
        return key.__class__ is str and key in self.entries


class DeviceView(IdentifierMap):
    """The variable `device`, built once for each device and used for every expression. Through dyn it is seen as a map.

    `fault` is why no expression can be evaluated on the device: an attribute without a value, a version that is none.
    """

    __slots__ = ("attribute_of", "capacity_of", "fault")

    def __init__(self, fields: dict[str, Value], fault: EvaluationFault | None = None) -> None:
        super().__init__(fields)
        self.fault: Final = fault
        self.attribute_of: Final = _flat(fields["attributes"])
        self.capacity_of: Final = _flat(fields["capacity"])

    @classmethod
    def of(cls, driver: str, device: Device) -> "DeviceView":
        """What a driver's device looks like. A name without a domain belongs to the driver's domain (dra.md §19)."""
        attributes = {name: _attribute_value(attribute) for name, attribute in (device.attributes or {}).items()}
        capacity = {name: amount_of(found.value) for name, found in (device.capacity or {}).items()}
        faults = (
            EvaluationFault(f"attribute {name}: {why}") for name, found in attributes.items() if (why := _why(found))
        )
        return cls(
            {
                "driver": driver,
                "attributes": _by_domain(driver, attributes),
                "capacity": _by_domain(driver, capacity),
                "allowMultipleAllocations": device.allowMultipleAllocations is True,
            },
            next(faults, None),
        )


def _by_domain(driver: str, values: Mapping[str, Value]) -> DomainMap:
    domains: dict[str, dict[str, Value]] = {}
    for name, value in values.items():
        domain, slash, identifier = name.partition("/")
        if not slash:
            domain, identifier = driver, name
        domains.setdefault(domain, {})[identifier] = value
    return DomainMap({domain: IdentifierMap(inner) for domain, inner in domains.items()})


def _flat(domains: DomainMap) -> dict[tuple[str, str], Value]:
    return {
        (domain, identifier): value
        for domain, inner in domains.entries.items()
        for identifier, value in inner.entries.items()
    }


def _attribute_value(attribute: DeviceAttribute) -> Value:
    """The value of an attribute, a list before a single one; a fault if there is none, which the API server refuses."""
    for values in (attribute.ints, attribute.bools, attribute.strings):
        if values is not None:
            return tuple(values)
    if attribute.versions is not None:
        return tuple(map(_version, attribute.versions))
    for value in (attribute.int, attribute.bool, attribute.string):
        if value is not None:
            return value
    return Fault("unsupported attribute value") if attribute.version is None else _version(attribute.version)


def _why(value: Value) -> str:
    """What is wrong with the value of an attribute or with an element of it."""
    faults = (each.message for each in (value if value.__class__ is tuple else (value,)) if each.__class__ is Fault)
    return next(faults, "")


def _version(text: str) -> Value:
    try:
        return Version.parse(text)
    except ValueError as wrong:
        return Fault(f"parse semantic version: {wrong}")


for _kind in (IdentifierMap, DomainMap, DeviceView):
    register_map(_kind)
