"""Feature gates of Kubernetes 1.34 to 1.37: the table, and which are in force (gates.md §1, §2)."""

from dractl.gates.resolve import DEFAULT_RELEASE, IN_VAIN, Gates, known_release, resolve
from dractl.gates.table import RELEASES, Gate, Stage, gates_of

__all__ = ["DEFAULT_RELEASE", "IN_VAIN", "RELEASES", "Gate", "Gates", "Stage", "gates_of", "known_release", "resolve"]
