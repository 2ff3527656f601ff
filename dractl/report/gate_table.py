"""`dractl gates`: every feature gate of a release, its stage, its state and why; as a table and as JSON."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import Struct

from dractl import __version__
from dractl.cluster.features import Features
from dractl.gates import Gates, gates_of
from dractl.report.canvas import Canvas, styled
from dractl.report.gates import gate_notes
from dractl.report.view import View

VERSION: Final = "dractl/v1"
_NOT_THERE: Final = "–"


class GateRow(Struct, frozen=True):
    """One gate. `stage` and `default` are None for a gate that the input uses and the release does not know."""

    name: str
    stage: str | None
    is_on: bool
    default: bool | None
    is_locked: bool
    needs: tuple[str, ...]
    reason: str

    @property
    def state(self) -> str:
        """`on`, `off`, and whether it can be changed."""
        return f"{'on' if self.is_on else 'off'}{' (locked)' if self.is_locked else ''}"

    @property
    def is_changed(self) -> bool:
        """Whether a cluster of the release has the gate otherwise by default."""
        return self.is_on != bool(self.default)


def gate_rows(gates: Gates) -> Iterator[GateRow]:
    """The gates that the release knows in the order of their names, then those that it does not know."""
    known = gates_of(gates.release)
    for name in sorted(known):
        gate = known[name]
        yield GateRow(
            name, gate.stage.value, gates.is_on(name), gate.default, gate.locked, gate.needs, gates.reasons[name]
        )
    for name in sorted(gates.reasons.keys() - known.keys()):
        yield GateRow(name, None, False, None, False, (), gates.reasons[name])


def render_table(gates: Gates, view: View) -> str:
    """One line a gate, what differs from a default cluster in colour, and what follows from the whole set."""
    canvas = Canvas(view)
    rows = [
        (
            row.name,
            row.stage or _NOT_THERE,
            styled(row.state, "yellow" if row.is_changed else ""),
            row.reason,
        )
        for row in gate_rows(gates)
    ]
    canvas.table(("GATE", "STAGE", "STATE", "REASON"), rows)
    canvas.line()
    allocator = Features.of(gates.enabled).implementation
    canvas.paragraph(f"Kubernetes {gates.release}, the same set for all components. Devices: {allocator} allocator.")
    for note in gate_notes(gates):
        canvas.paragraph(f"note: {note.text(gates.release)}", style="cyan")
    return canvas.text()


def render_json(gates: Gates, _: View) -> str:
    """The same as data, as `schema/gates-v1.json` describes it."""
    plain: dict[str, Any] = {
        "apiVersion": VERSION,
        "kind": "FeatureGates",
        "dractlVersion": __version__,
        "kubernetesVersion": gates.release,
        "allocator": str(Features.of(gates.enabled).implementation),
        "featureGates": [
            {
                "name": row.name,
                "stage": row.stage,
                "enabled": row.is_on,
                "default": row.default,
                "locked": row.is_locked,
                "needs": list(row.needs),
                "reason": row.reason,
            }
            for row in gate_rows(gates)
        ],
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


FORMATS: Final[dict[str, Callable[[Gates, View], str]]] = {"table": render_table, "json": render_json}
"""The formats of `dractl gates`; the default comes first."""
