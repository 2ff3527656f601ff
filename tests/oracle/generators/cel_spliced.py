"""The fixed expressions of `cel`, joined and with tokens exchanged, dropped or doubled.

    python -m tests.oracle.generators.cel_spliced --seed N --count M > cases.jsonl

Joined ones mostly compile; what happens to tokens shows where the parser and the type checker draw the line. Every third is
asked as a derived attribute, some with gates off.
"""

import argparse
import random
import re
from collections.abc import Iterator

from tests.oracle.generators import cel
from tests.oracle.generators.small_worlds import Json, write

TOKEN = re.compile(r'[bru]*"(?:\\.|[^"\\])*"|\d+(?:\.\d+)?u?|\w+|&&|\|\||[<>=!]=|\.\?|\[\?|.', re.IGNORECASE)
LITERALS = (
    "0",
    "1",
    "-1",
    "2u",
    "1.5",
    '"a"',
    '""',
    "true",
    "null",
    "[]",
    "[1]",
    "{}",
    "dyn(1)",
    "9223372036854775807",
)
JOINS = (
    "({0}) && ({1})", "({0}) || ({1})", "!({0})", "({0}) ? ({1}) : ({2})", "({0}) == ({1})", "({0}) != ({1})", "[{0}, {1}].size() > 1",
    "cel.bind(v, {0}, v && v)", "[{0}].all(e, e)", "[1, 2].exists(e, {0})", "[{0}, {1}, {2}].filter(e, e).size() == 2",
    '{{"k": {0}}}.k', "optional.of({0}).orValue({1})", "dyn({0}) == dyn({1})", "[{0}, {1}].exists_one(e, e)", "({0}) in [{1}]",
    "[{0}].map(e, e ? 1 : 2)[0] == 1", "string({0}) == string({1})", "type({0}) == type({1})", "has({{\"k\": {0}}}.k)",
    "[1].all(e, [2].all(f, {0}))", "cel.bind(v, {0}, cel.bind(w, {1}, v || w))", "({0}) < ({1})", "[[{0}]][0][0]",
)  # fmt: skip


def spoil(text: str, others: list[str], rng: random.Random) -> str:
    """Exchange, drop or double a token, or take one from another expression."""
    tokens = TOKEN.findall(text)
    place = rng.randrange(len(tokens))
    draw = rng.random()
    if draw < 0.3:
        tokens[place] = rng.choice(TOKEN.findall(rng.choice(others)))
    elif draw < 0.5:
        tokens[place] = rng.choice(LITERALS)
    elif draw < 0.7:
        twin = rng.randrange(len(tokens))
        tokens[place], tokens[twin] = tokens[twin], tokens[place]
    elif draw < 0.85:
        del tokens[place]
    else:
        tokens.insert(place, tokens[place])
    return "".join(tokens)


def cases(seed: int, count: int) -> Iterator[Json]:
    """Unanswered cases; the same seed gives the same ones."""
    fixed = [*cel.PLAIN, *cel.DEVICE, *cel.DERIVED]
    for number in range(count):
        rng = random.Random(f"cel-spliced/{seed}/{number}")
        text = rng.choice(fixed)
        if rng.random() < 0.5:
            text = rng.choice(JOINS).format(text, rng.choice(fixed), rng.choice(fixed))
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            text = spoil(text, fixed, rng) if text else "true"
        question: Json = {"expression": text, "device": rng.choice((cel.GPU, cel.GPU, cel.NIC, cel.BARE))}
        if number % 3 == 0:
            question["derived"] = True
        if rng.random() < 0.2:
            question |= {"features": rng.choice(([], ["DRAListTypeAttributes"])), "new": rng.random() < 0.5}
        yield {"id": f"cel-spliced-{seed}-{number:05d}", "input": question}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    write(cases(options.seed, options.count))


if __name__ == "__main__":
    main()
