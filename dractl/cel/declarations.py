"""What a library declares: functions with their overloads."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from dractl.cel.types import Type
from dractl.cel.values import Value

Implementation: TypeAlias = Callable[..., Value]
"""Takes one value for each parameter, none of them a `Fault`, and gives a value or a `Fault`."""


class Overload(Struct, frozen=True, eq=False):
    """One way to call a function. For a method the receiver is the first parameter.

    Where dyn is involved, values are held against `parameters` before the implementation is called; one that `is_total`
    takes any values and answers "no such overload" itself.
    """

    function: str
    parameters: tuple[Type, ...]
    result: Type
    implementation: Implementation
    is_method: bool = False
    is_total: bool = False


Functions: TypeAlias = Mapping[str, tuple[Overload, ...]]


def function(name: str, parameters: Iterable[Type], result: Type, implementation: Implementation) -> Overload:
    """A function that is called alone: `name(…)`, or with its whole name `lists.range(…)`."""
    return Overload(name, tuple(parameters), result, implementation)


def method(name: str, parameters: Iterable[Type], result: Type, implementation: Implementation) -> Overload:
    """A function that is called on its first parameter: `x.name(…)`."""
    return Overload(name, tuple(parameters), result, implementation, is_method=True)


def gathered(*libraries: Iterable[Overload]) -> dict[str, tuple[Overload, ...]]:
    """The overloads by function name, in the order of their declaration."""
    found: dict[str, list[Overload]] = {}
    for library in libraries:
        for overload in library:
            found.setdefault(overload.function, []).append(overload)
    return {name: tuple(overloads) for name, overloads in found.items()}


CONVERSIONS: Final = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)
"""Functions of one literal that are evaluated when the expression is compiled (cel.md, Types)."""
