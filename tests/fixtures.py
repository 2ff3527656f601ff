"""Where the fixtures of the project lie."""

from pathlib import Path
from typing import Final

FIXTURES: Final = Path(__file__).parent.parent / "fixtures"
CONFORMANCE: Final = FIXTURES / "conformance"
