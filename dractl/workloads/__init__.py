"""Controllers as functions: workloads become pods, templates claims, and ended pods let go."""

from dractl.workloads.assumed import named_nodes
from dractl.workloads.expand import Expansion, expand

__all__ = ["Expansion", "expand", "named_nodes"]
