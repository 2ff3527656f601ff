"""A compiled expression, ready to be evaluated."""

from typing import Final

from msgspec import Struct

from dractl.cel.device import DeviceView
from dractl.cel.faults import EvaluationEnded, EvaluationFault
from dractl.cel.frame import Code, Frame
from dractl.cel.nesting import room_to_recurse
from dractl.cel.values import Fault, Value

_SHALLOW: Final = 50
"""Up to this depth no stack has to be reserved for an evaluation."""


class Program(Struct, frozen=True):
    """A compiled expression; `depth` is how deep it is nested, `slots` how many variables it needs."""

    code: Code
    slots: int
    depth: int

    def run(self, device: DeviceView) -> tuple[Value | EvaluationFault, int]:
        """The value or why there is none, and the units used (cel.md, Costs)."""
        if device.fault is not None:
            return device.fault, 0
        frame = Frame(device, self.slots)
        try:
            value = self.code(frame) if self.depth <= _SHALLOW else self._deep_value(frame)
        except EvaluationEnded as ended:
            return ended.fault, frame.cost
        if value.__class__ is Fault:
            return EvaluationFault(value.message), frame.cost
        return value, frame.cost

    def _deep_value(self, frame: Frame) -> Value:
        with room_to_recurse(self.depth):
            return self.code(frame)
