"""What the headers of `fixtures/cases` say about who is placed and with what, and what is not answered yet."""

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Expected:
    """The prediction of one world: the exit code, and of each pod the devices by request; None if it is not placed.

    `optimum` is the same for the optimum, where the header speaks of it. `says` are parts of the page.
    """

    code: int
    pods: dict[str, dict[str, list[str]] | None]
    says: tuple[str, ...] = ()
    optimum: dict[str, dict[str, list[str]] | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Missing:
    """A part of the answer that a later feature brings, by the row of the feature table that it belongs to."""

    row: str
    says: str


EXPECTED: Final = {
    "01-list-match-backtrack": Expected(0, {"p": {"r": ["dev1", "dev3", "dev4"]}}),
    "02-distinct-multi-device": Expected(0, {"p": {"r": ["d1", "d2", "d4"]}}),
    "04-first-fit-waste": Expected(
        1,
        {"p-small": {"r": ["d80"]}, "p-big": None},
        ("d80 is held by default/p-small", "It would fit if default/p-small took d4: the optimum places both pods."),
        {"p-small": {"r": ["d4"]}, "p-big": {"r": ["d80"]}},
    ),
    "06-pool-count-disagrees": Expected(
        3, {"p": None}, ("disagree about resourceSliceCount", "slice-a says 1", "slice-b says 2")
    ),
    "08-slice-count-zero": Expected(
        1,
        {"p": None},
        ("pool a.example.com/n1 is incomplete", "spec.pool.resourceSliceCount: must be greater than 0"),
    ),
    "09-cross-driver-key-mismatch": Expected(
        1,
        {"p": None},
        (
            "gpu-0 has no resource.kubernetes.io/pcieRoot, only gpu.example.com/pciRoot",
            "With derivedAttributes (alpha, gate DRADerivedAttributes)",
        ),
    ),
    "13-admin-access-counters": Expected(
        1,
        {"mon": None},
        (
            "full needs 2 of counter gpu-0/units, 0 is left",
            "v1.37.2 charges counters to admin access (kubernetes#140729); by the documented rules claim mon would get "
            "full on n1: admin access consumes nothing.",
            "Optimum     0 of 1 pod placed, proven",
            "by the documented rules 1 of 1 pod: needs the fix of kubernetes#140729",
        ),
        {"mon": None},
    ),
    "15-capacity-rounding": Expected(0, {"p1": {"r": ["d"]}, "p2": {"r": ["d"]}}),
    "30-podgroup-shared-claim-node": Expected(
        1,
        {"left": None, "right": None},
        (
            "its PodGroup twins starts with 2 pods or not at all, and 1 of its pods finds a node",
            "the pod itself would run on n1",
            "on n2 claim card holds devices that can be used only on n1",
            "0/2 nodes are available: 1 Insufficient cpu, 1 resourceclaim not available on the node.",
            "Optimum     0 of 2 pods placed, proven",
        ),
        {"left": None, "right": None},
    ),
    "32-shared-device-with-counters": Expected(0, {"p": {"r0": ["nic-a"], "r1": ["nic-a"]}}),
    "33-capacity-next-device": Expected(0, {"late": {"a": ["link-1"], "b": ["link-2"]}}),
    "24-dra-cpu-with-static-policy": Expected(
        1,
        {"p": {"r": ["cpudevnuma000"]}},
        ("cpuManagerPolicy static beside driver dra.cpu", "claims are allocated but not prepared"),
    ),
    "37-cel-attribute-missing-on-one-node": Expected(
        1,
        {"p": None, "q": None},
        (
            "the scheduler's attempt ends with an error",
            "no such key: mode",
            "that keeps the pod from every node, and each retry meets the error again",
            "Test that the attribute is there before reading it: has(…), in, or .?NAME.orValue(…).",
        ),
    ),
}

MISSING: Final[dict[str, Missing]] = {}

ELSEWHERE: Final = {
    "11-empty-taint-selector": "tests/cli/test_taint.py",
    "20-numa-memory-single-vs-cross": "tests/cases/test_machines.py",
    "22-smt-alignment": "tests/cases/test_machines.py",
    "38-hybrid-cpu-reserved-thread": "tests/cases/test_machines.py",
    "40-strict-reservation-empties-pool": "tests/cases/test_machines.py",
    "42-most-devices-node-not-preferred": "tests/cases/test_machines.py",
    "44-max-numa-nodes-not-a-number": "tests/cases/test_machines.py",
}
"""Cases about another command than `plan`, or about machines, and the test that asks them."""
