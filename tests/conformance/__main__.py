"""Run cases of one kind: `python -m tests.conformance KIND FILE… [--show ID] [--known FILE] [--without FIELDS]`."""

import argparse
import gzip
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.conformance.kinds import KINDS, Kind, load

SECONDS_PER_CASE: Final = 10.0
LARGEST_KNOWN_SHARE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Result:
    """One case: None if it agrees, else the first difference."""

    case_id: str
    difference: str | None


def read_cases(path: Path) -> Iterator[dict[str, Any]]:
    """The cases of a `.jsonl` or `.jsonl.gz` file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def read_known(path: Path) -> dict[str, str]:
    """Ids that still differ, one a line: the id, then its reason."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    entries = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    for entry in entries:
        if len(entry) < 2:
            raise SystemExit(f"{path}: {entry[0]} has no reason")
    return dict(entries)


def run_case(kind: Kind, case: Mapping[str, Any], without: frozenset[str]) -> Result:
    """Answer one case and compare; an exception or ten seconds count as a difference."""
    start = time.monotonic()
    try:
        difference = kind.first_difference(case["expect"], kind.answer(case["input"]), without)
    except Exception as error:
        difference = f"{type(error).__name__}: {error}"
    seconds = time.monotonic() - start
    if seconds > SECONDS_PER_CASE:
        difference = f"took {seconds:.1f} s"
    return Result(case["id"], difference)


def judge(results: Sequence[Result], known: Mapping[str, str]) -> list[str]:
    """What is wrong with a run, as lines; nothing means that it passed."""
    lines = [f"{r.case_id}: {r.difference}" for r in results if r.difference and r.case_id not in known]
    agreeing = {r.case_id for r in results if not r.difference}
    present = {r.case_id for r in results}
    lines += [f"{case_id}: agrees, take it out of the known list" for case_id in known if case_id in agreeing]
    lines += [f"{case_id}: is in the known list but no case" for case_id in known if case_id not in present]
    if len(known) > LARGEST_KNOWN_SHARE * len(results):
        lines.append(f"{len(known)} of {len(results)} cases are listed as known; 5 % is the limit")
    return lines


def show(kind: Kind, case: Mapping[str, Any]) -> None:
    """Both answers to one case."""
    print(json.dumps(case["input"], indent=1, ensure_ascii=False))
    print("expected", json.dumps(case["expect"], indent=1, ensure_ascii=False))
    print("answered", json.dumps(kind.answer(case["input"]), indent=1, ensure_ascii=False))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", metavar="ID", help="print input and both answers of one case")
    parser.add_argument("--known", type=Path, metavar="FILE", help="ids that still differ, each with its reason")
    parser.add_argument("--without", default="", metavar="FIELDS", help="fields not to compare, separated by commas")
    options = parser.parse_args(arguments)
    kind = load(options.kind)
    if kind is None:
        print(f"{options.kind}: not answered yet")
        return 1
    cases = [case for path in options.files for case in read_cases(path)]
    if options.show is not None:
        for case in cases:
            if case["id"] == options.show:
                show(kind, case)
        return 0
    without = frozenset(filter(None, options.without.split(",")))
    results = [run_case(kind, case, without) for case in cases]
    known = read_known(options.known) if options.known is not None else {}
    lines = judge(results, known)
    print("\n".join(lines), end="\n" if lines else "")
    print(f"{options.kind}: {sum(not r.difference for r in results)} of {len(results)} agree")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
