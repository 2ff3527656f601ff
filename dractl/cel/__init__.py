"""CEL expressions on devices: parsed, checked, priced and compiled to closures (spec/cel.md).

`import dractl.cel` is cheap; the parser is loaded when the first expression is compiled.
"""

from dractl.cel.device import DeviceView
from dractl.cel.faults import COST_LIMIT, CompileFault, EvaluationFault
from dractl.cel.gates import CelGates
from dractl.cel.selector import Derived, Selector, compile_derived, compile_selector

__all__ = [
    "COST_LIMIT",
    "CelGates",
    "CompileFault",
    "Derived",
    "DeviceView",
    "EvaluationFault",
    "Selector",
    "compile_derived",
    "compile_selector",
]
