"""Attribute values as constraints compare them, published or derived (dra.md §9, §10)."""

from msgspec import Struct

from dractl.api.resource import DerivedAttribute, DeviceAttribute
from dractl.cel import CompileFault, EvaluationFault, compile_derived
from dractl.cluster.pools import PoolDevice
from dractl.problem.demands import Demand
from dractl.problem.faults import AllocationFault

Scalar = int | bool | str


class AttributeValue(Struct, frozen=True):
    """A value as a set; a scalar is a set of one, an empty list an empty set. Sets of different types are disjoint."""

    type: str
    values: frozenset[Scalar]
    is_list: bool

    def common(self, other: "AttributeValue") -> frozenset[Scalar]:
        """What both have; Python's `1 == True` cannot interfere because types are compared first."""
        return self.values & other.values if self.type == other.type else frozenset()


class AttributeReader:
    """Looks attributes up for constraints, each once; derived ones are evaluated once per device and expression."""

    def __init__(self) -> None:
        self._published: dict[tuple[PoolDevice, str], AttributeValue | None] = {}
        self._derived: dict[tuple[PoolDevice, str], AttributeValue | AllocationFault] = {}

    def read(self, demand: Demand, device: PoolDevice, attribute: str) -> AttributeValue | AllocationFault | None:
        """The value that a device shows to a request under a qualified name, or None if it has none.

        A derived attribute of the request comes first, then the name as it stands, then the bare name in the domain of
        the device's own driver.
        """
        derived = demand.derived.get(attribute)
        if derived is not None:
            return self._derive(derived, device)
        key = (device, attribute)
        if key not in self._published:
            self._published[key] = _published(device, attribute)
        return self._published[key]

    def _derive(self, derived: DerivedAttribute, device: PoolDevice) -> AttributeValue | AllocationFault:
        key = (device, derived.expression)
        if key not in self._derived:
            self._derived[key] = _evaluate(derived, device)
        return self._derived[key]


def _published(device: PoolDevice, attribute: str) -> AttributeValue | None:
    published = device.device.attributes or {}
    value = published.get(attribute)
    if value is None:
        domain, _, name = attribute.partition("/")
        if domain == device.id.driver:
            value = published.get(name)
    return None if value is None else attribute_value(value)


def _evaluate(derived: DerivedAttribute, device: PoolDevice) -> AttributeValue | AllocationFault:
    compiled = compile_derived(derived.expression)
    if isinstance(compiled, CompileFault):
        return AllocationFault(f"compile derived attribute {derived.name} failed: {compiled.message}")
    value = compiled.evaluate(device.view)
    if isinstance(value, EvaluationFault):
        text = f"evaluate derived attribute {derived.name} on device {device.id} failed: {value.message}"
        cause = f"derived attribute {derived.name} fails: {value.message}"
        return AllocationFault(text, device=device.id, cause=cause)
    return attribute_value(value)


def attribute_value(attribute: DeviceAttribute) -> AttributeValue:
    """The value of an attribute, versions as text; one without any field set is an empty list."""
    for kind, scalar, several in (
        ("int", attribute.int, attribute.ints),
        ("bool", attribute.bool, attribute.bools),
        ("string", attribute.string, attribute.strings),
        ("version", attribute.version, attribute.versions),
    ):
        if scalar is not None:
            return AttributeValue(kind, frozenset((scalar,)), False)
        if several is not None:
            return AttributeValue(kind, frozenset(several), True)
    return AttributeValue("", frozenset(), True)
