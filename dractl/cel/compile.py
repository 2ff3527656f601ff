"""A checked expression to closures (cel.md, How). Each closure evaluates its node and pays for it."""

from typing import Final

from msgspec import Struct

from dractl.cel.calls import (
    ORDERINGS,
    call_code,
    constant_membership,
    dispatcher,
    equality_with,
    known_result,
    ordering_with,
    stops_early,
)
from dractl.cel.check import Checked, ResolvedCall
from dractl.cel.cost import Price, price_of
from dractl.cel.declarations import CONVERSIONS
from dractl.cel.device import DeviceView
from dractl.cel.faults import EvaluationEnded, Refusal
from dractl.cel.folds import Loop, fold_code
from dractl.cel.frame import Code, Frame
from dractl.cel.library.regex import PATTERN_FUNCTIONS, compiled_pattern
from dractl.cel.links import KEY_KINDS, Link, branch_test_code, chain_code, test_code
from dractl.cel.stopping import alternative_code, list_code, logic_code, map_code
from dractl.cel.tree import (
    Bind,
    Call,
    Conditional,
    Fold,
    Index,
    ListNode,
    Literal,
    Logic,
    MapNode,
    Name,
    Node,
    Select,
)
from dractl.cel.types import Kind
from dractl.cel.values import MISSING, NO_OVERLOAD, Fault, MapValue, TypeValue, Value, require_hash


def compile_code(checked: Checked) -> tuple[Code, int]:
    """The code, and how many slots for variables it needs; raises Refusal where a conversion of a literal fails."""
    compiler = _Compiler(checked)
    code = compiler.piece(checked.root).code
    return code, compiler.slots


class _Piece(Struct, frozen=True):
    """A compiled node. `rootless` leaves out the 1 for the root of a chain, as `?:` and computed keys do."""

    code: Code
    rootless: Code
    constant: Value = MISSING


def _constant(value: Value) -> _Piece:
    def code(_: Frame) -> Value:
        return value

    return _Piece(code, code, value)


def _plain(code: Code) -> _Piece:
    return _Piece(code, code)


_UNREAD: Final = object()
"""Stands in the slot of a bound variable until it is read."""


class _Compiler:
    def __init__(self, checked: Checked) -> None:
        self._checked: Final = checked
        self._scopes: list[tuple[str, Code]] = []
        self.slots = 0

    def piece(self, node: Node) -> _Piece:
        """Compile a node and everything below it."""
        match node:
            case Literal():
                return _constant(node.value)
            case Name() | Index():
                return self._chain(node)
            case Select():
                return self._test(node) if node.is_test else self._chain(node)
            case Call():
                return self._call(node)
            case Logic():
                return _plain(logic_code([self.piece(operand).code for operand in node.operands], is_and=node.is_and))
            case Conditional():
                return self._conditional(node)
            case ListNode():
                return self._list(node)
            case MapNode():
                return self._map(node)
            case Fold():
                return self._fold(node)
            case Bind():
                return self._bind(node)
        raise AssertionError(f"a node that the checker lets pass: {node}")

    def _new_slot(self) -> int:
        self.slots += 1
        return self.slots - 1

    def _chain(self, node: Node) -> _Piece:
        described = self._checked.type_values.get(node)
        if described is not None:
            return _constant(TypeValue(described.name))
        links: list[Link] = []
        root = node
        while isinstance(root, (Select, Index)) and root not in self._checked.type_values:
            if isinstance(root, Select) and root.is_test:
                break
            links.append(self._link(root))
            root = root.operand
        links.reverse()
        code, price = self._root(root)
        is_device = isinstance(root, Name) and code is _device
        return _Piece(
            chain_code(code, price, links, device_root=is_device), chain_code(code, 0, links, device_root=is_device)
        )

    def _root(self, root: Node) -> tuple[Code, int]:
        """What a chain starts from, and what that costs as a root."""
        if isinstance(root, Name):
            return self._variable(root), 1
        return self.piece(root).code, 0 if isinstance(root, Conditional) else 1

    def _link(self, node: Select | Index) -> Link:
        if isinstance(node, Select):
            return Link(node.field, None, node.is_optional)
        key = self.piece(node.key)
        if key.constant is not MISSING:
            if key.constant.__class__ not in KEY_KINDS:
                raise Refusal("a constant key must be a string, a number or a bool", node.key.position)
            return Link(key.constant, None, node.is_optional)
        return Link(None, key.rootless, node.is_optional)

    def _variable(self, node: Name) -> Code:
        if not node.is_absolute:
            for name, code in reversed(self._scopes):
                if name == node.name:
                    return code
        return _device

    def _test(self, node: Select) -> _Piece:
        piece = self.piece(node.operand)
        root = node.operand
        while isinstance(root, (Select, Index)):
            root = root.operand
        on_conditional = isinstance(root, Conditional)
        return _Piece(
            test_code(piece.rootless, node.field, on_conditional=on_conditional),
            branch_test_code(piece.rootless, node.field),
        )

    def _conditional(self, node: Conditional) -> _Piece:
        condition = self.piece(node.condition).code
        accepted, rejected = self.piece(node.accepted).rootless, self.piece(node.rejected).rootless

        def code(frame: Frame) -> Value:
            decision = condition(frame)
            if decision is True:
                return accepted(frame)
            if decision is False:
                return rejected(frame)
            return decision if decision.__class__ is Fault else NO_OVERLOAD

        return _plain(code)

    def _list(self, node: ListNode) -> _Piece:
        pieces = [self.piece(element) for element in node.elements]
        constants = [piece.constant for piece in pieces]
        if MISSING not in constants and not node.optional:
            return _constant(tuple(constants))
        return _plain(list_code([piece.code for piece in pieces], node.optional))

    def _map(self, node: MapNode) -> _Piece:
        keys = [self.piece(entry.key) for entry in node.entries]
        values = [self.piece(entry.value) for entry in node.entries]
        optional = [entry.is_optional for entry in node.entries]
        is_constant = not any(optional) and all(piece.constant is not MISSING for piece in (*keys, *values))
        if is_constant:
            return _constant_map(
                node, [(key.constant, value.constant) for key, value in zip(keys, values, strict=True)]
            )
        parts = [(key.code, value.code, may_miss) for key, value, may_miss in zip(keys, values, optional, strict=True)]
        return _plain(map_code(parts))

    def _fold(self, node: Fold) -> _Piece:
        over = self.piece(node.range).code
        slots = tuple(self._new_slot() for _ in node.variables)
        self._scopes.extend((name, _slot_reader(slot)) for name, slot in zip(node.variables, slots, strict=True))
        test = None if node.test is None else self.piece(node.test).code
        body = self.piece(node.body)
        del self._scopes[-len(slots) :]
        loop = Loop(over, slots, test, body.code, body.constant is not MISSING)
        return _plain(fold_code(node.shape, loop))

    def _bind(self, node: Bind) -> _Piece:
        value = self.piece(node.value).code
        slot = self._new_slot()
        self._scopes.append((node.name, _lazy_reader(slot, value)))
        body = self.piece(node.body).code
        self._scopes.pop()

        def code(frame: Frame) -> Value:
            frame.slots[slot] = _UNREAD
            return body(frame)

        return _plain(code)

    def _call(self, node: Call) -> _Piece:
        call = self._checked.calls[node]
        special = self._special_call(call)
        if special is not None:
            return special
        pieces = [self.piece(operand) for operand in call.operands]
        if call.function in CONVERSIONS and pieces[0].constant is not MISSING:
            return _converted(node, call, pieces[0].constant)
        price = price_of(call.function, call.overloads)
        fast = _fast_call(call, pieces, price)
        if fast is not None:
            return _plain(fast)
        has_literal_pattern = call.function in PATTERN_FUNCTIONS and pieces[1].constant is not MISSING
        if has_literal_pattern:
            _require_pattern(node, pieces[1].constant)
        early = has_literal_pattern or stops_early(call.function, len(pieces), len(call.overloads))
        return _plain(call_code(call.function, [piece.code for piece in pieces], call.overloads, price, early=early))

    def _special_call(self, call: ResolvedCall) -> _Piece | None:
        """Calls that are no plain application of a function."""
        if call.function == "@in":
            return self._membership(call)
        if call.function in ("or", "orValue") and len(call.operands) == 2:
            first, second = (self.piece(operand).code for operand in call.operands)
            return _plain(alternative_code(first, second, unwrap=call.function == "orValue"))
        return None

    def _membership(self, call: ResolvedCall) -> _Piece | None:
        wanted, container = (self.piece(operand) for operand in call.operands)
        is_list = len(call.overloads) == 1 and call.overloads[0].parameters[1].kind is Kind.LIST
        known = container.constant
        if is_list and known is not MISSING:
            if not known:
                return _constant(False)
            if all(_is_hashed(element) for element in known):
                return _plain(constant_membership(wanted.code, known))
        return None


