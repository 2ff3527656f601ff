"""The text of an expression to its syntax tree, with macros expanded (cel.md, How)."""

from collections.abc import Callable
from typing import Any, Final

from dractl.cel import advice
from dractl.cel.faults import Refusal
from dractl.cel.literals import number, text
from dractl.cel.macros import expand
from dractl.cel.tree import (
    Call,
    Conditional,
    Entry,
    Field,
    Index,
    ListNode,
    Literal,
    Logic,
    MapNode,
    Message,
    Name,
    Node,
    Position,
    Select,
    qualified_name,
)

MAX_CODE_POINTS: Final = 100_000
_MAX_NESTING: Final = 250
"""How often a rule of Kubernetes' grammar may occur inside itself."""
_MAX_DEPTH: Final = 250
"""How deep operators, selections and methods may be nested."""

_KEYWORDS: Final = frozenset({"in", "true", "false", "null"})
_RESERVED: Final = frozenset(
    [
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package"),
        *("namespace", "return", "var", "void", "while"),
    ]
)
_CONSTANTS: Final = {"true": True, "false": False, "null": None}

_BINARY: Final = {
    "relation_lt": "_<_",
    "relation_le": "_<=_",
    "relation_gt": "_>_",
    "relation_ge": "_>=_",
    "relation_eq": "_==_",
    "relation_ne": "_!=_",
    "relation_in": "@in",
    "addition_add": "_+_",
    "addition_sub": "_-_",
    "multiplication_mul": "_*_",
    "multiplication_div": "_/_",
    "multiplication_mod": "_%_",
}


_COUNTED: Final = frozenset(
    [
        *("expr", "relation", "addition", "multiplication"),
        *("member_dot", "member_opt_dot", "member_dot_arg", "member_index", "member_opt_index"),
    ]
)
"""Rules that make the tree deeper in the sense of `_MAX_DEPTH`."""


def parse(expression: str) -> Node:
    """The syntax tree; raises Refusal for whatever Kubernetes' parser refuses."""
    if len(expression) > MAX_CODE_POINTS:
        raise Refusal(f"the expression has {len(expression)} characters, more than {MAX_CODE_POINTS}")
    return _Builder().expression(_parsed(expression))


