# FEATURE: D15
"""Each known fault of v1.37.2 and what the documented rules make of the same question (dra.md §18).

Search, model and checker are asked about the same small worlds.
"""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from dractl.api.resource import DeviceRequest, DeviceSubRequest
from dractl.cluster.features import Features
from dractl.cluster.upstream import UpstreamFault
from dractl.model import lexicographically_first
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem
from dractl.search import first_fit
from dractl.solution.picks import Decision, Fitting, NoFit
from dractl.solution.verify import check_allocations
from tests.verify.builders import (
    allocation,
    claim,
    device,
    holding,
    match,
    numa,
    partition,
    partitioned,
    problem,
    published,
    took,
    wants,
    wants_all,
)

V1_37_2 = Features()
DOCUMENTED = V1_37_2.documented

Ask = Callable[[Features], Problem]


def without(fault: UpstreamFault) -> Features:
    return V1_37_2.without(fault)


def picks(decision: Decision) -> list[str] | None:
    """The picked devices, as `request:device`; None if nothing fits."""
    if isinstance(decision, NoFit):
        return None
    assert isinstance(decision, Fitting), decision
    found = [pick for claim_picks in decision.claims for pick in claim_picks.picks]
    return [f"{pick.demand.ref.name}:{pick.candidate.device.id.device}" for pick in found]


def both(asked: Problem) -> list[str] | None:
    """What search and model agree on."""
    searched = picks(first_fit(asked))
    assert picks(lexicographically_first(asked, time_limit_seconds=60)) == searched
    return searched


def admin_on_held_partition(features: Features) -> Problem:
    pool = partitioned(40, partition("full", 40))
    asked = claim("mon", wants("r", adminAccess=True))
    return problem(pool, asked, held=[holding("own", took("r", "full"))], features=features)


def admin_before_a_normal_request(features: Features) -> Problem:
    pool = published(device("a"))
    return problem([pool], claim("mon", wants("m", adminAccess=True)), claim("own", wants("o")), features=features)


def all_beside_a_driver_that_skips(features: Features) -> Problem:
    slices = [published(device("a")), published(device("b"), pool="other", skipNodeOperations=["Prepare"])]
    return problem(slices, claim("c", wants_all("r")), features=features)


def all_with_counters_off(features: Features) -> Problem:
    off = replace(features, partitionable_devices=False)
    return problem([published(device("a"), partition("b", 10))], claim("c", wants_all("r")), features=off)


def other_set_overdrawn(features: Features) -> Problem:
    devices = [partition("a", 30), partition("b", 30), partition("c", 10, of="second")]
    pool = partitioned(40, *devices, sets=("board", "second"))
    held = [holding("one", took("r", "a")), holding("two", took("r", "b"))]
    return problem(pool, claim("c", wants("r")), held=held, features=features)


def all_breaks_a_constraint(features: Features) -> Problem:
    alternatives = [
        DeviceSubRequest(name="every", deviceClassName="gpu", allocationMode="All"),
        DeviceSubRequest(name="one", deviceClassName="gpu", allocationMode="ExactCount", count=1),
    ]
    asked = claim("c", DeviceRequest(name="r", firstAvailable=alternatives), constraints=[match()])
    return problem([published(numa("a", 0), numa("b", 1))], asked, features=features)


@pytest.mark.parametrize(
    ("fault", "ask", "documented"),
    [
        (UpstreamFault.ADMIN_PAYS_COUNTERS, admin_on_held_partition, ["r:full"]),
        (UpstreamFault.ADMIN_BLOCKS_LATER, admin_before_a_normal_request, ["m:a", "o:a"]),
        (UpstreamFault.ALL_TAKES_UNUSABLE, all_beside_a_driver_that_skips, ["r:a"]),
        (UpstreamFault.ALL_TAKES_UNUSABLE, all_with_counters_off, ["r:a"]),
        (UpstreamFault.OVERDRAWN_SET_BLOCKS_POOL, other_set_overdrawn, ["r:c"]),
    ],
)
def test_the_fault_alone_makes_the_difference(fault: UpstreamFault, ask: Ask, documented: list[str]) -> None:
    assert both(ask(V1_37_2)) is None
    assert both(ask(without(fault))) == both(ask(DOCUMENTED)) == documented
    others = [each for each in UpstreamFault if each is not fault]
    assert both(ask(V1_37_2.without(*others))) is None


def test_a_constraint_inside_all_ends_the_attempt_or_not() -> None:
    assert isinstance(first_fit(all_breaks_a_constraint(V1_37_2)), AllocationFault)
    assert both(all_breaks_a_constraint(without(UpstreamFault.CONSTRAINT_ENDS_ALL))) == ["r/one:a"]
    assert both(all_breaks_a_constraint(DOCUMENTED)) == ["r/one:a"]


def test_the_model_places_nothing_behind_all_that_ends_the_attempt() -> None:
    found = lexicographically_first(all_breaks_a_constraint(V1_37_2), time_limit_seconds=60)
    assert picks(found) is None


def test_by_the_documented_rules_a_share_for_admin_access_pays_for_nobody() -> None:
    shared = partition("s", 30, allowMultipleAllocations=True)
    pool = partitioned(40, shared, partition("b", 20))
    asked = [claim("mon", wants("m", adminAccess=True)), claim("own", wants("o")), claim("more", wants("p"))]
    assert both(problem(pool, *asked, features=DOCUMENTED)) == ["m:s", "o:s", "p:s"]
    # The board is too small for s: admin access has a share of it all the same, and nobody else does.
    pool = partitioned(25, shared, partition("b", 20))
    assert both(problem(pool, *asked[:2], features=DOCUMENTED)) == ["m:s", "o:b"]
    assert both(problem(pool, *asked[:2], features=V1_37_2)) is None


def test_within_a_claim_a_device_occurs_once_by_either_rules() -> None:
    asked = claim("c", wants("m", adminAccess=True), wants("o"))
    for features in (V1_37_2, DOCUMENTED):
        assert both(problem([published(device("a"))], asked, features=features)) is None


# --- the checker -----------------------------------------------------------------------------------------------------


def answers(ask: Ask) -> dict[str, set[str]]:
    """What the checker says of the documented answer under both rule sets, by the rules that it names."""
    found = first_fit(ask(DOCUMENTED))
    assert isinstance(found, Fitting)
    allocations = []
    for claim_picks in found.claims:
        results = [
            took(
                pick.demand.ref.name,
                pick.candidate.device.id.device,
                pool=pick.candidate.device.id.pool,
                **({"adminAccess": True} if pick.demand.admin_access else {}),
            )
            for pick in claim_picks.picks
        ]
        allocations.append(allocation(*results))
    violations = [each for features in (V1_37_2, DOCUMENTED) for each in check_allocations(ask(features), allocations)]
    said: dict[str, set[str]] = {}
    for violation in violations:
        said.setdefault(violation.checked_by, set()).add(violation.rule)
        assert f"by {violation.checked_by}" in str(violation)
    return said


@pytest.mark.parametrize(
    ("ask", "rule"),
    [
        (admin_on_held_partition, "no-counter-is-overdrawn"),
        (admin_before_a_normal_request, "each-device-is-taken-once"),
        (all_beside_a_driver_that_skips, "all-leaves-no-matching-device-out"),
        (all_with_counters_off, "all-leaves-no-matching-device-out"),
        (other_set_overdrawn, "no-counter-is-overdrawn"),
    ],
)
def test_the_checker_goes_by_either_rules_and_says_which(ask: Ask, rule: str) -> None:
    assert answers(ask) == {"the rules of v1.37.2": {rule}}
