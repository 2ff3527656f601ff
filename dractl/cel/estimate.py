"""What an evaluation may cost at worst, told from the checked expression alone (cel.md, Costs, Estimate)."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.cel.call_estimates import CallEstimate, Operand, call_estimate
from dractl.cel.check import Checked
from dractl.cel.cost import BUILT_LIST, BUILT_MAP
from dractl.cel.sizes import (
    INDICES,
    ITEMS,
    KEYS,
    ONE,
    UNKNOWN,
    VALUES,
    Path,
    Span,
    bounded,
    declared_most,
    exactly,
)
from dractl.cel.tree import (
    ACCUMULATOR,
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
from dractl.cel.types import BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT, Kind, Type


def estimated_cost(checked: Checked) -> int:
    """The upper end of what an evaluation may use; `sizes.UNBOUNDED` if there is none."""
    return _Estimator(checked).visit(checked.root).cost


class _Entries(Struct, frozen=True):
    """Sizes of keys and of values, of a list or map."""

    key: Span
    value: Span

    def __or__(self, other: "_Entries") -> "_Entries":
        return _Entries(self.key | other.key, self.value | other.value)


class _Estimate(Struct, frozen=True):
    """What is known of a node. `size` is None where it has to be told from the path or the type."""

    cost: int
    size: Span | None = None
    path: Path | None = None
    entries: _Entries | None = None
    bound_size: Span | None = None


_SCALARS: Final = (BOOL, INT, UINT, DOUBLE, DURATION, TIMESTAMP)


class _Estimator:
    def __init__(self, checked: Checked) -> None:
        self._checked: Final = checked
        self._scopes: list[tuple[str, _Estimate]] = []

    def visit(self, node: Node) -> _Estimate:
        """Estimate a node and everything below it."""
        match node:
            case Literal():
                size = len(node.value) if isinstance(node.value, (str, bytes)) else 1
                return _Estimate(0, exactly(size))
            case Name():
                return self._name(node)
            case Select():
                return self._select(node)
            case Index():
                return self._index(node)
            case Call():
                return self._call(node)
            case Logic():
                return _Estimate(_total(self.visit(operand).cost for operand in node.operands))
            case Conditional():
                return self._conditional(node)
            case ListNode() | MapNode():
                return self._collection(node)
            case Fold():
                return self._fold(node)
            case Bind():
                return self._bind(node)
        raise AssertionError(f"a node that the checker lets pass: {node}")

    def _size(self, node: Node, found: _Estimate) -> Span:
        """The size of a node: the first that is known of those that cel.md lists."""
        if found.size is not None:
            return found.size
        most = None if found.path is None else declared_most(found.path)
        if most is not None:
            return Span(0, most)
        static = self._checked.types[node]
        wrapped = static.parameters[0] if static.is_optional else static
        if wrapped in _SCALARS:
            return ONE
        return found.bound_size or UNKNOWN

    def _static(self, node: Node) -> Type:
        return self._checked.types[node]

    def _name(self, node: Name) -> _Estimate:
        for name, bound in reversed(self._scopes):
            if name == node.name and not node.is_absolute:
                return _Estimate(1, None, bound.path, bound.entries, bound.bound_size)
        return _Estimate(1, None, (node.name,))

    def _select(self, node: Select) -> _Estimate:
        if node in self._checked.type_values:
            return _Estimate(1)
        operand = self.visit(node.operand)
        if node.is_test:
            return _Estimate(operand.cost)
        if node.is_optional:
            return _Estimate(bounded(operand.cost + 1))
        static = self._static(node.operand)
        is_counted = static.kind is Kind.MAP or static.kind is Kind.OBJECT
        path = None if operand.path is None else (*operand.path, node.field)
        return _Estimate(bounded(operand.cost + is_counted), None, path)

    def _index(self, node: Index) -> _Estimate:
        operand, key = self.visit(node.operand), self.visit(node.key)
        cost = _total((operand.cost, key.cost, 1))
        if node.is_optional:
            return _Estimate(cost)
        step = ITEMS if self._static(node.operand).kind is Kind.LIST else VALUES
        path = None if operand.path is None else (*operand.path, step)
        return _Estimate(cost, None if operand.entries is None else operand.entries.value, path)

    def _conditional(self, node: Conditional) -> _Estimate:
        condition, accepted, rejected = map(self.visit, (node.condition, node.accepted, node.rejected))
        cost = bounded(condition.cost + max(accepted.cost, rejected.cost))
        size = self._size(node.accepted, accepted) | self._size(node.rejected, rejected)
        return _Estimate(cost, size, entries=_both_entries(accepted, rejected))

    def _collection(self, node: ListNode | MapNode) -> _Estimate:
        """A list or map literal."""
        if isinstance(node, ListNode):
            cost, keys, values = BUILT_LIST, [], list(node.elements)
        else:
            cost = BUILT_MAP
            keys, values = [entry.key for entry in node.entries], [entry.value for entry in node.entries]
        found = {part: self.visit(part) for part in (*keys, *values)}
        key = self._union(keys, found) if isinstance(node, MapNode) else ONE
        entries = _Entries(key, self._union(values, found))
        return _Estimate(_total((cost, *(one.cost for one in found.values()))), exactly(len(values)), entries=entries)

    def _union(self, parts: list[Node], found: dict[Node, _Estimate]) -> Span:
        sizes = [self._size(part, found[part]) for part in parts]
        return Span(min(one.least for one in sizes), max(one.most for one in sizes)) if sizes else exactly(0)

    def _call(self, node: Call) -> _Estimate:
        call = self._checked.calls[node]
        found = [self.visit(operand) for operand in call.operands]
        operands = [
            Operand(
                self._static(part),
                self._size(part, one),
                part.value if isinstance(part, Literal) else None,
                _size_of_values(one),
            )
            for part, one in zip(call.operands, found, strict=True)
        ]
        estimates = [call_estimate(call.function, overload, operands) for overload in call.overloads]
        total = _total(one.cost for one in found)
        cost = bounded(total + max(one.cost for one in estimates))
        if call.function == "dyn":
            return _Estimate(cost, self._size(call.operands[0], found[0]), entries=found[0].entries)
        entries = _both_entries(found[0], found[1]) if call.function == "_+_" else None
        return _Estimate(cost, _united(estimates), entries=entries)

    def _fold(self, node: Fold) -> _Estimate:
        over, initial = self.visit(node.range), self.visit(node.initial)
        self._scopes.append((ACCUMULATOR, self._bound(node.initial, initial)))
        self._scopes.extend(zip(node.variables, self._looped(node, over), strict=True))
        condition, step = self.visit(node.condition), self.visit(node.step)
        del self._scopes[-len(node.variables) :]
        result = self.visit(node.result)
        self._scopes.pop()
        size = self._size(node.range, over)
        loop = bounded(size.most * bounded(condition.cost + step.cost))
        cost = _total((over.cost, initial.cost, result.cost, loop))
        if isinstance(node.initial, Literal):
            return _Estimate(cost, ONE)
        return _Estimate(cost, size, entries=step.entries)

    def _looped(self, node: Fold, over: _Estimate) -> list[_Estimate]:
        """What is known of a loop's variables."""
        is_list = self._static(node.range).kind is Kind.LIST
        steps = [ITEMS if is_list else KEYS]
        if len(node.variables) == 2:
            steps = [INDICES, ITEMS] if is_list else [INDICES, VALUES]
        found: list[_Estimate] = []
        for step in steps:
            entry = None if over.entries is None else _entry_of(over.entries, step)
            path = None if over.path is None else (*over.path, step)
            found.append(_Estimate(1, None, path, None, entry))
        return found

    def _bound(self, node: Node, value: _Estimate) -> _Estimate:
        """What a variable knows of the value that it is bound to."""
        return _Estimate(1, None, value.path, value.entries, self._size(node, value))

    def _bind(self, node: Bind) -> _Estimate:
        value = self.visit(node.value)
        self._scopes.append((node.name, self._bound(node.value, value)))
        body = self.visit(node.body)
        self._scopes.pop()
        cost = _total((BUILT_LIST, value.cost, body.cost))
        if isinstance(node.body, Name) and node.body.name == node.name:
            # What a variable was bound with is forgotten with the variable.
            body = replace(body, bound_size=None, entries=None)
        return _Estimate(cost, self._size(node.body, body), entries=body.entries)


def _total(costs: Iterable[int]) -> int:
    return bounded(sum(costs))


def _size_of_values(found: _Estimate) -> Span:
    """How large the values of a map are, as far as that is declared."""
    most = None if found.path is None else declared_most((*found.path, VALUES))
    return UNKNOWN if most is None else Span(0, most)


def _entry_of(entries: _Entries, step: str) -> Span:
    return entries.key if step in (KEYS, INDICES) else entries.value


def _both_entries(one: _Estimate, other: _Estimate) -> _Entries | None:
    return one.entries | other.entries if one.entries is not None and other.entries is not None else None


def _united(estimates: list[CallEstimate]) -> Span | None:
    """The result sizes of all overloads that have one."""
    united: Span | None = None
    for one in estimates:
        if one.size is not None:
            united = one.size if united is None else united | one.size
    return united
