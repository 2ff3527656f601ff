"""What must hold for an expression to be true: the conditions that its outermost `&&` joins, if they are simple."""

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec import Struct

from dractl.api.version import Version
from dractl.cel.faults import Refusal
from dractl.cel.library.quantity import parse_amount
from dractl.cel.nesting import MAX_EXPANDED_DEPTH, room_to_recurse
from dractl.cel.parse import parse
from dractl.cel.tree import Call, Index, ListNode, Literal, Logic, Name, Node, Select
from dractl.cel.values import Value

_CACHE_SIZE: Final = 4096


class Relation(StrEnum):
    """How a condition compares; `IN` is membership in a list."""

    EQUAL = "=="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="
    IN = "in"


Known: TypeAlias = tuple[str, Value]
"""A constant with its kind; values of two kinds are never equal and have no order."""


class Condition(Struct, frozen=True):
    """`subject` compared with constants, all of one kind of notation; a bare condition is one that equals true.

    Two subjects with the same text have the same value on the same device. `text` is the condition as one reads it.
    """

    subject: str
    relation: Relation
    constants: tuple[Known, ...]
    text: str

    def excludes(self, other: "Condition") -> bool:
        """Whether the two can never both be true; only if that is certain."""
        if self.subject != other.subject:
            return False
        for one, rest in ((self, other), (other, self)):
            if one.relation in (Relation.EQUAL, Relation.IN):
                return not any(rest._allows(known) for known in one.constants)
        return _ends_before(self, other) or _ends_before(other, self)

    def _allows(self, known: Known) -> bool:
        return any(_HOLDS[self.relation](known, constant) for constant in self.constants)


def _is_ordered(holds: Callable[[Value, Value], bool]) -> Callable[[Known, Known], bool]:
    """A comparison that ends with an error, and so not with true, where the kinds differ."""
    return lambda known, constant: known[0] == constant[0] and holds(known[1], constant[1])


_HOLDS: Final[dict[Relation, Callable[[Known, Known], bool]]] = {
    Relation.EQUAL: lambda known, constant: known == constant,
    Relation.IN: lambda known, constant: known == constant,
    Relation.UNEQUAL: lambda known, constant: known != constant,
    Relation.LESS: _is_ordered(lambda value, limit: value < limit),
    Relation.AT_MOST: _is_ordered(lambda value, limit: value <= limit),
    Relation.GREATER: _is_ordered(lambda value, limit: value > limit),
    Relation.AT_LEAST: _is_ordered(lambda value, limit: value >= limit),
}
_UPPER: Final = (Relation.LESS, Relation.AT_MOST)
_LOWER: Final = (Relation.GREATER, Relation.AT_LEAST)


def _ends_before(upper: Condition, lower: Condition) -> bool:
    """Whether everything that the first allows lies below what the second allows."""
    if upper.relation not in _UPPER or lower.relation not in _LOWER:
        return False
    ((kind, end),), ((other_kind, start),) = upper.constants, lower.constants
    if kind != other_kind:
        return True
    is_open = upper.relation is Relation.LESS or lower.relation is Relation.GREATER
    return bool(end < start or (end == start and is_open))


def equal_to(subject: str, value: Value) -> Condition:
    """The condition that something has a value."""
    return Condition(subject, Relation.EQUAL, (_constant_of(value),), f"{subject} == {_quoted(value)}")


@lru_cache(maxsize=_CACHE_SIZE)
def conditions(expression: str) -> tuple[Condition, ...]:
    """The conditions that can be told, in the order of the text; none of an expression that cannot be parsed."""
    try:
        with room_to_recurse(MAX_EXPANDED_DEPTH):
            root = parse(expression)
            operands = root.operands if isinstance(root, Logic) and root.is_and else (root,)
            return tuple(found for operand in operands if (found := _condition(operand)) is not None)
    except Refusal:
        return ()


def _condition(node: Node) -> Condition | None:
    match node:
        case Call(function="!_", arguments=(operand,)):
            subject = _text(operand)
            return Condition(subject, Relation.EQUAL, (_constant_of(False),), f"!{subject}") if subject else None
        case Call(target=None, arguments=(left, right)) if node.function in _OPERATORS:
            return _comparison(left, _OPERATORS[node.function], right) or _bare(node)
        case Call(function="isGreaterThan" | "isLessThan", target=Node() as target, arguments=(limit,)):
            relation = Relation.GREATER if node.function == "isGreaterThan" else Relation.LESS
            return _limited(target, relation, limit, _text(node)) or _bare(node)
    return _bare(node)


