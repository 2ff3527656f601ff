"""Small allocator worlds, each about one subject, with odd but readable values: limits, mixed forms, objects that the API
refuses.

    python -m tests.oracle.generators.allocate_focus --seed N --count M [--only RECIPE] > cases.jsonl
"""

import argparse

from tests.oracle.generators.focus import amounts, binding, gatekeeping, selecting, sharing
from tests.oracle.generators.small_worlds import Recipe, cases, write

RECIPES: dict[str, Recipe] = {
    **amounts.RECIPES,
    **binding.RECIPES,
    **gatekeeping.RECIPES,
    **selecting.RECIPES,
    **sharing.RECIPES,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", choices=RECIPES)
    options = parser.parse_args()
    recipes = {options.only: RECIPES[options.only]} if options.only else RECIPES
    write(cases("focus", recipes, options.seed, options.count))


if __name__ == "__main__":
    main()
