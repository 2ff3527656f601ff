"""What the API server refuses when an object is created: a module for each kind, or for a part that kinds share.

Of resource.k8s.io that is validation.md §3 to §14; of the core kinds, in the fields that dractl reads, what the
published server answered (fixtures/conformance, validate-core).
"""

from dractl.validation.attributes import LIST_TYPES
from dractl.validation.check import check
from dractl.validation.violation import Violation, ViolationType

__all__ = ["LIST_TYPES", "Violation", "ViolationType", "check"]
