"""Questions of kind "validate" while gates are off: those of `validate`, each with the gates that are on.

Usage: python -m tests.oracle.generators.validate_gates [--seed N] [--count M] > cases.jsonl
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

from dractl.gates import gates_of
from tests.oracle.generators.validate import questions

RELEASE = "1.37"
SHARE_OF_DEFAULTS = 0.5


def relevant() -> list[str]:
    """The gates that the oracle sets for this kind."""
    others = ("DynamicResourceAllocation", "NodeDeclaredFeatures", "GenericWorkload")
    return [name for name in gates_of(RELEASE) if name.startswith("DRA") or name in others]


def some_off(dice: random.Random) -> list[str]:
    """All gates but one to four, and but those that need them; locked ones stay on."""
    known = gates_of(RELEASE)
    names = relevant()
    off = {name for name in dice.sample(names, dice.randint(1, 4)) if not known[name].locked}
    while more := {name for name in names if name not in off and off.intersection(known[name].needs)}:
        off |= more
    return [name for name in names if name not in off]


def with_gates(dice: random.Random, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Questions, half of them with the release's default gates."""
    known = gates_of(RELEASE)
    defaults = [name for name in relevant() if known[name].default]
    for label, question in questions(dice, count):
        features = defaults if dice.random() < SHARE_OF_DEFAULTS else some_off(dice)
        yield label, {**question, "features": features}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=900)
    options = parser.parse_args()
    for number, (label, question) in enumerate(with_gates(random.Random(options.seed), options.count)):
        case = {"id": f"validate-gates-{options.seed}-{number:04d}-{label}", "input": question}
        sys.stdout.write(json.dumps(case, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
