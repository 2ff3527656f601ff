"""The runner itself: known lists, exit codes, and what it prints."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import __main__ as runner


class Doubling:
    """A product that doubles numbers, and fails on 3."""

    def answer(self, case_input: Mapping[str, Any]) -> dict[str, Any]:
        if case_input["n"] == 3:
            raise ZeroDivisionError("three")
        return {"n": case_input["n"] * 2}

    def first_difference(
        self, expect: Mapping[str, Any], answer: Mapping[str, Any], without: frozenset[str]
    ) -> str | None:
        return None if "n" in without or expect["n"] == answer["n"] else f"n: expected {expect['n']}, got {answer['n']}"


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twenty cases of which the second and the third disagree."""
    monkeypatch.setattr(runner, "load", lambda _: Doubling())
    path = tmp_path / "cases.jsonl"
    expected = [2, 5, 6, *(2 * n for n in range(4, 21))]
    lines = [{"id": f"c-{n}", "input": {"n": n}, "expect": {"n": wanted}} for n, wanted in enumerate(expected, 1)]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


def test_disagreements_are_listed_and_counted(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main(["cel", str(cases)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "c-2: n: expected 5, got 4",
        "c-3: ZeroDivisionError: three",
        "cel: 18 of 20 agree",
    ]


def test_fields_can_be_left_out(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main(["cel", str(cases), "--without", "n"]) == 1
    assert "cel: 19 of 20 agree" in capsys.readouterr().out


def test_a_known_case_does_not_fail_the_run(cases: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("# open\nc-2 the answer is wrong\n")
    results = [
        runner.run_case(Doubling(), case, frozenset()) for case in runner.read_cases(cases) if case["id"] != "c-3"
    ]
    assert runner.judge(results * 2, runner.read_known(known)) == []


def test_a_known_case_that_agrees_fails_the_run(
    cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = tmp_path / "known.txt"
    known.write_text("c-1 was wrong once\n")
    assert runner.main(["cel", str(cases), "--known", str(known)]) == 1
    assert "c-1: agrees, take it out of the known list" in capsys.readouterr().out


def test_too_many_known_cases_fail_the_run(cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = tmp_path / "known.txt"
    known.write_text("c-2 why\nc-3 why\n")
    assert runner.main(["cel", str(cases), "--known", str(known)]) == 1
    assert "5 % is the limit" in capsys.readouterr().out


def test_a_known_case_needs_a_reason(tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("c-2\n")
    with pytest.raises(SystemExit, match="c-2 has no reason"):
        runner.read_known(known)


def test_show_prints_both_answers(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main(["cel", str(cases), "--show", "c-2"]) == 0
    out = capsys.readouterr().out
    assert '"n": 5' in out
    assert '"n": 4' in out
