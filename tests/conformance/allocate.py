"""Kind `allocate`: which devices the scheduler picks for claims on one node (dra.md)."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from dractl.api.codec import to_api, to_plain
from dractl.api.core import Node
from dractl.api.defaults import with_defaults
from dractl.api.resource import AllocationResult, DeviceClass, ResourceClaim, ResourceSlice
from dractl.cluster.features import GATES, Features, Implementation
from dractl.cluster.pools import PoolIndex
from dractl.cluster.usage import Usage
from dractl.problem.demands import demands_of
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem, build_problem
from dractl.search import first_fit
from dractl.solution.allocation import build_allocation
from dractl.solution.picks import Fitting, GaveUp

COMPARED: Final = ("allocations", "error", "fatal", "timeout", "implementation")

_ALL_GATES: Final = (*GATES.values(), "DRAResourceClaimDeviceStatus")

# What follows comes from Go's libraries, or is a dump of the whole object (dra.md §20).
_CUTS: Final = (
    re.compile(r"^(?P<kept>gather pool information: failed to perform node selection for device ).*$", re.DOTALL),
    re.compile(r"^(?P<kept>(?:.*for slice [^ ]*: )?failed to parse node selector).*$", re.DOTALL),
    re.compile(r"^(?P<kept>.*CEL (?:compile|runtime) error: ).*$", re.DOTALL),
    re.compile(r"^(?P<kept>.*? failed: ).*$", re.DOTALL),
    re.compile(r"^(?P<kept>.*could not retrieve device class [^:]*: ).*$", re.DOTALL),
)


def problem_of(case_input: Mapping[str, Any]) -> Problem:
    """The problem that a case describes, built as `dractl plan` does for one pod and one node."""
    forced = case_input.get("allocator")
    gates = case_input.get("features")
    features = Features.of(_ALL_GATES if gates is None else gates, Implementation(forced) if forced else None)
    node = to_api(case_input["node"], Node)
    slices = [to_api(slice_, ResourceSlice) for slice_ in case_input["slices"]]
    classes = [to_api(device_class, DeviceClass) for device_class in case_input["classes"]]
    claims = [with_defaults(to_api(claim, ResourceClaim)) for claim in case_input["claims"]]
    allocated = [to_api(claim, ResourceClaim) for claim in case_input["allocated"]]
    by_name = {device_class.metadata.name: device_class for device_class in reversed(classes)}
    return build_problem(
        node,
        PoolIndex(slices, features).for_node(node),
        [demands_of(claim, by_name, features) for claim in claims],
        Usage.of(allocated, features),
        features,
    )


def answer(case_input: Mapping[str, Any]) -> dict[str, Any]:
    """Decide as `dractl plan` does for one pod and one node."""
    problem = problem_of(case_input)
    decision = first_fit(problem)
    found: dict[str, Any] = {
        "allocations": None,
        "error": None,
        "fatal": False,
        "timeout": isinstance(decision, GaveUp),
        "implementation": str(problem.features.implementation),
    }
    if isinstance(decision, Fitting):
        allocations = [build_allocation(problem, picked) for picked in decision.claims]
        fault = next((item for item in allocations if isinstance(item, AllocationFault)), None)
        if fault is None:
            found["allocations"] = _numbered([item for item in allocations if isinstance(item, AllocationResult)])
            return found
        found |= {"error": fault.text, "fatal": fault.fatal}
    elif isinstance(decision, AllocationFault):
        found |= {"error": decision.text, "fatal": decision.fatal}
    return found


def first_difference(expect: Mapping[str, Any], answer: Mapping[str, Any], without: frozenset[str]) -> str | None:
    """All fields but the tail of texts that Go's libraries write."""
    for field in COMPARED:
        wanted, got = expect.get(field), answer.get(field)
        if field == "error":
            wanted, got = _cut(wanted), _cut(got)
        if field not in without and wanted != got:
            return f"{field}: expected {_short(wanted)}, got {_short(got)}"
    return None


def _numbered(allocations: list[AllocationResult]) -> list[Any]:
    """Share ids as `share-1`, … in order of appearance."""
    names: dict[str, str] = {}
    plain = [to_plain(allocation) for allocation in allocations]
    for allocation in plain:
        for result in allocation.get("devices", {}).get("results", ()):
            if "shareID" in result:
                result["shareID"] = names.setdefault(result["shareID"], f"share-{len(names) + 1}")
    return plain


def _cut(text: str | None) -> str | None:
    for pattern in _CUTS:
        if text is not None and (match := pattern.match(text)):
            return match["kept"]
    return text


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 400 else text[:400] + "…"
