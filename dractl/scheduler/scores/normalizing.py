"""From raw scores to 0 … 100 (scheduling.md §8); divisions are whole and round towards zero."""

from collections.abc import Mapping
from typing import Final

Scores = Mapping[str, int]
"""By node name."""

BEST: Final = 100


def highest_is_best(raw: Scores) -> Scores:
    """`100·s/max`, 0 everywhere if the largest is 0."""
    largest = max(raw.values(), default=0)
    return {node: BEST * score // largest if largest else 0 for node, score in raw.items()}


def lowest_is_best(raw: Scores) -> Scores:
    """`100 − 100·s/max`, 100 everywhere if the largest is 0."""
    largest = max(raw.values(), default=0)
    return {node: BEST - BEST * score // largest if largest else BEST for node, score in raw.items()}
