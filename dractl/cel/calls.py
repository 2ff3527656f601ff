"""Calls: choosing an overload by the values' types, failing operands, and prices (cel.md, Costs, Run time)."""

import operator
from collections.abc import Callable, Sequence
from typing import Final

from dractl.cel.cost import Price, PriceRule, equality_price
from dractl.cel.declarations import Implementation, Overload
from dractl.cel.faults import COST_LIMIT, EvaluationEnded
from dractl.cel.frame import Code, Frame, stop
from dractl.cel.library.operators import OPERATORS
from dractl.cel.types import Kind, Type
from dractl.cel.values import NO_OVERLOAD, Fault, MapValue, UInt, Value, equal, require_hash, runtime_kinds, type_name

_Test = Callable[[Value], bool]

_EAGER: Final = OPERATORS | {"@sortByAssociatedKeys"}
"""Functions of two operands that evaluate both, however many overloads fit."""

_UNABSORBED: Final = frozenset({"distinct", "sort", "@sortByAssociatedKeys"})
"""An operand of these that fails, or is no list, ends the evaluation, where its size decides the price."""

_WANTED_DEPTH: Final = (None, int)
"""So does a depth of `flatten` that fails, or is no int; its list may be anything."""


def stops_early(function: str, count: int, overloads: int) -> bool:
    """Whether a call evaluates no more operands after one has failed."""
    return count >= 3 or function == "format" or (count == 2 and overloads > 1 and function not in _EAGER)


def call_code(
    function: str, operands: Sequence[Code], overloads: Sequence[Overload], price: Price, *, early: bool
) -> Code:
    """Code for a call of operands that are all evaluated."""
    apply = dispatcher(overloads)
    if function in _UNABSORBED and not isinstance(price, int):
        # One overload is left: what the list holds is not held against it.
        return _ending_call(operands, overloads[0].implementation, price, (tuple,) * len(operands))
    if function == "flatten" and len(operands) == 2 and not isinstance(price, int):
        return _ending_call(operands, apply, price, _WANTED_DEPTH)
    if early:
        return _early_call(operands, apply, price)
    if not operands:
        return _nullary(apply, price)
    if len(operands) == 1:
        return _unary(operands[0], apply, price)
    if not isinstance(price, int):
        return _measured_binary(operands[0], operands[1], apply, price)
    return _binary(operands[0], operands[1], apply, price)


def _nullary(apply: Implementation, price: Price) -> Code:
    units = price if isinstance(price, int) else 1

    def code(frame: Frame) -> Value:
        frame.cost = cost = frame.cost + units
        if cost > COST_LIMIT:
            stop()
        return apply()

    return code


def _unary(operand: Code, apply: Implementation, price: Price) -> Code:
    fixed, rule = (price, None) if isinstance(price, int) else (0, price)

    def code(frame: Frame) -> Value:
        value = operand(frame)
        result = value if value.__class__ is Fault else apply(value)
        frame.cost = cost = frame.cost + (fixed if rule is None else rule((value,), result))
        if cost > COST_LIMIT:
            stop()
        return result

    return code


def _binary(first: Code, second: Code, apply: Implementation, price: int) -> Code:
    def code(frame: Frame) -> Value:
        left = first(frame)
        right = second(frame)
        result = left if left.__class__ is Fault else right if right.__class__ is Fault else apply(left, right)
        frame.cost = cost = frame.cost + price
        if cost > COST_LIMIT:
            stop()
        return result

    return code


def _measured_binary(first: Code, second: Code, apply: Implementation, price: PriceRule) -> Code:
    def code(frame: Frame) -> Value:
        left = first(frame)
        right = second(frame)
        result = left if left.__class__ is Fault else right if right.__class__ is Fault else apply(left, right)
        frame.cost = cost = frame.cost + price((left, right), result)
        if cost > COST_LIMIT:
            stop()
        return result

    return code


def _early_call(operands: Sequence[Code], apply: Implementation, price: Price) -> Code:
    last = len(operands) - 1

    def code(frame: Frame) -> Value:
        values: list[Value] = []
        for number, operand in enumerate(operands):
            value = operand(frame)
            values.append(value)
            if value.__class__ is Fault:
                if number < last:
                    return value
                result = value
                break
        else:
            result = apply(*values)
        frame.cost = cost = frame.cost + (price if isinstance(price, int) else price(values, result))
        if cost > COST_LIMIT:
            stop()
        return result

    return code


def _ending_call(
    operands: Sequence[Code], apply: Implementation, price: PriceRule, wanted: Sequence[type | None]
) -> Code:
    """A call that ends the evaluation, unpaid, where an operand is not of the wanted class."""

    def code(frame: Frame) -> Value:
        values = [operand(frame) for operand in operands]
        for value, kind in zip(values, wanted, strict=True):
            if kind is not None and value.__class__ is not kind:
                message = value.message if value.__class__ is Fault else f"{type_name(value)} is of a wrong type"
                raise EvaluationEnded(f"internal error: {message}")
        result = values[0] if values[0].__class__ is Fault else apply(*values)
        frame.cost = cost = frame.cost + price(values, result)
        if cost > COST_LIMIT:
            stop()
        return result

    return code


