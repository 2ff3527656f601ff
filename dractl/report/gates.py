"""Feature gates that are not at their default, as notes: nothing is planned with them silently."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from dractl.gates import Gates, gates_of

_WITHOUT: Final = {
    "DRADeviceTaintRules": "ignores the rules",
    "DRAResourcePoolStatus": "answers no request",
}
"""What a cluster does whose gate is off and has no fields to drop (gates.md §4)."""


class GateNote(Struct, frozen=True):
    """A gate that differs from its release's default, or that the input uses in vain."""

    name: str
    enabled: bool
    reason: str

    def text(self, release: str) -> str:
        """The note as a sentence."""
        if self.enabled:
            effect = _WITHOUT.get(self.name, "drops its fields")
            return f"gate {self.name} is on: {self.reason}; a default {release} cluster has it off and {effect}"
        return f"gate {self.name} is off: {self.reason}"


def gate_notes(gates: Gates) -> Iterator[GateNote]:
    """The notes, by name."""
    known = gates_of(gates.release)
    for name, reason in sorted(gates.reasons.items()):
        enabled = name in gates.enabled
        if name not in known or enabled != known[name].default or "though the input uses it" in reason:
            yield GateNote(name, enabled, reason)
