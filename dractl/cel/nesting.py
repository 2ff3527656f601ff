"""Room on the interpreter's stack for deeply nested expressions."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

FRAMES_PER_LEVEL: Final = 6
"""Calls that one level of nesting takes at most, while it is compiled and while it is evaluated."""

MAX_EXPANDED_DEPTH: Final = 1_000
"""How deep an expression may be nested once macros are expanded; far more than any real one."""


@contextmanager
def room_to_recurse(levels: int) -> Iterator[None]:
    """Allow so many levels of nesting below the caller, whatever the caller's own depth is."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + levels * FRAMES_PER_LEVEL)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
