"""Expressions of selectors and derived attributes: length, compilation and worst cost (validation.md §11)."""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.resource import DeviceSelector
from dractl.cel import CompileFault, Derived, Selector, compile_derived, compile_selector
from dractl.errors import TextSpot
from dractl.validation.formats import missing, size
from dractl.validation.lists import too_many
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, declared

LARGEST_COST: Final = 1_000_000
_LONGEST: Final = 10 * 1024
_MOST_SELECTORS: Final = 32


def check_selectors(selectors: Sequence[DeviceSelector] | None, rulebook: Rulebook) -> Iterator[Violation]:
    """Each selector has an expression that compiles and is not too costly. Paths begin at the list."""
    excess = list(too_many(selectors, _MOST_SELECTORS))
    yield from declared(excess)
    for index, selector in enumerate(selectors or ()) if not excess else ():
        if selector.cel is None:
            yield missing("`cel`, the only kind of selector", "write `cel: {expression: …}`").below(index, "cel")
        else:
            yield from below(_check_selector(selector.cel.expression, rulebook), index, "cel", "expression")


def _check_selector(expression: str, rulebook: Rulebook) -> Iterator[Violation]:
    if size(expression) > _LONGEST:
        yield _too_long(expression)
    else:
        yield from _check_compiled(compile_selector(expression, rulebook.cel))


def check_derived(expression: str, rulebook: Rulebook) -> Iterator[Violation]:
    """The expression of a derived attribute; paths begin at it."""
    if not expression:
        yield from declared([missing("the expression", "write a CEL expression that gives the attribute's value")])
    elif size(expression) > _LONGEST:
        yield _too_long(expression)
    else:
        yield from _check_compiled(compile_derived(expression, rulebook.cel))


def cost_of_derived(expression: str, rulebook: Rulebook) -> int:
    """The worst cost of a derived attribute; 0 if it does not compile."""
    if not expression or size(expression) > _LONGEST:
        return 0
    compiled = compile_derived(expression, rulebook.cel)
    return 0 if isinstance(compiled, CompileFault) else compiled.max_cost


def _too_long(expression: str) -> Violation:
    message = f"the expression has {size(expression)} bytes: at most {_LONGEST} are allowed"
    return Violation((), ViolationType.TOO_LONG, message, "split it into several selectors")


def _check_compiled(compiled: Selector | Derived | CompileFault) -> Iterator[Violation]:
    if isinstance(compiled, CompileFault):
        where = f" (line {compiled.position[0]}, column {compiled.position[1]} of it)" if compiled.position else ""
        message = f"the expression does not compile: {compiled.message}{where}"
        spot = TextSpot(*compiled.position) if compiled.position else None
        yield Violation((), ViolationType.INVALID, message, compiled.remedy, within=spot)
    elif compiled.max_cost > LARGEST_COST:
        message = f"the expression may cost more than {LARGEST_COST:,} units: the server estimates the worst case"
        remedy = "avoid loops inside loops and values of unknown size: `.?` and `[?]` lose the size of what they read"
        yield Violation((), ViolationType.FORBIDDEN, message, remedy)
