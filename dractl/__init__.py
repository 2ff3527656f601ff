"""dractl: an allocation planner for Kubernetes Dynamic Resource Allocation."""

from typing import Final

__version__: Final = "0.1.0"
