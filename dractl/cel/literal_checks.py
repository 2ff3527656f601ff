"""Literals that are looked at when an expression is compiled (cel.md, Types).

List and map literals must be homogeneous; literal patterns, durations, timestamps and `format` strings must be sound.
"""

from collections.abc import Iterable, Mapping

from dractl.cel.check import Checked, ResolvedCall
from dractl.cel.faults import Refusal
from dractl.cel.tree import ListNode, MapNode, Node, children
from dractl.cel.types import Type


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
    """TODO"""
