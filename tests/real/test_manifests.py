"""Manifests that other people published: each loads, or its faults are the expected ones.

The files are not part of the repository: they are looked for in `../shared` beside the checkout, or where DRACTL_SHARED
says. What is expected of each stands in `manifests.json`: the objects read and the kinds skipped, or for each fault its
line and its first words.
"""

# FEATURE: A1
# FEATURE: A2

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dractl.errors import Fault
from dractl.manifests import Source, survey

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("DRACTL_SHARED", HERE.parents[1].parent / "shared"))
FOLDER = SHARED / "real" / "manifests"
EXPECTED: dict[str, Any] = json.loads((HERE / "manifests.json").read_text())

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the published manifests are not here")


def words_of(fault: Fault) -> str:
    """What the expectation's first words are compared with."""
    return ": ".join(filter(None, [fault.subject, fault.field, fault.message]))


@pytest.mark.parametrize("name", EXPECTED)
def test_published_manifest(name: str) -> None:
    expected = EXPECTED[name]
    reading = survey([Source(name, (FOLDER / name).read_bytes())])
    lines = [fault.position.line if fault.position else 0 for fault in reading.faults]
    assert lines == [line for line, _ in expected.get("faults", [])]
    for fault, (_, words) in zip(reading.faults, expected.get("faults", []), strict=True):
        assert words_of(fault).startswith(words)
        assert fault.remedy or "is written twice" in fault.message
    assert len(reading.objects) == expected["objects"]
    assert Counter(skipped.kind for skipped in reading.skipped) == expected.get("skipped", {})


def test_every_file_has_an_expectation() -> None:
    files = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()}
    assert files == set(EXPECTED)
