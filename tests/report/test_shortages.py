# FEATURE: C1, P1
"""What is said of capacity, of All without a match, of invalid pools, and of choices among many nodes."""

from dractl.report import table
from dractl.report.explanation import Explainer, Statement
from tests.report.worlds import claim, device_class, node, planned, pod, request, slice_of

GPU = device_class()


def reasons(*documents: str, of: str = "a") -> list[Statement]:
    plan, _ = planned(*documents)
    (outcome,) = [each for each in plan.prediction.outcomes if each.pod.name == of]
    return list(Explainer(plan).of(outcome).reasons)


def test_a_request_that_names_no_amount_takes_the_whole_capacity() -> None:
    shared = slice_of("{name: g0, allowMultipleAllocations: true, capacity: {bandwidth: {value: 5}}}")
    claims = [claim(f"[{request()}]", name) for name in ("one", "two")]
    found = reasons(node(), GPU, shared, *claims, pod("a", "one"), pod("b", "two"), of="b")
    assert found[1].text == (
        "g0 has 0 of bandwidth left, 5 is needed: all of it, as the request names no amount (ml/a uses the rest)"
    )


def test_all_of_nothing_is_no_matter_of_free_devices() -> None:
    none = request(allocationMode="All", selectors="[{cel: {expression: 'false'}}]")
    found = reasons(node(), GPU, slice_of("g0"), claim(f"[{none}]"), pod())
    assert found[1].text.startswith("no device matches, and allocationMode All needs at least one; g0 does not match")


def test_an_invalid_pool_is_named_with_the_reason_and_a_place() -> None:
    twice = [
        slice_of("g0").replace("metadata: {name: n1-", f"metadata: {{name: {name}-").replace("Count: 1", "Count: 2")
        for name in ("x", "y")
    ]
    found = reasons(node(), GPU, *twice, claim(f"[{request(count=2)}]"), pod())
    assert found[-1].text == "pool gpu.example.com/n1 is invalid: device g0 is listed twice"
    assert found[-1].nodes == ("n1",)
    assert found[-1].place is not None


def test_of_many_nodes_with_the_same_score_a_few_are_named() -> None:
    plan, view = planned(*(node(f"n{number}") for number in range(10, 30)), pod("a", None))
    assert "20 nodes (n10, n11, n12, …) have the same score" in table.render(plan, view)


def test_of_many_reasons_for_doubt_a_few_are_shown() -> None:
    pods = [pod(f"p{number}", None, cpu="5") for number in range(8)]
    plan, view = planned(*(node(f"n{number}") for number in range(10, 30)), *pods)
    lines = [line for line in table.render(plan, view).splitlines() if line.startswith("* ")]
    assert len(lines) == 6
    assert lines[-1] == "* 3 more pods are not certain; -o json says why of each"
