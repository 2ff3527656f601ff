"""The way of an expression: text, tree, types, closures.

The caller sees to it that there is room for deep recursion (`nesting.room_to_recurse`).
"""

from dractl.cel.check import Checked, check
from dractl.cel.compile import compile_code
from dractl.cel.environments import environment
from dractl.cel.faults import Refusal
from dractl.cel.gates import CelGates
from dractl.cel.literal_checks import check_literals
from dractl.cel.nesting import MAX_EXPANDED_DEPTH
from dractl.cel.parse import parse
from dractl.cel.program import Program
from dractl.cel.tree import Node, children


def checked(expression: str, gates: CelGates | None) -> Checked:
    """Parse an expression and check its types and literals; raises Refusal."""
    tree = parse(expression)
    _require_shallow(tree)
    found = check(tree, environment(gates))
    check_literals(found)
    return found


def compiled(found: Checked) -> Program:
    """Compile a checked expression; raises Refusal where a conversion of a literal fails (cel.md, Types)."""
    code, slots = compile_code(found)
    return Program(code, slots, _require_shallow(found.root))


def _require_shallow(root: Node) -> int:
    """How deep the tree is nested; raises Refusal if that is too deep."""
    depth = 0
    level: list[Node] = [root]
    while level:
        depth += 1
        if depth > MAX_EXPANDED_DEPTH:
            raise Refusal(f"the expression is nested more than {MAX_EXPANDED_DEPTH} deep")
        level = list({id(child): child for node in level for child in children(node)}.values())
    return depth
