"""Where `dractl` begins: almost nothing is imported yet, so that an early Ctrl-C is met as quietly as a late one."""

import sys
from typing import Final

INTERRUPTED: Final = "interrupted; nothing was decided\n"

_INTERRUPTED_CODE: Final = 130


def run() -> None:
    """Run the command line and exit; no exception and no traceback leaves here unless `-v` asks for it."""
    try:
        from dractl.cli.app import run_app

        run_app()
    except KeyboardInterrupt:
        sys.stderr.write(INTERRUPTED)
        sys.exit(_INTERRUPTED_CODE)
