# FEATURE: D5
"""Every answer of the published compiler: values, stages of errors, types and costs."""

import gzip
import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.conformance.cel import answer, first_difference

FOLDER: Final = Path(__file__).parents[2] / "fixtures" / "conformance"


def cases() -> list[dict[str, Any]]:
    found = []
    for name in ("cel", "cel-third"):
        with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            found += [json.loads(line) for line in lines]
    return found


def of_kind(prefix: str) -> list[dict[str, Any]]:
    return [case for case in cases() if case["id"].startswith(f"cel-{prefix}-")]


@pytest.mark.parametrize("prefix", ["plain", "device", "derived", "gates", "composed", "third"])
def test_agrees_with_the_published_compiler(prefix: str) -> None:
    found = of_kind(prefix)
    differences = {case["id"]: first_difference(case["expect"], answer(case["input"]), frozenset()) for case in found}
    assert found
    assert {case_id: text for case_id, text in differences.items() if text is not None} == {}