def _device(frame: Frame) -> Value:
    return frame.device


def _slot_reader(slot: int) -> Code:
    def read(frame: Frame) -> Value:
        return frame.slots[slot]

    return read


def _lazy_reader(slot: int, value: Code) -> Code:
    def read(frame: Frame) -> Value:
        found = frame.slots[slot]
        if found is _UNREAD:
            found = value(frame)
            if isinstance(found, MapValue) and found.__class__ is not DeviceView:
                # Maps are copied when they are bound; the copy of a device's map knows no domains but its own.
                found = MapValue(found.entries)
            frame.slots[slot] = found
        return found

    return read


def _fast_call(call: ResolvedCall, pieces: list[_Piece], price: Price) -> Code | None:
    """Shorter code for the commonest calls: comparisons with a constant, and constants of libraries."""
    last = pieces[-1].constant if pieces else MISSING
    if call.function in ("_==_", "_!=_") and last.__class__ in (str, int, bool):
        return equality_with(pieces[0].code, last, is_equal=call.function == "_==_")
    if call.function in ORDERINGS and last.__class__ is int:
        return ordering_with(pieces[0].code, last, call.function, call.overloads[0].implementation)
    if call.function in _CONSTRUCTORS and all(piece.constant is not MISSING for piece in pieces):
        operands = [piece.constant for piece in pieces]
        result = dispatcher(call.overloads)(*operands)
        return known_result(result, price if isinstance(price, int) else price(operands, result))
    return None


_CONSTRUCTORS: Final = frozenset({"quantity", "semver", "ip", "cidr", "url"})


def _is_hashed(element: Value) -> bool:
    return element is None or isinstance(element, (bool, int, float, str))


def _constant_map(node: MapNode, pairs: list[tuple[Value, Value]]) -> _Piece:
    try:
        for key, _ in pairs:
            require_hash(key)
    except EvaluationEnded as ended:
        raise Refusal(ended.fault.message, node.position) from None
    return _constant(MapValue.from_pairs(pairs))


def _converted(node: Call, call: ResolvedCall, constant: Value) -> _Piece:
    try:
        result = dispatcher(call.overloads)(constant)
    except EvaluationEnded as ended:
        raise Refusal(ended.fault.message, node.position) from None
    if result.__class__ is Fault:
        raise Refusal(result.message, node.position)
    return _constant(result)


def _require_pattern(node: Call, pattern: Value) -> None:
    found = compiled_pattern(pattern) if pattern.__class__ is str else None
    if found.__class__ is Fault:
        raise Refusal(found.message, node.position)
