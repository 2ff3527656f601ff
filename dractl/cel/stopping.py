"""Nodes that stop at one of their parts: logic, list and map literals, and what stands in for a missing value."""

from dractl.cel.cost import BUILT_LIST, BUILT_MAP
from dractl.cel.frame import Code, Frame, pay
from dractl.cel.values import MISSING, NO_OVERLOAD, Fault, MapValue, OptionalValue, Value, require_hash


def logic_code(operands: list[Code], *, is_and: bool) -> Code:
    """`&&` and `||`: the first operand that decides absorbs errors of those before it."""
    decided = not is_and

    def code(frame: Frame) -> Value:
        failure: Value = None
        for operand in operands:
            value = operand(frame)
            if value is decided:
                return value
            if value is not is_and and failure is None:
                failure = value if value.__class__ is Fault else NO_OVERLOAD
        return is_and if failure is None else failure

    return code


def list_code(elements: list[Code], optional: frozenset[int]) -> Code:
    """A list literal; `optional` holds the indexes of elements written `?x`."""

    def code(frame: Frame) -> Value:
        built: list[Value] = []
        failure: Value = None
        for number, element in enumerate(elements):
            value = element(frame)
            if number in optional and value.__class__ is not Fault:
                value = _unwrapped(value)
            if value.__class__ is Fault:
                failure = value
                break
            if value is not MISSING:
                built.append(value)
        pay(frame, BUILT_LIST)
        return tuple(built) if failure is None else failure

    return code


def _unwrapped(value: Value) -> Value:
    """What an optional holds, `MISSING` if that is nothing."""
    if value.__class__ is not OptionalValue:
        return Fault("an element after ? must be optional")
    return value.value if value.has_value else MISSING


def map_code(parts: list[tuple[Code, Code, bool]]) -> Code:
    """A map literal of keys, values, and whether the entry is written `?k: v`."""

    def code(frame: Frame) -> Value:
        built: list[tuple[Value, Value]] = []
        failure: Value = None
        for key_code, value_code, may_miss in parts:
            key = key_code(frame)
            value = key if key.__class__ is Fault else value_code(frame)
            if may_miss and value.__class__ is not Fault:
                value = _unwrapped(value)
            if value.__class__ is Fault:
                failure = value
                break
            require_hash(key)
            if value is not MISSING:
                built.append((key, value))
        pay(frame, BUILT_MAP)
        return MapValue.from_pairs(built) if failure is None else failure

    return code


def alternative_code(first: Code, second: Code, *, unwrap: bool) -> Code:
    """`or` and `orValue`, which evaluate their argument only when it is needed."""

    def code(frame: Frame) -> Value:
        optional = first(frame)
        if optional.__class__ is Fault:
            return optional
        if optional.__class__ is not OptionalValue:
            return NO_OVERLOAD
        if optional.has_value:
            return optional.value if unwrap else optional
        return second(frame)

    return code
