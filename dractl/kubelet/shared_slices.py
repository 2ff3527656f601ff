"""Subsets in lexicographic order, as a visitor sees them who keeps one while the walk goes on (kubelet.md §4.4).

The kubelet builds each subset by appending to the array of its prefix. A kept subset shares that array with subsets
that come later, and those overwrite it wherever the array had room. This is a fault of the release, and it decides
which NUMA nodes are used.
"""

from collections.abc import Iterator, Sequence
from typing import Final


class SharedSlice:
    """The first `length` numbers of an array that longer slices may share and overwrite."""

    __slots__ = ("_array", "_length")

    def __init__(self, array: list[int], length: int) -> None:
        self._array: Final = array
        self._length: Final = length

    def appended(self, number: int) -> "SharedSlice":
        """One number longer: in the same array if that has room, else in a copy of twice the size."""
        capacity = len(self._array)
        array = self._array
        if self._length == capacity:
            array = [*array, *([0] * max(1, capacity))]
        array[self._length] = number
        return SharedSlice(array, self._length + 1)

    def now(self) -> list[int]:
        """The numbers as they stand now."""
        return self._array[: self._length]


def subsets(numbers: Sequence[int], size: int) -> Iterator[SharedSlice]:
    """Every subset of the size, in lexicographic order of positions. Each is written before it is handed out."""
    return _extended(numbers, size, 0, SharedSlice([], 0))


def _extended(numbers: Sequence[int], size: int, start: int, prefix: SharedSlice) -> Iterator[SharedSlice]:
    if size == 0:
        yield prefix
        return
    for position in range(start, len(numbers) - size + 1):
        yield from _extended(numbers, size - 1, position + 1, prefix.appended(numbers[position]))
