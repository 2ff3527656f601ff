"""Cases of kind `cel`: what an expression gives for a device (conformance/README.md, cel)."""

from collections.abc import Mapping
from typing import Any, Final

from dractl.api.codec import to_api, to_plain
from dractl.api.resource import Device, DeviceAttribute
from dractl.cel import CelGates, CompileFault, DeviceView, EvaluationFault, compile_derived, compile_selector
from dractl.cel.sizes import UNBOUNDED

_COMPARED: Final = ("ok", "error_stage", "value", "output_type")


def answer(case_input: Mapping[str, Any]) -> dict[str, Any]:
    """The product's answer to one case."""
    expression = case_input["expression"]
    gates = _gates(case_input.get("features")) if case_input.get("new") else None
    compiled = compile_derived(expression, gates) if case_input.get("derived") else compile_selector(expression, gates)
    if isinstance(compiled, CompileFault):
        return {"ok": False, "value": None, "error_stage": "compile", "error": compiled.message, "cost": None}
    value, cost = compiled.evaluate_with_cost(_device(case_input["device"]))
    known = {"output_type": compiled.output_type, "cost": cost, "max_cost": _or_null(compiled.max_cost)}
    if isinstance(value, EvaluationFault):
        stage = "cost" if value.is_cost_limit else "runtime"
        return {"ok": False, "value": None, "error_stage": stage, "error": value.message} | known
    shown = to_plain(value) if isinstance(value, DeviceAttribute) else value
    return {"ok": True, "value": shown, "error_stage": None, "error": ""} | known


def _or_null(max_cost: int) -> int | None:
    return None if max_cost == UNBOUNDED else max_cost


def _gates(features: list[str] | None) -> CelGates:
    if features is None:
        return CelGates()
    return CelGates("DRAConsumableCapacity" in features, "DRAListTypeAttributes" in features)


def _device(given: Mapping[str, Any]) -> DeviceView:
    return DeviceView.of(
        given["driver"], to_api({key: value for key, value in given.items() if key != "driver"}, Device)
    )


def first_difference(expect: Mapping[str, Any], given: Mapping[str, Any], without: frozenset[str]) -> str | None:
    """The first compared field that differs; see the corpus' README for what is compared."""
    fields = list(_COMPARED)
    if expect["error_stage"] == "compile":
        fields.remove("output_type")
    else:
        fields += [name for name in ("cost", "max_cost") if name == "max_cost" or expect[name] is not None]
    for name in fields:
        if name not in without and not _same(expect[name], given.get(name)):
            return f"{name}: expected {expect[name]!r}, got {given.get(name)!r}"
    return None


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: true is no number."""
    return type(one) is type(other) and one == other