def _parsed(expression: str) -> Any:
    """The parser's own tree, or token."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput

    from dractl.cel.grammar import parser

    try:
        return parser().parse(expression)
    except UnexpectedCharacters as unexpected:
        message = f"syntax error: {unexpected.char!r} cannot stand here"
        remedy = advice.for_token(unexpected.char)
        raise Refusal(message, (unexpected.line, unexpected.column), remedy) from None
    except UnexpectedInput as unexpected:
        token = getattr(unexpected, "token", "")
        if not str(token):
            raise Refusal("syntax error: the expression ends too early", _end(expression)) from None
        message = f"syntax error: {str(token)!r} cannot stand here"
        raise Refusal(message, (unexpected.line, unexpected.column), advice.for_token(str(token))) from None


def _end(expression: str) -> Position:
    lines = expression.split("\n")
    return len(lines), len(lines[-1]) + 1


def _is_token(tree: Any) -> bool:
    return isinstance(tree, str)


def _position(tree: Any) -> Position:
    where = tree if _is_token(tree) else tree.meta
    return getattr(where, "line", None) or 1, getattr(where, "column", None) or 1


class _Builder:
    """Turns the parser's tree into ours.

    Three counters say how deep the parser's rules are nested: whole expressions, and right-hand sides of comparisons
    and of arithmetic, where these rules call themselves. A fourth counts the levels of our tree that Kubernetes counts.
    """

    def __init__(self) -> None:
        self._nested = 0
        self._right_sides = {"relation": 0, "arithmetic": 0}
        self._depth = 0
        self._rules: Final[dict[str, Callable[[Any], Node]]] = {
            "expr": self._conditional,
            "conditionalor": self._logic,
            "conditionaland": self._logic,
            "relation": self._binary,
            "addition": self._binary,
            "multiplication": self._binary,
            "unary": self._unary,
            "member_dot": self._select,
            "member_opt_dot": self._select,
            "member_dot_arg": self._method,
            "member_index": self._index,
            "member_opt_index": self._index,
            "member_object": self._message,
            "ident": self._name,
            "dot_ident": self._name,
            "ident_arg": self._function,
            "dot_ident_arg": self._function,
            "list_lit": self._list,
            "map_lit": self._map,
        }

    def expression(self, tree: Any) -> Node:
        """A whole expression: the outermost, one in brackets, an argument, an element."""
        self._nested += 1
        self._require_nesting(tree)
        built = self._build(tree)
        self._nested -= 1
        return built

    def _require_nesting(self, tree: Any) -> None:
        if self._nested + max(self._right_sides.values()) > _MAX_NESTING:
            raise Refusal(f"expressions are nested more than {_MAX_NESTING} deep", _position(tree))

    def _build(self, tree: Any) -> Node:
        brackets = 0
        while not _is_token(tree) and tree.data == "paren_expr":
            brackets += 1
            tree = tree.children[0]
        if _is_token(tree):
            self._nested += brackets
            self._require_nesting(tree)
            self._nested -= brackets
            return self._literal(tree, is_negative=False)
        level = tree.data in _COUNTED
        self._nested += brackets
        self._depth += level
        self._require_nesting(tree)
        if self._depth > _MAX_DEPTH:
            raise Refusal(f"operators are nested more than {_MAX_DEPTH} deep", _position(tree))
        built = self._rules[tree.data](tree)
        self._nested -= brackets
        self._depth -= level
        return built

    def _expressions(self, trees: Any) -> tuple[Node, ...]:
        return tuple([self.expression(tree) for tree in trees])

    def _literal(self, token: Any, *, is_negative: bool) -> Node:
        position = _position(token)
        kind = token.type
        if kind in ("INT_LIT", "UINT_LIT", "FLOAT_LIT"):
            return Literal(position, number(str(token), kind, position, is_negative=is_negative))
        if kind == "NULL_LIT":
            return Literal(position, None)
        if kind == "BOOL_LIT":
            return Literal(position, _CONSTANTS[str(token)])
        return Literal(position, text(str(token), position))

    def _conditional(self, tree: Any) -> Node:
        condition, accepted, rejected = tree.children
        return Conditional(_position(tree), self._build(condition), self._build(accepted), self.expression(rejected))

    def _logic(self, tree: Any) -> Node:
        is_and = tree.data == "conditionaland"
        operands: list[Node] = []
        for child in tree.children:
            built = self._build(child)
            if isinstance(built, Logic) and built.is_and is is_and:
                operands.extend(built.operands)
            else:
                operands.append(built)
        return Logic(_position(tree), is_and, tuple(operands))

    def _binary(self, tree: Any) -> Node:
        applied, right_side = tree.children
        rule = "relation" if tree.data == "relation" else "arithmetic"
        left = self._build(applied.children[0])
        self._right_sides[rule] += 1
        right = self._build(right_side)
        self._right_sides[rule] -= 1
        return Call(_position(tree), _BINARY[applied.data], None, (left, right))

    def _unary(self, tree: Any) -> Node:
        sign = tree.children[0].data
        operand, count = tree, 0
        while not _is_token(operand) and operand.data == "unary":
            if operand.children[0].data != sign:
                raise Refusal("syntax error: - and ! cannot follow each other", _position(operand))
            count += 1
            operand = operand.children[1]
        if sign == "unary_neg" and count == 1:
            return self._negative(tree, operand)
        built = self._build(operand)
        if count % 2 == 0:
            return built
        return Call(_position(tree), "-_" if sign == "unary_neg" else "!_", None, (built,))

    def _negative(self, tree: Any, operand: Any) -> Node:
        """`-1` and `-1.size()`: the sign belongs to a number that follows it at once."""
        first = operand
        while not _is_token(first) and str(first.data).startswith("member"):
            first = first.children[0]
        if not _is_token(first) or first.type not in ("INT_LIT", "FLOAT_LIT"):
            return Call(_position(tree), "-_", None, (self._build(operand),))
        if first is operand:
            return self._literal(first, is_negative=True)
        return _Signed(self, first).build(operand)

    def _select(self, tree: Any) -> Node:
        operand, field = tree.children
        is_optional = tree.data == "member_opt_dot"
        return Select(_position(field), self._build(operand), _field_name(field), is_optional)

    def _index(self, tree: Any) -> Node:
        operand, key = tree.children
        is_optional = tree.data == "member_opt_index"
        return Index(_position(key), self._build(operand), self.expression(key), is_optional)

    def _method(self, tree: Any) -> Node:
        operand, name, *rest = tree.children
        target = self._build(operand)
        if name == "in":
            raise Refusal("syntax error: 'in' cannot stand here", _position(name))
        _field_name(name)
        arguments = self._expressions(rest[0].children) if rest else ()
        position = _position(name)
        return expand(position, target, str(name), arguments) or Call(position, str(name), target, arguments)

    def _function(self, tree: Any) -> Node:
        name, *rest = tree.children
        position = _position(name)
        if name in _KEYWORDS or name in _RESERVED:
            raise Refusal(f"{str(name)!r} is reserved and cannot be a function", position)
        arguments = self._expressions(rest[0].children) if rest else ()
        is_plain = tree.data == "ident_arg"
        expanded = expand(position, None, str(name), arguments) if is_plain else None
        return expanded or Call(position, str(name), None, arguments)

    def _name(self, tree: Any) -> Node:
        (token,) = tree.children
        name, position = str(token), _position(token)
        is_absolute = tree.data == "dot_ident"
        if name in _CONSTANTS and not is_absolute:
            return Literal(position, _CONSTANTS[name])
        if name in _KEYWORDS or name in _RESERVED:
            raise Refusal(f"{name!r} is reserved and cannot be a variable", position)
        return Name(position, name, is_absolute)

    def _list(self, tree: Any) -> Node:
        optional = frozenset(number for number, child in enumerate(tree.children) if _is_optional(child))
        inner = [child.children[0] if number in optional else child for number, child in enumerate(tree.children)]
        return ListNode(_position(tree), self._expressions(inner), optional)

    def _map(self, tree: Any) -> Node:
        entries = [
            Entry(self.expression(entry.children[0]), self.expression(entry.children[1]), entry.data == "opt_entry")
            for entry in tree.children
        ]
        return MapNode(_position(tree), tuple(entries))

    def _message(self, tree: Any) -> Node:
        operand, *rest = tree.children
        name = qualified_name(self._build(operand))
        if name is None:
            raise Refusal("syntax error: a type name must stand before '{'", _position(tree))
        fields: list[Field] = []
        for field in rest[0].children if rest else ():
            token, value = field.children
            if str(token) in _RESERVED:
                raise Refusal(f"{str(token)!r} is reserved and cannot be a field", _position(token))
            fields.append(Field(_field_name(token), self.expression(value), field.data == "opt_field"))
        return Message(_position(tree), name, tuple(fields))


class _Signed(_Builder):
    """Builds a chain whose first token is a number with a minus in front."""

    def __init__(self, outer: _Builder, first: Any) -> None:
        super().__init__()
        self._nested, self._depth, self._right_sides = outer._nested, outer._depth, outer._right_sides
        self._first: Final = first

    def build(self, tree: Any) -> Node:
        return self._build(tree)

    def _literal(self, token: Any, *, is_negative: bool) -> Node:
        return super()._literal(token, is_negative=is_negative or token is self._first)


def _is_optional(child: Any) -> bool:
    return not _is_token(child) and child.data == "opt_element"


def _field_name(token: Any) -> str:
    if token.type == "ESC_IDENT":
        return str(token)[1:-1]
    if token in _KEYWORDS:
        raise Refusal(f"syntax error: {str(token)!r} cannot stand here", _position(token))
    return str(token)
