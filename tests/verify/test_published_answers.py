"""The checker against the real allocator: its answers are sound, spoilt ones are not; where it finds none, none is."""

# FEATURE: D1 D15
import gzip
import json
import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from dractl.api.codec import to_plain
from dractl.solution.verify import check_allocations
from tests.verify.enumeration import TooManyCombinations, first_sound_answer
from tests.verify.worlds_of_cases import Allocations, allocations_of, problem_of, spoilt, swapped

FIXTURES: Final = Path(__file__).parents[2] / "fixtures" / "conformance"
FILES: Final = [FIXTURES / f"{name}.jsonl.gz" for name in ("allocate-faults", "allocate")]

pytestmark = pytest.mark.skipif(not all(file.exists() for file in FILES), reason="the published answers are not there")


@cache
def cases() -> tuple[dict[str, Any], ...]:
    found: list[dict[str, Any]] = []
    for file in FILES:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found += [json.loads(line) for line in lines]
    return tuple(found)


def allocated() -> list[dict[str, Any]]:
    return [case for case in cases() if case["expect"]["allocations"]]


def test_every_published_answer_is_sound() -> None:
    found = {
        case["id"]: violations
        for case in allocated()
        if (violations := check_allocations(problem_of(case["input"]), allocations_of(case["expect"])))
    }
    assert found == {}


def test_every_spoilt_answer_is_refused() -> None:
    chance = random.Random(37)
    accepted = []
    for case in allocated()[::3]:
        problem = problem_of(case["input"])
        for what, answer in spoilt(problem, allocations_of(case["expect"]), chance):
            if not check_allocations(problem, answer):
                accepted.append(f"{case['id']}: {what}")
    assert accepted == []


def test_most_answers_with_another_device_are_refused() -> None:
    chance = random.Random(37)
    judged: Counter[bool] = Counter()
    for case in allocated():
        problem = problem_of(case["input"])
        answer = swapped(problem, allocations_of(case["expect"]), chance)
        if answer is not None:
            judged[bool(check_allocations(problem, answer))] += 1
    assert judged[True] > 5 * judged[False]


def test_the_first_sound_combination_is_the_published_answer() -> None:
    """Too strict a checker would find a later answer or none, too lax a one an earlier answer or one too many."""
    wrong, enumerated = [], 0
    for case in cases()[::5]:
        if case["expect"]["fatal"]:
            continue
        try:
            answer = first_sound_answer(problem_of(case["input"]))
        except TooManyCombinations:
            continue
        enumerated += 1
        if numbered(answer) != case["expect"]["allocations"]:
            wrong.append(case["id"])
    assert wrong == []
    assert enumerated > 150


def numbered(answer: Allocations | None) -> Any:
    """Plain data, with share ids in order of appearance as the published answers have them."""
    if answer is None:
        return None
    names: dict[str, str] = {}
    plain = to_plain(answer)
    for allocation in plain:
        for result in allocation.get("devices", {}).get("results", ()):
            if "shareID" in result:
                result["shareID"] = names.setdefault(result["shareID"], f"share-{len(names) + 1}")
    return list(plain)
