"""ResourceClaim and ResourceClaimTemplate: each rule with what keeps it and what breaks it (spec/validation.md §6)."""

# FEATURE: A7

from typing import Any

import pytest

from dractl.api.resource import ResourceClaim, ResourceClaimTemplate
from dractl.cel import compile_derived
from dractl.gates import Gates
from tests.validation.objects import EVERY_GATE, GONE, changed, said

EXACT = {"deviceClassName": "gpu.example.com"}
DERIVED = {"name": "a.b/side", "expression": "1"}
CLAIM = {
    "metadata": {"name": "c", "namespace": "default"},
    "spec": {
        "devices": {
            "requests": [
                {"name": "main", "exactly": EXACT},
                {"name": "alt", "firstAvailable": [{"name": "big", **EXACT}, {"name": "small", **EXACT}]},
            ],
            "constraints": [{"matchAttribute": "a.b/side"}],
            "config": [{"opaque": {"driver": "gpu.example.com", "parameters": {}}}],
        }
    },
}


def refused(changes: dict[str, Any], gates: Gates = EVERY_GATE) -> set[tuple[str, str]]:
    below = {f"spec|devices|{path}": value for path, value in changes.items()}
    found = said(ResourceClaim, changed(CLAIM, below), gates)
    return {(kind, field.removeprefix("spec.devices.")) for kind, field in found}


def test_a_sound_claim() -> None:
    assert refused({}) == set()


def test_an_empty_claim_is_sound() -> None:
    assert said(ResourceClaim, {"metadata": {"name": "c"}}) == set()


@pytest.mark.parametrize(
    ("request_fields", "expected"),
    [
        ({"name": "A", "exactly": EXACT}, {("Invalid", ".name")}),
        ({"name": "r"}, {("Required", "")}),
        ({"name": "r", "firstAvailable": []}, {("Required", "")}),
        ({"name": "r", "exactly": EXACT, "firstAvailable": []}, set()),
        (
            {"name": "r", "exactly": {"count": -1}, "firstAvailable": [{}]},
            {("Invalid", ""), ("Required", ".firstAvailable[0].deviceClassName")},
        ),
        ({"name": "r", "firstAvailable": [{"name": "a", **EXACT}] * 2}, {("Duplicate", ".firstAvailable[1]")}),
        ({"name": "r", "firstAvailable": [{}] * 9}, {("TooMany", ".firstAvailable")}),
    ],
)
def test_requests(request_fields: Any, expected: set[tuple[str, str]]) -> None:
    found = refused({"requests|0": request_fields, "constraints": GONE})
    assert found == {(kind, f"requests[0]{field}") for kind, field in expected}


@pytest.mark.parametrize("form", ["exactly", "firstAvailable|0"])
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"deviceClassName": ""}, {("Required", "deviceClassName")}),
        ({"deviceClassName": "A"}, {("Invalid", "deviceClassName")}),
        ({"count": 0}, set()),
        ({"count": -1}, {("Invalid", "count")}),
        ({"allocationMode": "All"}, set()),
        ({"allocationMode": "All", "count": 1}, {("Invalid", "count")}),
        ({"allocationMode": "all"}, {("NotSupported", "allocationMode")}),
        ({"selectors": [{}]}, {("Required", "selectors[0].cel")}),
        ({"selectors": [{"cel": {"expression": "true"}}] * 33}, {("TooMany", "selectors")}),
        ({"tolerations": [{}] * 40}, set()),
        (
            {"tolerations": [{"key": "a b", "operator": "x", "effect": "y"}]},
            {
                ("Invalid", "tolerations[0].key"),
                ("NotSupported", "tolerations[0].operator"),
                ("NotSupported", "tolerations[0].effect"),
            },
        ),
        ({"tolerations": [{"operator": "Exists", "value": "x"}]}, {("Invalid", "tolerations[0].value")}),
        ({"tolerations": [{"key": "a", "value": "b c"}]}, {("Invalid", "tolerations[0].value")}),
        ({"tolerations": [{"operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": -5}]}, set()),
        ({"capacity": {"requests": {"no such name": "-5"}}}, set()),
    ],
)
def test_what_is_asked_for(form: str, fields: Any, expected: set[tuple[str, str]]) -> None:
    number = 0 if form == "exactly" else 1
    found = refused({f"requests|{number}|{form}|{field}": value for field, value in fields.items()})
    shown = form.replace("|0", "[0]")
    assert found == {(kind, f"requests[{number}].{shown}.{field}") for kind, field in expected}


