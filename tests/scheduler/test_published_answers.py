# FEATURE: P1, A5, D16, D17, D24
"""The prediction compared with what kube-scheduler v1.37.2 answered (fixtures/conformance/README.md)."""

from typing import Any, Final

import pytest

from tests.conformance import schedule
from tests.conformance.__main__ import read_cases
from tests.fixtures import CONFORMANCE

CASES: Final = [
    *read_cases(CONFORMANCE / "schedule-written.jsonl.gz"),
    *read_cases(CONFORMANCE / "schedule-configured.jsonl.gz"),
    *read_cases(CONFORMANCE / "schedule-groups.jsonl.gz"),
    *[*read_cases(CONFORMANCE / "schedule-site.jsonl.gz")][::4],
    *[*read_cases(CONFORMANCE / "schedule-focus.jsonl.gz")][::8],
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_prediction_is_what_the_scheduler_did(case: dict[str, Any]) -> None:
    answer = schedule.answer(case["input"])
    assert schedule.first_difference(case["expect"], answer, frozenset()) is None
