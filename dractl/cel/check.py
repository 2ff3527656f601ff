"""Static types: which overload each call means, and what the whole expression gives (cel.md, Types)."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from dractl.cel import advice
from dractl.cel.declarations import Functions, Overload
from dractl.cel.faults import Refusal
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
    Message,
    Name,
    Node,
    Select,
    qualified_name,
)
from dractl.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    INT,
    NULL,
    STRING,
    UINT,
    A,
    Agreement,
    B,
    Kind,
    Type,
    list_of,
    map_of,
    most_general,
    optional_of,
    type_of,
)
from dractl.cel.values import UInt


class Environment(Struct, frozen=True):
    """What names, fields and functions an expression may use."""

    variables: Mapping[str, Type]
    fields: Mapping[str, Mapping[str, Type]]
    functions: Functions
    type_names: Mapping[str, Type]


class ResolvedCall(Struct, frozen=True):
    """What a call means: all operands, the receiver first, and every overload that fits the static types."""

    function: str
    operands: tuple[Node, ...]
    overloads: tuple[Overload, ...]


class Checked(Struct, frozen=True):
    """A checked expression. `type_values` holds the names that stand for types."""

    root: Node
    types: Mapping[Node, Type]
    calls: Mapping[Node, ResolvedCall]
    type_values: Mapping[Node, Type]

    @property
    def output(self) -> Type:
        """The static type of the whole expression."""
        return self.types[self.root]


def check(root: Node, environment: Environment) -> Checked:
    """Give every node its static type; raises Refusal for the first thing that has none."""
    checker = _Checker(environment)
    checker.type_of(root)
    types = {node: checker.agreement.resolve(found, unknown_is_dyn=True) for node, found in checker.types.items()}
    return Checked(root, types, checker.calls, checker.type_values)


_LITERAL_TYPES: Final[dict[type, Type]] = {
    bool: BOOL,
    int: INT,
    UInt: UINT,
    float: DOUBLE,
    str: STRING,
    bytes: BYTES,
    type(None): NULL,
}
_LISTS: Final = list_of(A)
_MAPS: Final = map_of(A, B)
_INDEXES: Final[dict[bool, tuple[tuple[Type, Type, Type], ...]]] = {
    False: (
        (_LISTS, INT, A),
        (_MAPS, A, B),
        (optional_of(_LISTS), INT, optional_of(A)),
        (optional_of(_MAPS), A, optional_of(B)),
    ),
    True: (
        (_LISTS, INT, optional_of(A)),
        (optional_of(_LISTS), INT, optional_of(A)),
        (_MAPS, A, optional_of(B)),
        (optional_of(_MAPS), A, optional_of(B)),
    ),
}


class _Checker:
    def __init__(self, environment: Environment) -> None:
        self._environment: Final = environment
        self._scopes: list[tuple[str, Type]] = []
        self.agreement: Final = Agreement()
        self.types: Final[dict[Node, Type]] = {}
        self.calls: Final[dict[Node, ResolvedCall]] = {}
        self.type_values: Final[dict[Node, Type]] = {}

    def type_of(self, node: Node) -> Type:
        """Check a node and everything below it."""
        match node:
            case Literal():
                found = _LITERAL_TYPES[node.value.__class__]
            case Name():
                found = self._name(node)
            case Select():
                found = self._select(node)
            case Call():
                found = self._call(node)
            case Index():
                found = self._index(node)
            case Logic():
                found = self._logic(node)
            case Conditional():
                found = self._conditional(node)
            case ListNode():
                found = self._list(node)
            case MapNode():
                found = self._map(node)
            case Fold():
                found = self._fold(node)
            case Bind():
                found = self._bind(node)
            case _:
                found = self._message(node)
        self.types[node] = found
        return found

    def _resolved(self, node: Node) -> Type:
        return self.agreement.resolve(self.type_of(node))

    def _name(self, node: Name) -> Type:
        if not node.is_absolute:
            for name, found in reversed(self._scopes):
                if name == node.name:
                    self._refuse_type(found, name, node)
                    return found
        declared = self._environment.variables.get(node.name)
        return declared if declared is not None else self._type_name(node, node.name)

    def _refuse_type(self, found: Type, name: str, node: Node) -> None:
        """Kubernetes takes a variable that holds a type for the name of one."""
        if self.agreement.resolve(found).kind is Kind.TYPE:
            raise Refusal(f"{name!r} is a variable that holds a type, which cannot be read", node.position)

    def _type_name(self, node: Node, name: str) -> Type:
        described = self._environment.type_names.get(name)
        if described is None:
            remedy = advice.for_name(name, self._environment.variables)
            raise Refusal(f"nothing here is called {name!r}", node.position, remedy)
        self.type_values[node] = described
        return type_of(described)

    def _select(self, node: Select) -> Type:
        name = qualified_name(node)
        if name is not None and name in self._environment.type_names:
            return self._type_name(node, name)
        operand = self._resolved(node.operand)
        target = operand.parameters[0] if operand.is_optional else operand
        field = self._field(target, node)
        if node.is_test:
            return BOOL
        return optional_of(field) if operand.is_optional or node.is_optional else field

    def _field(self, target: Type, node: Select) -> Type:
        if target.kind is Kind.MAP:
            return target.parameters[1]
        if target.kind is Kind.OBJECT:
            fields = self._environment.fields.get(target.name, {})
            field = fields.get(node.field)
            if field is None:
                remedy = advice.for_field(node.field, fields)
                raise Refusal(f"{target} has no field {node.field!r}", node.position, remedy)
            return field
        if target.kind is Kind.PARAMETER:
            self.agreement.agree(DYN, target)
        elif not target.is_wild:
            raise Refusal(f"a value of type {target} has no fields", node.position)
        return DYN

    def _call(self, node: Call) -> Type:
        if node.target is None:
            return self._overloaded(node, node.function, node.arguments, is_method=False)
        prefix = qualified_name(node.target)
        if prefix is not None and f"{prefix}.{node.function}" in self._environment.functions:
            return self._overloaded(node, f"{prefix}.{node.function}", node.arguments, is_method=False)
        return self._overloaded(node, node.function, (node.target, *node.arguments), is_method=True)

    def _overloaded(self, node: Call, function: str, operands: tuple[Node, ...], *, is_method: bool) -> Type:
        declared = self._environment.functions.get(function)
        given = [self.type_of(operand) for operand in operands]
        if declared is None:
            remedy = advice.for_function(function, self._environment.functions)
            raise Refusal(f"there is no function {function!r}", node.position, remedy)
        fitting: list[Overload] = []
        result: Type | None = None
        for overload in declared:
            if overload.is_method is not is_method:
                continue
            found = self._result_of(overload.parameters, overload.result, given)
            if found is not None:
                fitting.append(overload)
                result = found if result is None else _one_result(result, found)
        if result is None:
            remedy = advice.for_operands(function, [self.agreement.resolve(each) for each in given])
            raise Refusal(f"{_shown(function)} does not take {self._listed(given)}", node.position, remedy)
        self.calls[node] = ResolvedCall(function, operands, tuple(fitting))
        return result

    def _result_of(self, parameters: tuple[Type, ...], result: Type, given: list[Type]) -> Type | None:
        *wanted, own_result = self.agreement.instantiate((*parameters, result))
        return self.agreement.resolve(own_result) if self.agreement.agree_all(given, wanted) else None

    def _listed(self, given: Iterable[Type]) -> str:
        shown = [str(self.agreement.resolve(one, unknown_is_dyn=True)) for one in given]
        return ", ".join(shown) if shown else "no arguments"

    def _index(self, node: Index) -> Type:
        given = [self.type_of(node.operand), self.type_of(node.key)]
        result: Type | None = None
        for operand, key, value in _INDEXES[node.is_optional]:
            found = self._result_of((operand, key), value, given)
            if found is not None:
                result = found if result is None else _one_result(result, found)
        if result is None:
            raise Refusal(f"[] does not take {self._listed(given)}", node.position)
        return result

    def _logic(self, node: Logic) -> Type:
        for operand in node.operands:
            self._wanted(BOOL, operand)
        return BOOL

    def _wanted(self, wanted: Type, node: Node) -> None:
        given = self.type_of(node)
        if not self.agreement.agree(wanted, given):
            raise Refusal(f"{self._listed([wanted])} is wanted here, not {self._listed([given])}", node.position)

    def _conditional(self, node: Conditional) -> Type:
        given = [self.type_of(part) for part in (node.condition, node.accepted, node.rejected)]
        result = self._result_of((BOOL, A, A), A, given)
        if result is None:
            raise Refusal(f"? : does not take {self._listed(given)}", node.position)
        return result

    def _joined(self, known: Type | None, given: Type) -> Type:
        if known is None:
            return given
        return most_general(known, given) if self.agreement.agree(known, given) else DYN

    def _unwrapped(self, node: Node) -> Type:
        """What an optional element or value holds."""
        given = self._resolved(node)
        if given.is_optional:
            return given.parameters[0]
        # Kubernetes crashes on a dyn value here.
        raise Refusal(f"? wants an optional value, not {given}", node.position)

    def _list(self, node: ListNode) -> Type:
        element: Type | None = None
        for number, part in enumerate(node.elements):
            given = self._unwrapped(part) if number in node.optional else self.type_of(part)
            element = self._joined(element, given)
        return list_of(self.agreement.fresh() if element is None else element)

    def _map(self, node: MapNode) -> Type:
        key: Type | None = None
        value: Type | None = None
        for entry in node.entries:
            key = self._joined(key, self.type_of(entry.key))
            given = self._unwrapped(entry.value) if entry.is_optional else self.type_of(entry.value)
            value = self._joined(value, given)
        if key is None or value is None:
            return map_of(self.agreement.fresh(), self.agreement.fresh())
        return map_of(key, value)

    def _fold(self, node: Fold) -> Type:
        over = self._resolved(node.range)
        accumulated = self.type_of(node.initial)
        self._scopes.append((ACCUMULATOR, accumulated))
        self._scopes.extend(zip(node.variables, self._looped(over, node), strict=True))
        self._wanted(BOOL, node.condition)
        self._wanted(accumulated, node.step)
        del self._scopes[-len(node.variables) :]
        result = self._resolved(node.result)
        self._scopes.pop()
        return result

    def _looped(self, over: Type, node: Fold) -> tuple[Type, ...]:
        """The types of a loop's variables."""
        is_single = len(node.variables) == 1
        if over.kind is Kind.LIST:
            return over.parameters if is_single else (INT, over.parameters[0])
        if over.kind is Kind.MAP:
            return over.parameters[:1] if is_single else over.parameters
        if over.kind is Kind.PARAMETER:
            self.agreement.agree(DYN, over)
        elif over.kind is not Kind.DYN:
            raise Refusal(f"a loop wants a list or a map, not {over}", node.range.position)
        return (DYN,) if is_single else (DYN, DYN)

    def _bind(self, node: Bind) -> Type:
        bound = self.type_of(node.value)
        self._refuse_type(bound, node.name, node)
        self._scopes.append((node.name, bound))
        found = self.type_of(node.body)
        self._scopes.pop()
        return found

    def _message(self, node: Node) -> Type:
        name = node.type_name if isinstance(node, Message) else ""
        raise Refusal(f"there is no message type {name!r}", node.position)


def _one_result(known: Type, found: Type) -> Type:
    """The result type of a call that several overloads fit."""
    return known if known.is_wild or known == found else DYN


def _shown(function: str) -> str:
    """An operator as it is written."""
    return function.strip("_@") if function.startswith(("_", "!", "-", "@")) else f"{function}()"
