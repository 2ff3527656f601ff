"""Objects with one thing changed, and what is said about them."""

import copy
from typing import Any

from dractl.api.codec import to_api
from dractl.api.defaults import with_defaults
from dractl.gates import Gates, gates_of, resolve
from dractl.validation.check import violations
from dractl.validation.paths import reported_field
from dractl.validation.rulebook import Rulebook

DEFAULT_GATES = resolve()
EVERY_GATE = Gates("1.37", frozenset(gates_of("1.37")), {})

GONE: Any = object()
"""In place of a value: take the field out."""


def changed(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A copy with other values at dotted paths; numbers lead into lists."""
    result = copy.deepcopy(base)
    for path, value in changes.items():
        *steps, last = (int(step) if step.isdigit() else step for step in path.split("|"))
        node: Any = result
        for step in steps:
            node = node[step]
        if value is GONE:
            del node[last]
        else:
            node[last] = value
    return result


def said(kind: type, data: dict[str, Any], gates: Gates = EVERY_GATE) -> set[tuple[str, str]]:
    """The types (without their beginning) and fields of what the API server would refuse."""
    value: Any = with_defaults(to_api(data, kind))
    found = violations(value, Rulebook.of(gates), {})
    return {
        (violation.type.removeprefix("FieldValue"), reported_field(violation, kind.__name__, "resource.k8s.io/v1"))
        for violation in found
    }