def test_numbers_of_requests_constraints_and_configurations() -> None:
    request = [{"name": f"r{number}", "exactly": EXACT} for number in range(33)]
    constraints, config = [{"matchAttribute": "a/b"}] * 33, CLAIM["spec"]["devices"]["config"] * 33  # type: ignore[index]
    assert refused({"requests": request[:32], "constraints": constraints[:32], "config": config[:32]}) == set()
    assert refused({"requests": request, "constraints": constraints, "config": config}) == {
        ("TooMany", "requests"),
        ("TooMany", "constraints"),
        ("TooMany", "config"),
    }


# --- constraints and configuration -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [
        ({}, {("Required", "")}),
        ({"matchAttribute": "bare"}, {("Invalid", ".matchAttribute")}),
        ({"distinctAttribute": "bare"}, {("Invalid", ".distinctAttribute")}),
        ({"matchAttribute": "a/b", "distinctAttribute": "a/b"}, set()),
    ],
)
def test_constraints(constraint: Any, expected: set[tuple[str, str]]) -> None:
    assert refused({"constraints": [constraint]}) == {(kind, f"constraints[0]{field}") for kind, field in expected}


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        (["main", "alt", "alt/big"], set()),
        (["main", "main"], {("Duplicate", "[1]")}),
        (["none"], {("Invalid", "[0]")}),
        (["main/big"], {("Invalid", "[0]")}),
        (["a/b/c"], {("Invalid", "[0]")}),
        (["alt/"], {("Invalid", "[0]")}),
        ([f"r{number}" for number in range(33)], {("TooMany", "")}),
    ],
)
@pytest.mark.parametrize("part", ["constraints", "config"])
def test_references_to_requests(part: str, requests: list[str], expected: set[tuple[str, str]]) -> None:
    assert refused({f"{part}|0|requests": requests}) == {
        (kind, f"{part}[0].requests{field}") for kind, field in expected
    }


def test_a_request_named_like_an_alternative_is_none() -> None:
    found = refused({"requests|0|name": "alt/none", "constraints|0|requests": ["alt/none"]})
    assert found == {("Invalid", "requests[0].name"), ("Invalid", "constraints[0].requests[0]")}


@pytest.mark.parametrize(
    ("opaque", "expected"),
    [
        (None, {("Required", "")}),
        ({"driver": "A.b", "parameters": {"a": [1, None]}}, set()),
        ({"parameters": {}}, {("Required", ".driver")}),
        ({"driver": "_" * 64, "parameters": {}}, {("Invalid", ".driver"), ("TooLong", ".driver")}),
        ({"driver": "a"}, {("Required", ".parameters")}),
        ({"driver": "a", "parameters": []}, {("Invalid", ".parameters")}),
        ({"driver": "a", "parameters": {"a": [1e308]}}, set()),
        ({"driver": "a", "parameters": {"a": [{"b": float("inf")}]}}, {("Invalid", ".parameters")}),
        ({"driver": "a", "parameters": {"a": "x" * (10240 - 8)}}, set()),
        ({"driver": "a", "parameters": {"a": "x" * (10240 - 7)}}, {("TooLong", ".parameters")}),
        ({"driver": "a", "parameters": {"a": "<" * 2000}}, {("TooLong", ".parameters")}),
    ],
)
def test_opaque_configuration(opaque: Any, expected: set[tuple[str, str]]) -> None:
    found = refused({"config": [{} if opaque is None else {"opaque": opaque}]})
    assert found == {(kind, f"config[0].opaque{field}") for kind, field in expected}


# --- expressions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("device.driver == 'x'", None),
        ("", "Invalid"),
        ("device.driver ==", "Invalid"),
        ("1 + 1", "Invalid"),
        ("device.nope", "Invalid"),
        ("device.attributes['x'].?y.orValue([]).exists(v, v == 1)", "Forbidden"),
        ("true && " * 1279 + "true", None),
        ("true && " * 1280 + "true", "TooLong"),
    ],
)
def test_selectors(expression: str, expected: str | None) -> None:
    found = refused({"requests|0|exactly|selectors": [{"cel": {"expression": expression}}]})
    assert found == ({(expected, "requests[0].exactly.selectors[0].cel.expression")} if expected else set())


