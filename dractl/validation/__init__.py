"""What the API server refuses when an object is created (validation.md §3 to §14): one module for each kind."""

from dractl.validation.attributes import LIST_TYPES
from dractl.validation.check import check
from dractl.validation.violation import Violation, ViolationType

__all__ = ["LIST_TYPES", "Violation", "ViolationType", "check"]
