"""Compiled expressions: selectors, which say yes or no to a device, and derived attributes, which give it a value."""

from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from dractl.api.resource import DeviceAttribute
from dractl.api.version import Version
from dractl.cel.device import DeviceView
from dractl.cel.faults import CompileFault, EvaluationFault, Refusal
from dractl.cel.gates import CelGates
from dractl.cel.nesting import MAX_EXPANDED_DEPTH, room_to_recurse
from dractl.cel.program import Program
from dractl.cel.types import ANY, BOOL, DYN, INT, SEMVER, STRING, Kind, Type
from dractl.cel.values import OptionalValue, TypeValue, Value, type_name

_CACHE_SIZE: Final = 65_536

_FIELDS: Final[dict[type, str]] = {bool: "bool", int: "int", str: "string", Version: "version"}
_SCALARS: Final = (BOOL, INT, STRING, SEMVER)


class Selector(Struct, frozen=True):
    """A compiled device selector."""

    expression: str
    output_type: str
    gates: CelGates | None
    program: Program

    @property
    def max_cost(self) -> int:
        """What an evaluation may use at worst, 2⁶⁴−1 if that is not bounded (cel.md, Costs, Estimate)."""
        return _max_cost(self.expression, self.gates)

    def evaluate(self, device: DeviceView) -> bool | EvaluationFault:
        """Whether the device matches, or why that cannot be said; the scheduler takes a fault for a fatal error."""
        return self._answer(self.program.run(device)[0])

    def evaluate_with_cost(self, device: DeviceView) -> tuple[bool | EvaluationFault, int]:
        """The same, and the units used (cel.md, Costs)."""
        value, cost = self.program.run(device)
        return self._answer(value), cost

    def _answer(self, value: Value) -> bool | EvaluationFault:
        if value is True or value is False or isinstance(value, EvaluationFault):
            return value
        found = _without_cover(value)
        if found.__class__ is bool:
            return bool(found)
        return EvaluationFault(f"the result is of type {type_name(value)}, not bool")


class Derived(Struct, frozen=True):
    """A compiled derived attribute."""

    expression: str
    output_type: str
    gates: CelGates | None
    program: Program

    @property
    def max_cost(self) -> int:
        """What an evaluation may use at worst, 2⁶⁴−1 if that is not bounded (cel.md, Costs, Estimate)."""
        return _max_cost(self.expression, self.gates)

    def evaluate(self, device: DeviceView) -> DeviceAttribute | EvaluationFault:
        """The attribute's value, without any field for an empty list, or why there is none (dra.md §10)."""
        return self.evaluate_with_cost(device)[0]

    def evaluate_with_cost(self, device: DeviceView) -> tuple[DeviceAttribute | EvaluationFault, int]:
        """The same, and the units used (cel.md, Costs)."""
        value, cost = self.program.run(device)
        return (value if isinstance(value, EvaluationFault) else _attribute(value)), cost


def compile_selector(expression: str, gates: CelGates | None = None) -> Selector | CompileFault:
    """Compile a device selector. Its static type must be bool or the type of attributes.

    Without gates it is compiled as a stored expression, for which everything exists (cel.md, Stored and new).
    """
    return _selector(expression, gates)


def compile_derived(expression: str, gates: CelGates | None = None) -> Derived | CompileFault:
    """Compile the expression of a derived attribute; gates as for `compile_selector`.

    The static type must be bool, int, string, Semver or the type of attributes, or, unless the gate for lists is off, a
    list of one of these.
    """
    return _derived(expression, gates)


@lru_cache(maxsize=_CACHE_SIZE)
def _selector(expression: str, gates: CelGates | None) -> Selector | CompileFault:
    from dractl.cel.pipeline import checked, compiled

    attribute = DYN if gates is None or gates.list_type_attributes else ANY
    try:
        with room_to_recurse(MAX_EXPANDED_DEPTH):
            found = checked(expression, gates)
            if found.output not in (BOOL, attribute):
                message = f"a selector must give bool or an attribute, not {found.output}"
                raise Refusal(message, found.root.position, "compare it with what is wanted, for example with ==")
            return Selector(expression, str(found.output), gates, compiled(found))
    except Refusal as refusal:
        return refusal.fault


@lru_cache(maxsize=_CACHE_SIZE)
def _derived(expression: str, gates: CelGates | None) -> Derived | CompileFault:
    from dractl.cel.pipeline import checked, compiled

    takes_lists = gates is None or gates.list_type_attributes
    try:
        with room_to_recurse(MAX_EXPANDED_DEPTH):
            found = checked(expression, gates)
            _require_attribute(found.output, takes_lists=takes_lists)
            return Derived(expression, str(found.output), gates, compiled(found))
    except Refusal as refusal:
        return refusal.fault


@lru_cache(maxsize=_CACHE_SIZE)
def _max_cost(expression: str, gates: CelGates | None) -> int:
    from dractl.cel.estimate import estimated_cost
    from dractl.cel.pipeline import checked

    with room_to_recurse(MAX_EXPANDED_DEPTH):
        return estimated_cost(checked(expression, gates))


def _require_attribute(output: Type, *, takes_lists: bool) -> None:
    scalar = output.parameters[0] if takes_lists and output.kind is Kind.LIST else output
    if scalar in _SCALARS or scalar.is_wild:
        return
    wanted = "a primitive scalar (string, integer, boolean, semver)"
    if takes_lists:
        wanted += " or a list of these scalars"
    raise Refusal(f"must evaluate to {wanted}, not {output}", (1, 1))


def _without_cover(value: Value) -> Value:
    """What stands for a value outside of CEL: what an optional holds, and the names of types."""
    while isinstance(value, OptionalValue) and value.has_value:
        value = value.value
    return value.name if isinstance(value, TypeValue) else value


def _attribute(value: Value) -> DeviceAttribute | EvaluationFault:
    if value.__class__ is tuple:
        return _list_attribute(tuple(map(_without_cover, value)))
    value = _without_cover(value)
    field = _FIELDS.get(value.__class__)
    if field is None:
        return EvaluationFault(f"a value of type {type_name(value)} cannot be an attribute")
    return DeviceAttribute(**{field: _stored(value)})


def _list_attribute(elements: tuple[Value, ...]) -> DeviceAttribute | EvaluationFault:
    if not elements:
        return DeviceAttribute()
    kind = elements[0].__class__
    field = _FIELDS.get(kind)
    if field is None:
        return EvaluationFault(f"a list of values of type {type_name(elements[0])} cannot be an attribute")
    for number, element in enumerate(elements):
        if element.__class__ is not kind:
            wanted = type_name(elements[0])
            return EvaluationFault(f"expected list element at index {number} to be {wanted}, got {type_name(element)}")
    stored: dict[str, Any] = {f"{field}s": [_stored(element) for element in elements]}
    return DeviceAttribute(**stored)


def _stored(value: Value) -> Value:
    """A value as the API holds it: versions are texts in canonical form."""
    return str(value) if value.__class__ is Version else value
