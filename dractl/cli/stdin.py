"""Standard input."""

import sys


def read_stdin() -> bytes:
    """What comes on standard input: nothing where it is closed, as it is for some services."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read()
