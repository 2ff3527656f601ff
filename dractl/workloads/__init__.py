"""Controllers as functions: workloads become pods, templates claims, and ended pods let go."""

from dractl.workloads.expand import Expansion, expand

__all__ = ["Expansion", "expand"]
