"""The answers of the real managers: every fault, and a part of the random nodes (the runner takes them all)."""

# FEATURE: K1, K2, K3, K4, K5, K6, K7, K8

from typing import Any

import pytest

from tests.conformance import kubelet
from tests.conformance.__main__ import read_cases
from tests.fixtures import CONFORMANCE

CASES = [
    *read_cases(CONFORMANCE / "kubelet-faults.jsonl.gz"),
    *[*read_cases(CONFORMANCE / "kubelet.jsonl.gz")][::4],
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_answer_is_that_of_the_real_managers(case: dict[str, Any]) -> None:
    assert kubelet.first_difference(case["expect"], kubelet.answer(case["input"]), frozenset()) is None
