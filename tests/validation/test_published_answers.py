"""Every answer of the published API server: with all gates on, with default gates, with some off; and on core kinds."""

# FEATURE: A7

from pathlib import Path
from typing import Final

import pytest

from tests.conformance import __main__ as runner
from tests.conformance import validate

FOLDER: Final = Path(__file__).parents[2] / "fixtures" / "conformance"


@pytest.mark.parametrize("name", ["validate", "validate-gates", "validate-core", "validate-running", "validate-third"])
def test_agrees_with_the_published_server(name: str) -> None:
    cases = list(runner.read_cases(FOLDER / f"{name}.jsonl.gz"))
    results = [runner.run_case(validate, case, frozenset()) for case in cases]
    assert cases
    assert {result.case_id: result.difference for result in results if result.difference} == {}
