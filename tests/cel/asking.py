"""Asking what an expression gives, in one line."""

from typing import Any, Final

from dractl.api.codec import to_api, to_plain
from dractl.api.resource import Device
from dractl.cel import CelGates, CompileFault, DeviceView, EvaluationFault, compile_derived, compile_selector

GPU: Final = DeviceView.of(
    "gpu.example.com",
    to_api(
        {
            "name": "gpu-0",
            "allowMultipleAllocations": True,
            "attributes": {
                "model": {"string": "tensor-80"},
                "healthy": {"bool": True},
                "slot": {"int": 3},
                "firmware": {"version": "1.10.3"},
                "gpu.example.com/qualified": {"string": "yes"},
                "nodes": {"ints": [0, 1]},
                "protocols": {"versions": ["1.2.0", "1.10.0"]},
                "topology.example.com/numaNode": {"int": 1},
            },
            "capacity": {"memory": {"value": "40Gi"}, "cores": {"value": "500m"}},
        },
        Device,
    ),
)
BARE: Final = DeviceView.of("bare.example.com", Device(name="bare"))

_SHORT: Final = {
    "A.": 'device.attributes["gpu.example.com"].',
    "A[": 'device.attributes["gpu.example.com"][',
    "C.": 'device.capacity["gpu.example.com"].',
}

REFUSED: Final = "does not compile"
FAILS: Final = "fails"
OVER_LIMIT: Final = "passes the cost limit"


def written_out(expression: str) -> str:
    """`A.x` and `C.x` are short for the attributes and capacities of the driver's domain."""
    for short, long in _SHORT.items():
        expression = expression.replace(short, long)
    return expression


def asked(expression: str, device: DeviceView = GPU, gates: CelGates | None = None) -> Any:
    """What the selector says: a bool, `REFUSED`, `FAILS` or `OVER_LIMIT`."""
    return answered(expression, device, gates)[0]


def answered(expression: str, device: DeviceView = GPU, gates: CelGates | None = None) -> tuple[Any, int]:
    """The same, and what it cost."""
    selector = compile_selector(written_out(expression), gates)
    if isinstance(selector, CompileFault):
        return REFUSED, 0
    value, cost = selector.evaluate_with_cost(device)
    if isinstance(value, EvaluationFault):
        return OVER_LIMIT if value.is_cost_limit else FAILS, cost
    return value, cost


def derived(expression: str, device: DeviceView = GPU, gates: CelGates | None = None) -> Any:
    """The attribute as plain data, or how it went wrong."""
    compiled = compile_derived(written_out(expression), gates)
    if isinstance(compiled, CompileFault):
        return REFUSED
    value = compiled.evaluate(device)
    return FAILS if isinstance(value, EvaluationFault) else to_plain(value)
