"""One pod on one node by the model: the answer of the search, where the search finds one."""

# FEATURE: P2

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from dractl.model import lexicographically_first
from dractl.problem.faults import AllocationFault
from dractl.search import first_fit
from dractl.solution.picks import Fitting, GaveUp, NoFit
from tests.conformance.allocate import problem_of
from tests.verify.builders import claim, device, match, numa, problem, published, wants

CASES = Path(__file__).parents[2] / "fixtures" / "conformance" / "allocate.jsonl.gz"


def test_a_hopeless_search_among_many_devices_ends() -> None:
    pool = published(*(numa(f"gpu-{number}", number // 2) for number in range(40)))
    asked = problem([pool], claim("c", wants("one", 3), wants("two", 3), constraints=[match()]))
    assert isinstance(lexicographically_first(asked, time_limit_seconds=60), NoFit)


def test_without_time_it_gives_up() -> None:
    asked = problem([published(device("gpu-0"))], claim("c", wants("r")))
    assert isinstance(lexicographically_first(asked, time_limit_seconds=0), GaveUp)


def test_no_claims_fit() -> None:
    assert lexicographically_first(problem([]), time_limit_seconds=60) == Fitting(())


def test_the_solver_is_loaded_only_to_build_a_model() -> None:
    loads = "import sys, dractl.model; print('ortools' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.skipif(not CASES.exists(), reason="the conformance cases are not there")
def test_it_picks_what_the_search_picks_in_conformance_cases() -> None:
    compared = 0
    for case in islice(_cases(), 0, None, 7):
        asked = problem_of(case["input"])
        searched = first_fit(asked)
        if isinstance(searched, AllocationFault) and searched.fatal:
            continue
        found = lexicographically_first(asked, time_limit_seconds=60)
        assert found == (searched if isinstance(searched, Fitting) else NoFit()), case["id"]
        compared += 1
    assert compared > 150


def _cases() -> Iterator[Mapping[str, Any]]:
    with gzip.open(CASES, "rt") as lines:
        yield from map(json.loads, lines)
