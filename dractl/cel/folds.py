"""Loops: `all`, `exists`, `map` and the others (cel.md, Costs, Folds).

After an error a loop goes on: a later element may absorb it, and costs are counted to the end.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from dractl.cel.cost import BUILT_LIST
from dractl.cel.frame import Code, Frame, pay, pay_singly
from dractl.cel.values import NO_OVERLOAD, Fault, MapValue, Value, stored_key


class Loop(Struct, frozen=True):
    """The compiled parts of a fold; `slots` are those of its one or two variables."""

    over: Code
    slots: tuple[int, ...]
    test: Code | None
    body: Code
    is_literal: bool
    """Whether the body is a literal, so that a list of it costs nothing to build."""

    def steps(self, frame: Frame) -> Iterator[None] | Fault:
        """Evaluates the range, then sets the variables to one element after the other."""
        over = self.over(frame)
        if over.__class__ is not tuple and not isinstance(over, MapValue):
            return over if over.__class__ is Fault else Fault("a loop wants a list or a map")
        if len(self.slots) == 1:
            return _assign(frame.slots, self.slots[0], over.keys() if isinstance(over, MapValue) else iter(over))
        first, second = self.slots
        return _assign_two(frame.slots, first, second, over.items() if isinstance(over, MapValue) else enumerate(over))

    def keeps(self, frame: Frame) -> Value:
        """Whether the element passes the test; an error, if that gives anything but a bool."""
        if self.test is None:
            return True
        found = self.test(frame)
        return found if found.__class__ is bool or found.__class__ is Fault else NO_OVERLOAD


def _assign(variables: list[Value], slot: int, elements: Iterator[Value]) -> Iterator[None]:
    for element in elements:
        variables[slot] = element
        yield


def _assign_two(
    variables: list[Value], first: int, second: int, elements: Iterator[tuple[Value, Value]]
) -> Iterator[None]:
    for one, other in elements:
        variables[first] = one
        variables[second] = other
        yield


def fold_code(shape: str, loop: Loop) -> Code:
    """Code for a loop of that shape (see `tree.Fold`)."""
    return _SHAPES[shape](loop)


def _quantifier(*, is_all: bool) -> Callable[[Loop], Code]:
    decided = not is_all
    units = 3 if is_all else 4

    def shape(loop: Loop) -> Code:
        body = loop.body

        def code(frame: Frame) -> Value:
            steps = loop.steps(frame)
            if isinstance(steps, Fault):
                return steps
            result: Value = is_all
            for _ in steps:
                if result is decided:
                    pay_singly(frame, units - 1)
                    break
                pay_singly(frame, units)
                result = _absorbed(result, body(frame), decided=decided)
            pay(frame, 1)
            return result

        return code

    return shape


def _absorbed(before: Value, found: Value, *, decided: bool) -> Value:
    """`before && found` or `before || found`, where an operand that decides absorbs an error on the other side."""
    if found is decided or before.__class__ is Fault:
        return found if found is decided else before
    return found if found.__class__ is bool or found.__class__ is Fault else NO_OVERLOAD


def _one(loop: Loop) -> Code:
    def code(frame: Frame) -> Value:
        steps = loop.steps(frame)
        if isinstance(steps, Fault):
            return steps
        count = 0
        failure: Value = None
        for _ in steps:
            found = loop.body(frame)
            if found is True:
                pay_singly(frame, 2)
                count += 1
            elif found is not False:
                failure = found if found.__class__ is Fault else NO_OVERLOAD
        pay_singly(frame, 2)
        return count == 1 if failure is None else failure

    return code


def _list(loop: Loop) -> Code:
    """`acc + [f]`: 1 for the accumulator, 10 for the list unless it is a constant, 1 for the sum."""
    building = 0 if loop.is_literal else BUILT_LIST

    def code(frame: Frame) -> Value:
        steps = loop.steps(frame)
        if isinstance(steps, Fault):
            return steps
        collected: list[Value] = []
        failure: Value = None
        for _ in steps:
            kept = loop.keeps(frame)
            if kept is True:
                pay(frame, 1)
                value = loop.body(frame)
                pay(frame, building)
                pay(frame, 1)
                collected.append(value)
                if value.__class__ is Fault and failure is None:
                    failure = value
            elif kept is not False:
                failure = kept
        pay(frame, 1)
        return tuple(collected) if failure is None else failure

    return code


def _map(loop: Loop) -> Code:
    """`insert(acc, k, f)`: after an error only the accumulator is paid."""

    def code(frame: Frame) -> Value:
        steps = loop.steps(frame)
        if isinstance(steps, Fault):
            return steps
        collected: dict[Value, Value] = {}
        failure: Value = None
        for _ in steps:
            kept = loop.keeps(frame)
            if kept is True:
                pay(frame, 1)
                if failure is None:
                    pay(frame, 1)
                    value = loop.body(frame)
                    pay(frame, 1)
                    collected[stored_key(frame.slots[loop.slots[0]])] = value
                    failure = value if value.__class__ is Fault else None
            elif kept is not False:
                failure = kept
        pay(frame, 1)
        return MapValue(collected) if failure is None else failure

    return code


def _entries(loop: Loop) -> Code:
    """`insert(acc, e)`"""

    def code(frame: Frame) -> Value:
        steps = loop.steps(frame)
        if isinstance(steps, Fault):
            return steps
        collected = MapValue({})
        failure: Value = None
        for _ in steps:
            kept = loop.keeps(frame)
            if kept is True:
                pay(frame, 1)
                entries = loop.body(frame)
                pay(frame, 1)
                failure = failure or _inserted(collected, entries)
            elif kept is not False:
                failure = kept
        pay(frame, 1)
        return collected if failure is None else failure

    return code


def _inserted(collected: MapValue, entries: Value) -> Fault | None:
    """Add entries to those collected so far; a key that is already there is an error."""
    if not isinstance(entries, MapValue):
        return entries if isinstance(entries, Fault) else NO_OVERLOAD
    for key in entries.keys():  # noqa: SIM118
        if collected.contains(key):
            return Fault(f"insert failed: key {key} already exists")
    collected.entries.update(entries.entries)
    return None


_Shape: TypeAlias = Callable[[Loop], Code]

_SHAPES: Final[dict[str, _Shape]] = {
    "all": _quantifier(is_all=True),
    "exists": _quantifier(is_all=False),
    "one": _one,
    "list": _list,
    "filter": _list,
    "map": _map,
    "entries": _entries,
}
