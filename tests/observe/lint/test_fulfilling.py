# FEATURE: C3
"""Constraints that no devices of a node fulfil: said only where that is certain."""

import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.api.identities import DeviceId
from dractl.manifests import Source, survey
from dractl.observe.lint.constraining import Values
from dractl.observe.lint.fulfilling import Wanted, can_be_fulfilled
from dractl.planner.admission import admit
from dractl.planner.linting import lint
from dractl.planner.settings import Settings
from dractl.problem.constraints import ConstraintKind
from tests.cli.running import ROOT, dractl
from tests.conformance.__main__ import read_cases
from tests.observe.lint.world import GPU_CLASS, NODE, claim, found, gpu_slice, request, together

_ROOT = "resource.kubernetes.io/pcieRoot"
_EVERY = 12
"""So many cases of the corpus for one that is looked at."""


def _devices(*roots: str) -> str:
    return "".join(
        f"  - {{name: g{number}, attributes: {{{_ROOT}: {root}}}}}\n" if root else f"  - {{name: g{number}}}\n"
        for number, root in enumerate(roots)
    )


def _rules(devices: str, requests: str, constraint: str, *more: str) -> list[str]:
    constrained = claim(requests, f"    constraints: [{{{constraint}: {_ROOT}}}]\n")
    rules = [rule for rule, _ in found(together(NODE, GPU_CLASS, gpu_slice(devices), *more, constrained))]
    return [rule for rule in rules if rule != "DRA315"]  # types that differ are told besides


_TWO = request("        count: 2\n")
_ONE_EACH = request(name="a") + request(name="b")
_A, _B, _AB = "{string: a}", "{string: b}", "{strings: [a, b]}"


@pytest.mark.parametrize(
    ("devices", "requests", "constraint"),
    [
        (_devices(_A, _B), _TWO, "matchAttribute"),
        (_devices(_A, "{version: 1.0.0}"), _TWO, "matchAttribute"),
        (_devices(_A, ""), _TWO, "matchAttribute"),
        (_devices(_A, _B), _ONE_EACH, "matchAttribute"),
        (_devices(_A, _A, _B), request("        count: 2\n", name="a") + request(name="b"), "matchAttribute"),
        (_devices(_A, _A), _TWO, "distinctAttribute"),
        (_devices(_A, _A), _ONE_EACH, "distinctAttribute"),
        (_devices(_A, _A, ""), _TWO, "distinctAttribute"),
    ],
)
def test_what_no_node_can_fulfil(devices: str, requests: str, constraint: str) -> None:
    assert _rules(devices, requests, constraint) == ["DRA106"]


_OTHER_NODE = together(
    NODE.replace("n1", "n2"), gpu_slice(_devices(_A, _A), name="s2", pool="n2").replace("nodeName: n1", "nodeName: n2")
)
_ANYWHERE = gpu_slice(_devices(_A, _A), name="s2", pool="net").replace(
    "nodeName: n1", "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Exists}]}]}"
)
_OR_ONE = (
    "    - name: r\n      firstAvailable:\n      - {name: two, deviceClassName: gpu, count: 2}\n"
    "      - {name: one, deviceClassName: gpu}\n"
)


@pytest.mark.parametrize(
    ("devices", "requests", "constraint", "more"),
    [
        (_devices(_A, _A, _B), _TWO, "matchAttribute", ()),
        (_devices(_A, _B), request(), "matchAttribute", ()),
        (_devices(_A, _B), _TWO, "matchAttribute", (_OTHER_NODE,)),
        (_devices(_A, _AB), _TWO, "matchAttribute", ()),
        (_devices(_A, _B), request("        allocationMode: All\n"), "matchAttribute", ()),
        (_devices(_A, _B), _OR_ONE, "matchAttribute", ()),
        (_devices(_A, "{int: 1}"), _TWO, "distinctAttribute", ()),
        (_devices(_A, _B), _ONE_EACH, "distinctAttribute", ()),
    ],
)
def test_what_a_node_can_fulfil(devices: str, requests: str, constraint: str, more: Sequence[str]) -> None:
    assert _rules(devices, requests, constraint, *more) == []


def test_devices_for_nodes_that_are_not_in_the_input() -> None:
    assert "DRA106" not in _rules(_devices(_A, _B), _TWO, "matchAttribute", _ANYWHERE)


_VALUES = st.frozensets(st.sampled_from([("string", "a"), ("string", "b"), ("int", 1)]), min_size=1, max_size=2)
_SHOWN = st.lists(_VALUES, max_size=4)


