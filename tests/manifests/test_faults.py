"""Faulty manifests and what is said about them: each file in fixtures/reading has its faults beside it."""

# FEATURE: A1
# FEATURE: A2

from pathlib import Path

import pytest

from dractl.errors import Fault
from dractl.manifests import Source, survey

FOLDER = Path(__file__).parents[2] / "fixtures" / "reading"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".faults")


def as_text(fault: Fault) -> str:
    """One fault in one line, and its remedy in a second."""
    position = fault.position
    assert position is not None
    where = f"{position.line}:{position.column}+{position.length}"
    words = ": ".join(filter(None, [where, fault.subject, fault.field, fault.message]))
    return f"{words}\n    {fault.remedy}" if fault.remedy else words


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_faults_are_told_with_place_and_remedy(path: Path) -> None:
    reading = survey([Source(path.name, path.read_bytes())])
    expected = path.with_name(path.name + ".faults").read_text()
    assert "\n".join(map(as_text, reading.faults)) + "\n" == expected
