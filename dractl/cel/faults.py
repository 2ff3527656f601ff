"""What can be wrong with an expression: refused when it is compiled, or failed when it is evaluated."""

from typing import Final

from msgspec import Struct

COST_LIMIT: Final = 1_000_000
"""Units that one evaluation may use (cel.md, Limits)."""


class CompileFault(Struct, frozen=True):
    """Why an expression does not compile, where, and what to write: line and column in the expression, both from 1."""

    message: str
    position: tuple[int, int] | None = None
    remedy: str = ""


class EvaluationFault(Struct, frozen=True):
    """Why an evaluation gave no value. It is returned, never raised to callers."""

    message: str
    is_cost_limit: bool = False


class Refusal(Exception):
    """Raised inside the room while an expression is compiled; callers get its `CompileFault`."""

    def __init__(self, message: str, position: tuple[int, int] | None = None, remedy: str = "") -> None:
        super().__init__(message)
        self.fault: Final = CompileFault(message, position, remedy)


class EvaluationEnded(Exception):
    """Ends an evaluation at once: no operator absorbs it (cel.md, Costs: cost limit, unhashable keys)."""

    def __init__(self, message: str, is_cost_limit: bool = False) -> None:
        super().__init__(message)
        self.fault: Final = EvaluationFault(message, is_cost_limit)