@given(
    _SHOWN,
    st.lists(st.tuples(st.integers(1, 3), st.frozensets(st.integers(0, 3))), min_size=1, max_size=3),
    st.booleans(),
)
def test_what_brute_force_finds_can_be_fulfilled(
    shown: list[Values], requests: list[tuple[int, frozenset[int]]], differ: bool
) -> None:
    """Each request may get some of the devices, by number, each device once."""
    ids = [DeviceId("d", "p", str(number)) for number in range(len(shown))]
    wanted = []
    for count, numbers in requests:
        own = {ids[number]: shown[number] for number in numbers if number < len(ids)}
        wanted.append(Wanted(count, own, frozenset(own)))
    kind = ConstraintKind.DISTINCT if differ else ConstraintKind.MATCH
    if _by_brute_force(kind, wanted):
        assert can_be_fulfilled(kind, wanted)


def _by_brute_force(kind: ConstraintKind, wanted: Sequence[Wanted]) -> bool:
    choices = [itertools.combinations(each.shown.items(), each.count) for each in wanted]
    return any(_holds(kind, [pick for picks in chosen for pick in picks]) for chosen in itertools.product(*choices))


def _holds(kind: ConstraintKind, picks: Sequence[tuple[DeviceId, Values]]) -> bool:
    if len({device for device, _ in picks}) < len(picks):
        return False
    values = [each for _, each in picks]
    if kind is ConstraintKind.MATCH:
        return bool(frozenset.intersection(*values))
    return all(not one & other for one, other in itertools.combinations(values, 2))


def test_what_the_scheduler_allocates_is_never_said_to_be_impossible() -> None:
    looked_at = 0
    for number, case in enumerate(read_cases(ROOT / "fixtures/conformance/allocate.jsonl.gz")):
        if number % _EVERY == 0 and case["expect"]["allocations"] and case["input"].get("features") is None:
            looked_at += 1
            assert "DRA106" not in _rules_of_world(case["input"]), case["id"]
    assert looked_at > 20


def _rules_of_world(world: Mapping[str, Any]) -> set[str]:
    kinds = {
        "claims": "ResourceClaim",
        "allocated": "ResourceClaim",
        "classes": "DeviceClass",
        "slices": "ResourceSlice",
    }
    documents = [{"apiVersion": "v1", "kind": "Node", **world["node"]}]
    for field, kind in kinds.items():
        documents += [{"apiVersion": "resource.k8s.io/v1", "kind": kind, **each} for each in world.get(field) or ()]
    text = "\n---\n".join(map(json.dumps, documents))
    admission = admit(survey([Source("world.yaml", text.encode())]).objects, Settings())
    return {finding.rule for finding in lint(admission.objects, admission.gates, {}).findings}


_PAIR = claim(request("        count: 2\n"), "    constraints:\n    - distinctAttribute: gpu.example.com/uuid\n")


def _with(*attributes: str) -> str:
    listed = "".join(f"  - {{name: g{n}, attributes: {{{each}}}}}\n" for n, each in enumerate(attributes))
    return together(NODE, GPU_CLASS, gpu_slice(listed), _PAIR)


@pytest.mark.parametrize(
    ("attributes", "severity", "told"),
    [
        (("uuid: {string: a}", "UUID: {string: b}", "uuid: {string: c}"), "warning", "device g1 has UUID instead"),
        (("uuid: {string: a}", "UUID: {string: b}"), "warning", "device g1 has UUID instead"),
        (("m: {int: 1}", "m: {int: 1}, uuid: {string: a}", "m: {int: 1}, uuid: {string: b}"), "info", "device g0"),
        (("uuid: {string: a}", "uuid: {string: b}", "part: {int: 1}"), "", ""),
        (("uuid: {string: a}, UUID: {int: 1}", "uuid: {string: b}", "UUID: {int: 2}"), "info", "g2 does not have it"),
    ],
)
def test_devices_that_write_an_attribute_otherwise_or_alone_lack_it(
    attributes: tuple[str, ...], severity: str, told: str
) -> None:
    """Others of their driver have it; devices of another kind need not. Names that those have too are meant."""
    said = json.loads(dractl("lint", "-", "-o", "json", stdin=_with(*attributes).encode()).out)["findings"]
    assert [(each["rule"], each["severity"]) for each in said] == ([("DRA105", severity)] if severity else [])
    assert all(told in each["message"] for each in said)
