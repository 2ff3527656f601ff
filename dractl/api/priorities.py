"""The priority classes that every cluster has."""

from collections.abc import Mapping
from typing import Final

SYSTEM_PRIORITIES: Final[Mapping[str, int]] = {
    "system-cluster-critical": 2_000_000_000,
    "system-node-critical": 2_000_001_000,
}
