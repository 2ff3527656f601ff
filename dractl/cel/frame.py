"""One evaluation: the device, the loop variables, and the units used so far."""

from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeAlias

from dractl.cel.device import DeviceView
from dractl.cel.faults import COST_LIMIT, EvaluationEnded
from dractl.cel.values import Value


class Frame:
    """What compiled code works on; made anew for every evaluation."""

    __slots__ = ("cost", "device", "slots")

    def __init__(self, device: DeviceView, slots: int) -> None:
        self.cost = 0
        self.device = device
        self.slots: list[Any] = [None] * slots if slots else _NO_SLOTS


_NO_SLOTS: Final[list[Any]] = []

Code: TypeAlias = Callable[[Frame], Value]
"""A compiled node: evaluates it and adds its price to the frame. It gives a `Fault` rather than raise."""


def pay(frame: Frame, units: int) -> None:
    """Add one price; ends the evaluation when the limit is passed."""
    frame.cost += units
    if frame.cost > COST_LIMIT:
        stop()


def pay_singly(frame: Frame, units: int) -> None:
    """Add so many prices of one unit each: an evaluation that is ended has used one unit more than the limit."""
    frame.cost += units
    if frame.cost > COST_LIMIT:
        stop_singly(frame)


def stop() -> NoReturn:
    """End the evaluation because its last price passed the limit."""
    raise EvaluationEnded("operation cancelled: actual cost limit exceeded", is_cost_limit=True)


def stop_singly(frame: Frame) -> NoReturn:
    """End the evaluation at the first of several prices of one unit that passed the limit."""
    frame.cost = COST_LIMIT + 1
    stop()
