"""The manifests in the documentation that dractl was built from: each loads, or its faults are the expected ones.

The documents are not part of the repository: they are looked for in `../shared/reference` beside the checkout, or where
DRACTL_SHARED says, and their blocks are cut out when the test runs. `documents.json` has, for each block by the number
of its document and its line there, the kinds that are read and skipped and the rules of what is remarked, or for each
fault its line within the block and its first words. One document has lost its indentation, so that none of it is sound;
the other has examples that v1.37.2 refuses, or that leave parts out.
"""

# FEATURE: A8

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dractl.cli.inputs import Inputs
from dractl.cli.loading import Loaded, load
from dractl.errors import BadInput, Fault
from dractl.manifests import Source
from dractl.planner.settings import Settings

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("DRACTL_SHARED", HERE.parents[1].parent / "shared"))
FOLDER = SHARED / "reference"
EXPECTED: dict[str, Any] = json.loads((HERE / "documents.json").read_text())

START = re.compile(r" *(?:apiVersion|kind): \S+")
PROSE = re.compile("[\u3000-\u9fff\uff00-\uffef]")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the documents are not here")


def blocks() -> Iterator[tuple[str, str]]:
    """Every block of YAML or JSON by document and line: it ends at a blank line, or where prose begins."""
    for number, path in enumerate(sorted(FOLDER.glob("*.txt"))):
        lines = path.read_text(encoding="utf-8").splitlines()
        at = 0
        while at < len(lines):
            if not START.fullmatch(lines[at]) and lines[at] != "{":
                at += 1
                continue
            start = at
            while at < len(lines) and lines[at].strip() and not _is_prose(lines[at]):
                at += 1
            indent = min(len(line) - len(line.lstrip()) for line in lines[start:at])
            yield f"{number}:{start + 1}", "".join(f"{line[indent:]}\n" for line in lines[start:at])


def _is_prose(line: str) -> bool:
    return PROSE.search(line) is not None and "#" not in line


def answer(block: str) -> dict[str, Any]:
    """What the product makes of a block, as `documents.json` has it."""
    loaded = Loaded()
    loaded.inputs = Inputs((Source("block", block.encode()),))
    try:
        admission = load(loaded, Settings(), default_namespace="default")
    except BadInput as bad:
        return {"faults": [[_line(fault, loaded), _words(fault)] for fault in bad.faults]}
    read = [*(each.ref.kind for each in admission.objects), *("DeviceMetadata" for _ in loaded.metadata)]
    remarks = sorted({finding.rule for finding in loaded.findings})
    return {"read": read, "skipped": list(loaded.skipped_kinds), "remarks": remarks}


def _line(fault: Fault, loaded: Loaded) -> int:
    position = fault.position or (loaded.locator.locate(fault.place) if fault.place is not None else None)
    return position.line if position is not None else 0


def _words(fault: Fault) -> str:
    return ": ".join(filter(None, [fault.field, fault.message]))


@pytest.mark.parametrize("name", EXPECTED)
def test_block(name: str) -> None:
    expected, found = EXPECTED[name], answer(dict(blocks())[name])
    if "faults" not in expected:
        assert found == expected
        return
    assert [line for line, _ in found["faults"]] == [line for line, _ in expected["faults"]]
    for (_, words), (_, first_words) in zip(found["faults"], expected["faults"], strict=True):
        assert words.startswith(first_words)


@pytest.mark.parametrize("name", [name for name, each in EXPECTED.items() if "faults" in each])
def test_every_fault_says_what_to_do(name: str) -> None:
    loaded = Loaded()
    loaded.inputs = Inputs((Source("block", dict(blocks())[name].encode()),))
    with pytest.raises(BadInput) as bad:
        load(loaded, Settings(), default_namespace="default")
    assert all(fault.remedy for fault in bad.value.faults)


def test_every_block_has_an_expectation() -> None:
    assert {name for name, _ in blocks()} == set(EXPECTED)
