"""Macros: what `all`, `map`, `has`, `cel.bind` and the others stand for (cel.md, What a macro stands for)."""

from collections.abc import Callable
from typing import Final, TypeAlias

from dractl.cel.faults import Refusal
from dractl.cel.tree import (
    ACCUMULATOR,
    Bind,
    Call,
    Conditional,
    Fold,
    ListNode,
    Literal,
    Logic,
    MapNode,
    Name,
    Node,
    Position,
    Select,
)

Arguments: TypeAlias = tuple[Node, ...]
Expansion: TypeAlias = Callable[[Position, Node, Arguments], Node]

_SORT_INPUT: Final = "@sortInput"


def expand(position: Position, target: Node | None, function: str, arguments: Arguments) -> Node | None:
    """What a call stands for if it is a macro, else None; raises Refusal if it is one and written wrongly."""
    if target is None:
        return _has(position, arguments[0]) if function == "has" and len(arguments) == 1 else None
    if function == "bind" and len(arguments) == 3 and isinstance(target, Name) and target.name == "cel":
        return _bind(position, arguments)
    expansion = _MACROS.get((function, len(arguments)))
    return expansion(position, target, arguments) if expansion else None


def _has(position: Position, argument: Node) -> Node:
    if not isinstance(argument, Select) or argument.is_optional or argument.is_test:
        raise Refusal("has() wants a field: has(a.b)", argument.position)
    return Select(position, argument.operand, argument.field, is_test=True)


def _bind(position: Position, arguments: Arguments) -> Node:
    variable, value, body = arguments
    if not isinstance(variable, Name):
        raise Refusal("cel.bind() wants a simple name for its variable", variable.position)
    return Bind(position, variable.name, value, body)


def _variable(argument: Node) -> str:
    if not isinstance(argument, Name):
        raise Refusal("a loop variable must be a simple name", argument.position)
    if argument.name in (ACCUMULATOR, "__result__"):
        raise Refusal(f"a loop variable cannot be called {argument.name}", argument.position)
    return argument.name


def _variables(arguments: Arguments) -> tuple[str, ...]:
    names = tuple(map(_variable, arguments))
    if len(names) == 2 and names[0] == names[1]:
        raise Refusal(f"both loop variables are called {names[0]}", arguments[1].position)
    return names


def _quantifier(shape: str, count: int) -> Expansion:
    """`all` and `exists` over one or two variables."""
    is_all = shape == "all"

    def expand_quantifier(position: Position, target: Node, arguments: Arguments) -> Node:
        result = Name(position, ACCUMULATOR)
        open_end: Node = result if is_all else Call(position, "!_", None, (result,))
        return Fold(
            position,
            shape,
            target,
            _variables(arguments[:count]),
            None,
            arguments[count],
            Literal(position, is_all),
            Call(position, "@not_strictly_false", None, (open_end,)),
            Logic(position, is_all, (result, arguments[count])),
            result,
        )

    return expand_quantifier


def _exactly_one(count: int) -> Expansion:
    def expand_one(position: Position, target: Node, arguments: Arguments) -> Node:
        result = Name(position, ACCUMULATOR)
        one = Literal(position, 1)
        counted = Call(position, "_+_", None, (result, one))
        return Fold(
            position,
            "one",
            target,
            _variables(arguments[:count]),
            None,
            arguments[count],
            Literal(position, 0),
            Literal(position, True),
            Conditional(position, arguments[count], counted, result),
            Call(position, "_==_", None, (result, one)),
        )

    return expand_one


def _list(count: int, *, has_test: bool) -> Expansion:
    """`map` and `transformList`: collect a value for every element, or for those that pass a test."""

    def expand_list(position: Position, target: Node, arguments: Arguments) -> Node:
        test = arguments[count] if has_test else None
        return _collection(position, "list", target, arguments[:count], test, arguments[-1])

    return expand_list


def _filter(position: Position, target: Node, arguments: Arguments) -> Node:
    variable, test = arguments
    return _collection(position, "filter", target, (variable,), test, variable)


def _map(shape: str, *, has_test: bool) -> Expansion:
    """`transformMap` and `transformMapEntry`."""

    def expand_map(position: Position, target: Node, arguments: Arguments) -> Node:
        test = arguments[2] if has_test else None
        return _collection(position, shape, target, arguments[:2], test, arguments[-1])

    return expand_map


def _collection(
    position: Position, shape: str, target: Node, variables: Arguments, test: Node | None, body: Node
) -> Node:
    names = _variables(variables)
    result = Name(position, ACCUMULATOR)
    if shape in ("list", "filter"):
        initial: Node = ListNode(position, ())
        step: Node = Call(position, "_+_", None, (result, ListNode(position, (body,))))
    else:
        initial = MapNode(position, ())
        inserted = (result, Name(position, names[0]), body) if shape == "map" else (result, body)
        step = Call(position, "cel.@mapInsert", None, inserted)
    if test is not None:
        step = Conditional(position, test, step, result)
    return Fold(position, shape, target, names, test, body, initial, Literal(position, True), step, result)


def _optional_map(*, is_flat: bool) -> Expansion:
    def expand_optional_map(position: Position, target: Node, arguments: Arguments) -> Node:
        value = Call(position, "value", target, ())
        mapped: Node = Bind(position, _variable(arguments[0]), value, arguments[1])
        if not is_flat:
            mapped = Call(position, "optional.of", None, (mapped,))
        nothing = Call(position, "optional.none", None, ())
        return Conditional(position, Call(position, "hasValue", target, ()), mapped, nothing)

    return expand_optional_map


def _sort_by(position: Position, target: Node, arguments: Arguments) -> Node:
    values = Name(position, _SORT_INPUT)
    keys = _collection(position, "list", values, arguments[:1], None, arguments[1])
    return Bind(position, _SORT_INPUT, target, Call(position, "@sortByAssociatedKeys", values, (keys,)))


_MACROS: Final[dict[tuple[str, int], Expansion]] = {
    ("all", 2): _quantifier("all", 1),
    ("all", 3): _quantifier("all", 2),
    ("exists", 2): _quantifier("exists", 1),
    ("exists", 3): _quantifier("exists", 2),
    ("exists_one", 2): _exactly_one(1),
    ("exists_one", 3): _exactly_one(2),
    ("existsOne", 3): _exactly_one(2),
    ("map", 2): _list(1, has_test=False),
    ("map", 3): _list(1, has_test=True),
    ("transformList", 3): _list(2, has_test=False),
    ("transformList", 4): _list(2, has_test=True),
    ("filter", 2): _filter,
    ("transformMap", 3): _map("map", has_test=False),
    ("transformMap", 4): _map("map", has_test=True),
    ("transformMapEntry", 3): _map("entries", has_test=False),
    ("transformMapEntry", 4): _map("entries", has_test=True),
    ("optMap", 2): _optional_map(is_flat=False),
    ("optFlatMap", 2): _optional_map(is_flat=True),
    ("sortBy", 2): _sort_by,
}
