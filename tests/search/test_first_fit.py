"""What the search finds first, and how it fails (dra.md §7, §9, §11, §12). FEATURE: D4, D6, D7, D8, D9, D13, D15"""

from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem
from dractl.search import first_fit
from dractl.solution.picks import Fitting, GaveUp, NoFit
from tests.verify.builders import (
    claim,
    device,
    distinct,
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
    wants_first_of,
)


def found(asked: Problem) -> list[str]:
    """The picked devices, as `request:device`."""
    decision = first_fit(asked)
    assert isinstance(decision, Fitting), decision
    picks = [pick for claim_picks in decision.claims for pick in claim_picks.picks]
    return [f"{pick.demand.ref.name}:{pick.candidate.device.id.device}" for pick in picks]


def fault(asked: Problem) -> str:
    decision = first_fit(asked)
    assert isinstance(decision, AllocationFault), decision
    return decision.text


def test_a_match_constraint_makes_an_earlier_pick_move() -> None:
    pool = published(numa("a", 0), numa("b", 1), numa("c", 1))
    assert found(problem([pool], claim("pair", wants("r", 2), constraints=[match()]))) == ["r:b", "r:c"]


def test_list_values_match_by_what_they_have_in_common() -> None:
    pool = published(numa("a", 1, 2), numa("b", 1), numa("c", 2), numa("d", 2))
    assert found(problem([pool], claim("three", wants("r", 3), constraints=[match()]))) == ["r:a", "r:c", "r:d"]


def test_distinct_values_differ_pairwise() -> None:
    pool = published(numa("a", 1), numa("b", 2), numa("c", 1), numa("d", 3))
    assert found(problem([pool], claim("three", wants("r", 3), constraints=[distinct()]))) == ["r:a", "r:b", "r:d"]


def test_a_later_request_makes_an_alternative_change() -> None:
    pool = published(device("a"), device("b"))
    asked = claim("c", wants_first_of("r", two=2, one=1), wants("s"))
    assert found(problem([pool], asked)) == ["r/one:a", "s:b"]


def test_all_takes_every_device_or_fails() -> None:
    pool = published(device("a"), device("b"))
    assert found(problem([pool], claim("c", wants_all("r")))) == ["r:a", "r:b"]
    assert first_fit(problem([pool], claim("c", wants_all("r")), held=[holding("h", took("r", "a"))])) == NoFit()


def test_a_constraint_inside_all_is_fatal() -> None:
    pool = published(numa("a", 0), numa("b", 1))
    text = fault(problem([pool], claim("c", wants_all("r"), constraints=[match()])))
    assert text == (
        "claim lab/c, request r: cannot add device gpu.example.com/pool/b "
        "because a claim constraint would not be satisfied"
    )


def test_counters_keep_partitions_apart() -> None:
    slices = partitioned(4, partition("whole", 4), partition("half", 2), partition("rest", 2))
    assert found(problem(slices, claim("c", wants("r"), wants("s")))) == ["r:half", "s:rest"]


def test_groups_keep_their_set() -> None:
    slices = partitioned(9, partition("a", 1, "red"), partition("b", 1, "blue"), partition("c", 1, "red", "blue"))
    assert found(problem(slices, claim("c", wants("r", 2)))) == ["r:a", "r:c"]


def test_admin_access_first_blocks_a_normal_request_of_the_same_pod() -> None:
    pool = published(device("a"))
    admin, normal = claim("admin", wants("r", adminAccess=True)), claim("normal", wants("r"))
    assert first_fit(problem([pool], admin, normal)) == NoFit()
    assert found(problem([pool], normal, admin)) == ["r:a", "r:a"]


def test_an_invalid_pool_turns_failure_into_an_error_of_the_node() -> None:
    decision = first_fit(problem([published(device("a"), device("a"))], claim("c", wants("r"))))
    assert decision == AllocationFault("invalid resource pools were encountered", fatal=False)


def test_the_search_gives_up_instead_of_going_on_for_ever() -> None:
    pool = published(*(numa(f"d-{number:02}", number // 2) for number in range(24)))
    asked = problem(
        [pool],
        claim(
            "c",
            wants("r", 12),
            constraints=[distinct()],
        ),
        claim("d", wants("r", 13)),
    )
    decision = first_fit(asked, steps=1000)
    assert isinstance(decision, GaveUp)
    assert decision.steps > 1000


def test_a_claim_of_many_devices_is_no_problem_for_the_stack() -> None:
    pool = published(*(device(f"d-{number:03}") for number in range(128)))
    more = published(*(device(f"e-{number:03}") for number in range(128)), pool="second")
    claims = [claim(f"c-{number}", wants("r", 32)) for number in range(8)]
    assert len(found(problem([pool, more], *claims))) == 256


def test_no_claims_fit_everywhere() -> None:
    assert first_fit(problem([])) == Fitting(())
