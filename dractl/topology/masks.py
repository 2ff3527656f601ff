"""CPU sets written as hexadecimal words: sysfs (`00ff,ffffffff`) and hwloc (`0x000000ff,,0x000000ff`, `0xf...f`)."""

import re
from typing import Final

from dractl.machine.idsets import LARGEST_ID, CpuSet

_WORD: Final = re.compile(r"(?:0x)?([0-9a-fA-F]{0,8})")
_WORD_BITS: Final = 32
_MOST_WORDS: Final = (LARGEST_ID + 1) // _WORD_BITS
INFINITE: Final = "0xf...f"


def parse_mask(text: str) -> CpuSet:
    """Words of 32 bits, the most significant first; an empty word is 0 (topology-dumps.md §2.1, §2.3).

    Raises ValueError for anything else, an infinite set included.
    """
    words = text.strip().split(",")
    if len(words) > _MOST_WORDS:
        raise ValueError("the mask has more bits than any machine has CPUs")
    mask = 0
    for word in words:
        match = _WORD.fullmatch(word.strip())
        if match is None:
            raise ValueError(f"{word.strip()!r} is no 32-bit word in hexadecimal")
        mask = mask << _WORD_BITS | int(match[1] or "0", 16)
    return CpuSet.of_mask(mask)
