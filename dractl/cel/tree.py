"""The syntax tree of an expression after macro expansion: what is checked, priced and compiled.

Nodes are compared by identity, so that the checker can keep what it found out about each of them in a table.
"""

from typing import Final, TypeAlias

from msgspec import Struct

from dractl.cel.values import Value

Position: TypeAlias = tuple[int, int]
"""Line and column in the expression, both from 1."""


class Node(Struct, frozen=True, eq=False):
    """Any part of an expression."""

    position: Position


class Literal(Node, frozen=True, eq=False):
    """A number, string, bytes, bool or null."""

    value: Value


class Name(Node, frozen=True, eq=False):
    """A variable or type; with a leading dot (`is_absolute`) loop variables are passed over."""

    name: str
    is_absolute: bool = False


class Select(Node, frozen=True, eq=False):
    """`operand.field`, with `is_optional` `operand.?field`, with `is_test` `has(operand.field)`."""

    operand: Node
    field: str
    is_optional: bool = False
    is_test: bool = False


class Index(Node, frozen=True, eq=False):
    """`operand[key]`, with `is_optional` `operand[?key]`."""

    operand: Node
    key: Node
    is_optional: bool = False


class Call(Node, frozen=True, eq=False):
    """A function or operator (`_+_`, `!_`, `@in`), called on `target` or alone."""

    function: str
    target: Node | None
    arguments: tuple[Node, ...]


class Logic(Node, frozen=True, eq=False):
    """`&&` or `||` of two or more operands."""

    is_and: bool
    operands: tuple[Node, ...]


class Conditional(Node, frozen=True, eq=False):
    """`condition ? accepted : rejected`"""

    condition: Node
    accepted: Node
    rejected: Node


class ListNode(Node, frozen=True, eq=False):
    """A list literal; `optional` holds the indexes of elements written `?x`."""

    elements: tuple[Node, ...]
    optional: frozenset[int] = frozenset()


class Entry(Struct, frozen=True, eq=False):
    """One entry of a map literal."""

    key: Node
    value: Node
    is_optional: bool


class MapNode(Node, frozen=True, eq=False):
    """A map literal."""

    entries: tuple[Entry, ...]


class Field(Struct, frozen=True, eq=False):
    """One field of a message literal."""

    name: str
    value: Node
    is_optional: bool


class Message(Node, frozen=True, eq=False):
    """A message literal `T{field: value}`."""

    type_name: str
    fields: tuple[Field, ...]


class Fold(Node, frozen=True, eq=False):
    """A loop over a list or map that carries an accumulator (cel.md, What a macro stands for).

    One variable stands for elements or keys, two stand for index and element, or key and value. `shape` says what the
    loop collects: `all`, `exists`, `one`, `list`, `filter`, `map` or `entries`; `test` and `body` are the parts that
    the user wrote. Inside the fold the accumulator is the variable `ACCUMULATOR`.
    """

    shape: str
    range: Node
    variables: tuple[str, ...]
    test: Node | None
    body: Node
    initial: Node
    condition: Node
    step: Node
    result: Node


ACCUMULATOR: Final = "@result"


class Bind(Node, frozen=True, eq=False):
    """`cel.bind(name, value, body)`; the value is evaluated when it is first read."""

    name: str
    value: Node
    body: Node


def children(node: Node) -> tuple[Node, ...]:
    """The parts of a node, in the order in which they are evaluated."""
    match node:
        case Select():
            return (node.operand,)
        case Index():
            return (node.operand, node.key)
        case Call():
            return node.arguments if node.target is None else (node.target, *node.arguments)
        case Logic():
            return node.operands
        case Conditional():
            return (node.condition, node.accepted, node.rejected)
        case ListNode():
            return node.elements
        case MapNode():
            return tuple(part for entry in node.entries for part in (entry.key, entry.value))
        case Message():
            return tuple(field.value for field in node.fields)
        case Fold():
            return (node.range, node.initial, node.condition, node.step, node.result)
        case Bind():
            return (node.value, node.body)
    return ()


def qualified_name(node: Node) -> str | None:
    """The dotted name that a node may stand for: `a.b.c` is read as a name before it is read as two selections."""
    fields: list[str] = []
    while isinstance(node, Select) and not node.is_optional and not node.is_test:
        fields.append(node.field)
        node = node.operand
    if not isinstance(node, Name):
        return None
    return ".".join((node.name, *reversed(fields)))
