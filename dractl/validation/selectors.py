"""Device selectors of classes and requests (validation.md §5, §11)."""

from collections.abc import Iterator, Sequence

from dractl.api.resource import DeviceSelector
from dractl.cel import CompileFault, compile_selector
from dractl.validation.violation import Violation, ViolationType


def check_selectors(selectors: Sequence[DeviceSelector] | None) -> Iterator[Violation]:
    """Each selector has an expression, and the expression compiles. Paths begin at the list."""
    for index, selector in enumerate(selectors or ()):
        if selector.cel is None:
            message = "`cel` is missing: it is the only kind of selector"
            yield Violation((index, "cel"), ViolationType.REQUIRED, message, "write `cel: {expression: …}`")
        else:
            yield from _check_expression(index, selector.cel.expression)


def _check_expression(index: int, expression: str) -> Iterator[Violation]:
    compiled = compile_selector(expression)
    if isinstance(compiled, CompileFault):
        where = f" (line {compiled.position[0]}, column {compiled.position[1]} of it)" if compiled.position else ""
        message = f"the expression does not compile: {compiled.message}{where}"
        yield Violation((index, "cel", "expression"), ViolationType.INVALID, message)
