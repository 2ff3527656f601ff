"""Immutable sets of small numbers: CPUs and NUMA nodes, with the kernel's list notation (`0-3,8`)."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NoReturn, Self

_PART: Final = re.compile(r"\s*(?P<first>\d+)\s*(?:-\s*(?P<last>\d+)\s*)?", re.ASCII)
LARGEST_ID: Final = 2**20 - 1
"""A list that names larger numbers is refused: no machine has them, and a set is as long as its largest member."""


class IdSet:
    """A set of numbers from 0, held as the bits of one integer.

    Equal and of equal hash when of the same type and with the same members. Iteration is ascending. `mask` has bit `n`
    set for member `n`; loops over many sets work on masks and make sets only of what they keep.
    """

    __slots__ = ("mask",)

    mask: int

    def __init__(self, members: Iterable[int] = ()) -> None:
        mask = 0
        for member in members:
            mask |= 1 << member
        object.__setattr__(self, "mask", mask)

    @classmethod
    def of_mask(cls, mask: int) -> Self:
        """The set with the bits of a non-negative integer."""
        made = cls.__new__(cls)
        object.__setattr__(made, "mask", mask)
        return made

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the kernel's list notation: numbers and ranges, separated by commas; the empty text is the empty set.

        Raises ValueError that names the part which is not understood.
        """
        mask = 0
        if not text.strip():
            return cls()
        for part in text.split(","):
            match = _PART.fullmatch(part)
            if match is None:
                raise ValueError(f"{part.strip()!r} is neither a number nor a range such as 0-3")
            first = int(match["first"])
            last = first if match["last"] is None else int(match["last"])
            if last < first:
                raise ValueError(f"the range {part.strip()!r} runs backwards")
            if last > LARGEST_ID:
                raise ValueError(f"{last} is too large; the largest number that is read is {LARGEST_ID}")
            mask |= (1 << (last + 1)) - (1 << first)
        return cls.of_mask(mask)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a set cannot be changed ({name})")

    def __reduce__(self) -> tuple[type[Self], tuple[list[int]]]:
        return type(self), (list(self),)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __contains__(self, member: int) -> bool:
        return member >= 0 and self.mask >> member & 1 == 1

    def __iter__(self) -> Iterator[int]:
        return iter(members_of(self.mask))

    def __or__(self, other: Self) -> Self:
        return self.of_mask(self.mask | other.mask)

    def __and__(self, other: Self) -> Self:
        return self.of_mask(self.mask & other.mask)

    def __sub__(self, other: Self) -> Self:
        return self.of_mask(self.mask & ~other.mask)

    def __le__(self, other: Self) -> bool:
        """Whether every member is in the other set."""
        return self.mask & ~other.mask == 0

    def isdisjoint(self, other: Self) -> bool:
        """Whether the sets have no member in common."""
        return self.mask & other.mask == 0

    def __str__(self) -> str:
        """The kernel's list notation, shortest form: `0-1,4`; the empty set is the empty text."""
        return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in _runs(self.mask))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"


class CpuSet(IdSet):
    """Logical CPUs by the kernel's number."""

    __slots__ = ()


class NumaSet(IdSet):
    """NUMA nodes by the kernel's number, which may leave gaps (0, 8, 250)."""

    __slots__ = ()


NO_CPUS: Final = CpuSet()
NO_NODES: Final = NumaSet()


def members_of(mask: int) -> list[int]:
    """The numbers of the bits that are set, ascending."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """First and last of each run of neighbours, ascending."""
    first = 0
    while mask:
        skipped = (mask & -mask).bit_length() - 1
        mask >>= skipped
        first += skipped
        length = (~mask & (mask + 1)).bit_length() - 1
        yield first, first + length - 1
        mask >>= length
        first += length