def equality_with(left: Code, constant: Value, *, is_equal: bool) -> Code:
    """`left == constant` and `left != constant` for a constant that compares by class and value."""
    kind = constant.__class__
    price_of_fault = equality_price(NO_OVERLOAD, constant)
    # All texts of one to ten characters have the same price.
    fixed = 1 if kind is not str or 0 < len(constant) <= 10 else None

    def code(frame: Frame) -> Value:
        value = left(frame)
        if value.__class__ is kind:
            result: Value = (value == constant) is is_equal
            units = fixed if fixed is not None and (value or kind is not str) else equality_price(value, constant)
        elif value.__class__ is Fault:
            result, units = value, price_of_fault
        else:
            result, units = equal(value, constant), equality_price(value, constant)
            if not is_equal:
                result = result is not True
        frame.cost = cost = frame.cost + units
        if cost > COST_LIMIT:
            stop()
        return result

    return code


def ordering_with(left: Code, constant: int, function: str, apply: Implementation) -> Code:
    """`left < constant` and its like for a whole number."""
    holds = _NATIVE_ORDERINGS[function]

    def code(frame: Frame) -> Value:
        value = left(frame)
        frame.cost = cost = frame.cost + 1
        if cost > COST_LIMIT:
            stop()
        if value.__class__ is int:
            return holds(value, constant)
        return value if value.__class__ is Fault else apply(value, constant)

    return code


_NATIVE_ORDERINGS: Final = {"_<_": operator.lt, "_<=_": operator.le, "_>_": operator.gt, "_>=_": operator.ge}

ORDERINGS: Final = frozenset(_NATIVE_ORDERINGS)


def known_result(result: Value, units: int) -> Code:
    """A call that gives the same every time, and costs the same."""

    def code(frame: Frame) -> Value:
        frame.cost = cost = frame.cost + units
        if cost > COST_LIMIT:
            stop()
        return result

    return code


def constant_membership(wanted: Code, container: Value) -> Code:
    """`wanted in container` for a container that is known: a look-up by hash that costs nothing (cel.md, Types)."""
    found = MapValue.from_pairs((element, True) for element in _with_other_numbers(container))

    def code(frame: Frame) -> Value:
        value = wanted(frame)
        if value.__class__ is Fault:
            return value
        require_hash(value)
        return value in found.entries if value.__class__ is str else found.contains(value)

    return code


def _with_other_numbers(container: Value) -> list[Value]:
    """The elements, and each whole number as it is written in the other number types."""
    elements: list[Value] = []
    for element in container:
        elements.append(element)
        if element.__class__ is int or element.__class__ is UInt:
            elements.append(float(element))
        elif element.__class__ is float and element.is_integer():
            # Whole numbers of all types find each other.
            elements.append(int(element))
    return elements


def dispatcher(overloads: Sequence[Overload]) -> Implementation:
    """The implementation that fits the values' types; "no such overload" if none does."""
    if overloads[0].is_total:
        return overloads[0].implementation
    if len(overloads) == 1:
        return _guarded(overloads[0])
    choices = [(_tests(overload), overload.implementation) for overload in overloads]

    def choose(*values: Value) -> Value:
        for tests, implementation in choices:
            if all(test(value) for test, value in zip(tests, values, strict=True) if test is not None):
                return implementation(*values)
        return NO_OVERLOAD

    return choose


def _tests(overload: Overload) -> tuple[_Test | None, ...]:
    return tuple(_accepts(wanted) for wanted in overload.parameters)


def _guarded(overload: Overload) -> Implementation:
    tests = _tests(overload)
    implementation = overload.implementation
    if not any(tests):
        return implementation
    if len(tests) == 1 and tests[0] is not None:
        return _guarded_unary(tests[0], implementation)
    if len(tests) == 2 and tests[0] is not None and tests[1] is not None:
        return _guarded_binary(tests[0], tests[1], implementation)

    def guarded(*values: Value) -> Value:
        for test, value in zip(tests, values, strict=True):
            if test is not None and not test(value):
                return NO_OVERLOAD
        return implementation(*values)

    return guarded


def _guarded_unary(test: _Test, implementation: Implementation) -> Implementation:
    def guarded(value: Value) -> Value:
        return implementation(value) if test(value) else NO_OVERLOAD

    return guarded


def _guarded_binary(first: _Test, second: _Test, implementation: Implementation) -> Implementation:
    def guarded(left: Value, right: Value) -> Value:
        return implementation(left, right) if first(left) and second(right) else NO_OVERLOAD

    return guarded


def _accepts(wanted: Type) -> _Test | None:
    """The test for values of a type; None where every value will do."""
    if wanted.is_wild or wanted.kind is Kind.PARAMETER:
        return None
    kinds = runtime_kinds(wanted.name)
    if wanted.kind is Kind.LIST:
        return _accepts_list(_accepts(wanted.parameters[0]))
    if len(kinds) == 1:
        (kind,) = kinds
        return lambda value: value.__class__ is kind
    return lambda value: value.__class__ in kinds


def _accepts_list(element: _Test | None) -> _Test:
    """The type of a list is told from its first element."""
    if element is None:
        return lambda value: value.__class__ is tuple
    return lambda value: value.__class__ is tuple and (not value or element(value[0]))