def _bare(node: Node) -> Condition | None:
    text = "" if isinstance(node, Literal) else _text(node)
    return Condition(text, Relation.EQUAL, (_constant_of(True),), text) if text else None


_OPERATORS: Final = {
    "_==_": Relation.EQUAL,
    "_!=_": Relation.UNEQUAL,
    "_<_": Relation.LESS,
    "_<=_": Relation.AT_MOST,
    "_>_": Relation.GREATER,
    "_>=_": Relation.AT_LEAST,
    "@in": Relation.IN,
}
_TURNED: Final = {
    Relation.EQUAL: Relation.EQUAL,
    Relation.UNEQUAL: Relation.UNEQUAL,
    Relation.LESS: Relation.GREATER,
    Relation.AT_MOST: Relation.AT_LEAST,
    Relation.GREATER: Relation.LESS,
    Relation.AT_LEAST: Relation.AT_MOST,
}


def _comparison(left: Node, relation: Relation, right: Node) -> Condition | None:
    if isinstance(left, Literal) and relation in _TURNED:
        left, relation, right = right, _TURNED[relation], left
    match left:
        case Call(function="compareTo", target=Node() as target, arguments=(limit,)) if relation is not Relation.IN:
            is_with_zero = isinstance(right, Literal) and right.value == 0
            return _limited(target, relation, limit, f"{_text(left)} {relation} 0") if is_with_zero else None
    elements = right.elements if isinstance(right, ListNode) and relation is Relation.IN else (right,)
    constants = tuple(_constant_of(each.value) for each in elements if isinstance(each, Literal))
    subject, compared = _text(left), _text(right)
    if not subject or not compared or isinstance(left, Literal) or len(constants) < len(elements):
        return None
    if relation is Relation.IN and not isinstance(right, ListNode):
        return None
    return Condition(subject, relation, constants, f"{subject} {relation} {compared}")


def _limited(target: Node, relation: Relation, limit: Node, text: str) -> Condition | None:
    """A quantity or version compared with a constant one, under a subject of its own: `==` is another comparison."""
    match limit:
        case Call(function="quantity" | "semver", target=None, arguments=(Literal(value=str() as written),)):
            constant = _limit(limit.function, written)
            subject = _text(target)
            if subject and constant is not None:
                return Condition(f"{limit.function} {subject}", relation, (constant,), text)
    return None


def _limit(function: str, written: str) -> Known | None:
    try:
        if function == "semver":
            return function, Version.parse(written)
        amount = parse_amount(written)
    except ValueError:
        return None
    return function, amount.nano


def _constant_of(value: Value) -> Known:
    """Numbers are equal across their types, everything else is not."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return ("number" if is_number else type(value).__name__), value


def _text(node: Node) -> str:
    """A canonical text, nothing for what is not only names, fields, calls and constants."""
    match node:
        case Literal(value=bool() | None):
            return {True: "true", False: "false", None: "null"}[node.value]
        case Literal(value=str() | int() | float()):
            return _quoted(node.value)
        case Name():
            return node.name
        case Select(is_test=True):
            return _around("has(", _text(node.operand), f".{node.field})")
        case Select():
            return _around("", _text(node.operand), f".{'?' if node.is_optional else ''}{node.field}")
        case Index(key=Literal(value=str() as field), is_optional=False) if field.isidentifier():
            return _around("", _text(node.operand), f".{field}")
        case Index():
            key = _text(node.key)
            return _around("", _text(node.operand), f"[{'?' if node.is_optional else ''}{key}]") if key else ""
        case ListNode(optional=optional) if not optional:
            return _joined("[", node.elements, "]")
        case Call(target=None) if node.function in _OPERATORS:
            left, right = (_text(each) for each in node.arguments)
            return f"{left} {_OPERATORS[node.function]} {right}" if left and right else ""
        case Call() if node.function.isidentifier():
            receiver = "" if node.target is None else _around("", _text(node.target), ".")
            return _joined(f"{receiver}{node.function}(", node.arguments, ")") if receiver or not node.target else ""
    return ""


def _around(before: str, text: str, behind: str) -> str:
    return f"{before}{text}{behind}" if text else ""


def _joined(before: str, nodes: tuple[Node, ...], behind: str) -> str:
    texts = [_text(node) for node in nodes]
    return f"{before}{', '.join(texts)}{behind}" if all(texts) else ""


def _quoted(value: Value) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