@pytest.mark.parametrize(
    ("derived", "expected"),
    [
        ([DERIVED], set()),
        ([DERIVED, DERIVED], {("Duplicate", "[1]")}),
        ([{}], {("Required", "[0].name"), ("Required", "[0].expression")}),
        ([{**DERIVED, "name": "bare"}], {("Invalid", "[0].name")}),
        ([{**DERIVED, "name": "a.b/other"}], {("Invalid", "[0].name")}),
        ([{**DERIVED, "expression": "1.5"}], {("Invalid", "[0].expression")}),
        ([{**DERIVED, "expression": "[1, 2]"}], set()),
    ],
)
def test_derived_attributes(derived: Any, expected: set[tuple[str, str]]) -> None:
    found = refused({"requests|0|exactly|derivedAttributes": derived})
    assert found == {(kind, f"requests[0].exactly.derivedAttributes{field}") for kind, field in expected}


@pytest.mark.parametrize(
    ("constraint", "is_used"),
    [
        ({"matchAttribute": "a.b/side"}, True),
        ({"matchAttribute": "a.b/side", "requests": ["alt"]}, True),
        ({"distinctAttribute": "a.b/side", "requests": ["alt/big"]}, True),
        ({"distinctAttribute": "a.b/side", "requests": ["alt/small"]}, False),
        ({"matchAttribute": "a.b/side", "requests": ["main"]}, False),
        ({"matchAttribute": "a.b/x", "distinctAttribute": "a.b/side"}, False),
    ],
)
def test_a_derived_attribute_is_named_by_a_constraint_for_its_request(constraint: Any, is_used: bool) -> None:
    found = refused({"requests|1|firstAvailable|0|derivedAttributes": [DERIVED], "constraints": [constraint]})
    unused = {("Invalid", "requests[1].firstAvailable[0].derivedAttributes[0].name")}
    assert found == (set() if is_used else unused)


@pytest.mark.parametrize(
    ("name", "constrained", "is_used"),
    [
        ("alt/", "alt", True),
        ("alt/", "alt//big", True),
        ("alt/", "alt/", False),
        ("alt/x", "alt", True),
        ("alt", "", True),
        ("alt", "/big", False),
    ],
)
def test_names_of_requests_count_up_to_their_first_slash(name: str, constrained: str, is_used: bool) -> None:
    constraint = {"matchAttribute": "a.b/side", "requests": [constrained]}
    found = refused(
        {
            "requests|1|name": name,
            "requests|1|firstAvailable|0|derivedAttributes": [DERIVED],
            "constraints": [constraint],
            "config": [],
        }
    )
    assert (("Invalid", "requests[1].firstAvailable[0].derivedAttributes[0].name") in found) is not is_used


def test_derived_attributes_may_be_too_costly_together() -> None:
    numbers = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
    expression = f"device.attributes['x'].map(k, device.attributes['y'].map(l, {numbers}.map(m, m))).size()"
    names = [f"a.b/n{number}" for number in range(10)]

    def of(number: int) -> dict[str, Any]:
        return {
            "requests|0|exactly|derivedAttributes": [
                {"name": name, "expression": expression} for name in names[:number]
            ],
            "constraints": [{"matchAttribute": name} for name in names],
        }

    cost = compile_derived(expression).max_cost  # type: ignore[union-attr]
    fitting = 1_000_000 // cost
    assert 1 <= fitting < len(names)
    assert refused(of(fitting)) == set()
    assert refused(of(fitting + 1)) == {("Forbidden", "spec.devices")}


# --- templates -------------------------------------------------------------------------------------------------------


def test_templates_are_checked_at_their_own_paths() -> None:
    spec = {"metadata": {"labels": {"a": "b c"}, "name": "x"}, "spec": {"devices": {"requests": [{"name": "r"}]}}}
    assert said(ResourceClaimTemplate, {"metadata": {"name": "t"}, "spec": spec}) == {
        ("Invalid", "spec.metadata.labels"),
        ("Forbidden", "spec.metadata.name"),
        ("Required", "spec.spec.devices.requests[0]"),
    }


def test_gates_decide_what_expressions_and_constraints_know() -> None:
    off = Gates("1.37", EVERY_GATE.enabled - {"DRAConsumableCapacity", "DRAListTypeAttributes"}, {})
    assert refused({"constraints": [{}]}, off) == {("Required", "constraints[0].matchAttribute")}
    assert refused({"requests|0|exactly|derivedAttributes": [{**DERIVED, "expression": "[1]"}]}, off) == {
        ("Invalid", "requests[0].exactly.derivedAttributes[0].expression")
    }
