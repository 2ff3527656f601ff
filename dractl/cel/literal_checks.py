"""Literals that are looked at when an expression is compiled (cel.md, Types).

List and map literals must be homogeneous; literal patterns, durations, timestamps and `format` strings must be sound.
"""

from collections.abc import Iterable, Mapping

from dractl.cel.calls import dispatcher
from dractl.cel.check import Checked, ResolvedCall
from dractl.cel.faults import Refusal
from dractl.cel.library.formatting import Clause, WrongFormat, parts_of, takes
from dractl.cel.library.regex import compiled_pattern
from dractl.cel.tree import ListNode, Literal, MapNode, Node, children
from dractl.cel.types import Type
from dractl.cel.values import Fault, Value


def check_literals(checked: Checked) -> None:
    """Raises Refusal for the first literal that Kubernetes refuses."""
    _check_below(checked, checked.root, is_exempt=False)


def _check_below(checked: Checked, node: Node, *, is_exempt: bool) -> None:
    call = checked.calls.get(node)
    if call is not None:
        _check_call(checked, call)
        # The values of a format string may be of any types, however deep they are nested.
        is_exempt = is_exempt or call.function == "format"
    elif not is_exempt:
        _check_homogeneous(checked, node)
    for child in children(node):
        _check_below(checked, child, is_exempt=is_exempt)


def _check_homogeneous(checked: Checked, node: Node) -> None:
    if isinstance(node, ListNode):
        _require_one_type(checked.types, node.elements, node.optional)
    elif isinstance(node, MapNode):
        optional = frozenset(number for number, entry in enumerate(node.entries) if entry.is_optional)
        _require_one_type(checked.types, [entry.key for entry in node.entries], frozenset())
        _require_one_type(checked.types, [entry.value for entry in node.entries], optional)


def _require_one_type(types: Mapping[Node, Type], parts: Iterable[Node], optional: frozenset[int]) -> None:
    first: Type | None = None
    for number, part in enumerate(parts):
        found = types[part]
        if number in optional and found.is_optional:
            found = found.parameters[0]
        first = first or found
        if found != first:
            raise Refusal(f"expected type {first}, like the first one here, not {found}", part.position)


def _check_call(checked: Checked, call: ResolvedCall) -> None:
    first = call.operands[0] if call.operands else None
    if call.function in ("duration", "timestamp") and isinstance(first, Literal):
        _require_value(dispatcher(call.overloads)(first.value), first)
    elif call.function == "matches":
        # Of the global function the text is looked at, because it is the first argument.
        looked_at = call.operands[1 if call.overloads[0].is_method else 0]
        if isinstance(looked_at, Literal) and isinstance(looked_at.value, str):
            _require_value(compiled_pattern(looked_at.value), looked_at)
    elif call.function == "format" and call.overloads[0].is_method:
        _check_format(checked, call)


def _require_value(value: Value, node: Node) -> None:
    if isinstance(value, Fault):
        raise Refusal(value.message, node.position)


def _check_format(checked: Checked, call: ResolvedCall) -> None:
    """A literal pattern with a literal list must have clauses for exactly these values."""
    pattern, values = call.operands
    if not isinstance(pattern, Literal) or not isinstance(values, ListNode) or not isinstance(pattern.value, str):
        return
    try:
        clauses = [part for part in parts_of(pattern.value) if isinstance(part, Clause)]
    except WrongFormat as wrong:
        raise Refusal(str(wrong), pattern.position) from None
    if len(clauses) != len(values.elements):
        wanted = f"{len(clauses)} values are wanted, not {len(values.elements)}"
        raise Refusal(f"the pattern does not fit its list: {wanted}", values.position)
    for clause, value in zip(clauses, values.elements, strict=True):
        _require_printable(checked, clause.verb, value)


def _require_printable(checked: Checked, verb: str, value: Node) -> None:
    """Literals inside literals are looked at as well, but for keys of maps."""
    found = checked.types[value]
    if not takes(verb, found):
        raise Refusal(f"%{verb} cannot print a value of type {found}", value.position)
    if isinstance(value, ListNode):
        inner: tuple[Node, ...] = value.elements
    else:
        inner = tuple(entry.value for entry in value.entries) if isinstance(value, MapNode) else ()
    for part in inner:
        _require_printable(checked, verb, part)
