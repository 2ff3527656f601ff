"""`-o yaml`: claims and pods as a cluster would have them after the prediction, as one `List`."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from dractl.api.codec import to_plain
from dractl.planner.plan import Plan
from dractl.report.view import View

_PLAIN: Final = re.compile(r"[A-Za-z/][A-Za-z0-9/_.\-]*")
_UNSAFE: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""What JSON may hold as it stands and YAML may not."""
_SPECIAL: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Words that YAML 1.1, which Kubernetes reads, takes for something else than text."""


def render(plan: Plan, view: View) -> str:
    """ResourceClaims with their allocations and reservations, then Pods with their nodes and claim statuses."""
    items = [*_claims(plan, view), *_pods(plan, view)]
    return "\n".join(emit({"apiVersion": "v1", "kind": "List", "items": items})) + "\n"


def _claims(plan: Plan, view: View) -> Iterator[dict[str, Any]]:
    for ref, claim in plan.prediction.claims.items():
        if view.namespace in (None, ref.namespace):
            yield {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **to_plain(claim)}


def _pods(plan: Plan, view: View) -> Iterator[dict[str, Any]]:
    for ref, pod in plan.prediction.pods.items():
        if view.shows(ref) and ref not in plan.prediction.preempted:
            yield {"apiVersion": "v1", "kind": "Pod", **to_plain(pod)}


def emit(value: Any, indent: str = "") -> Iterator[str]:
    """Plain data as lines of YAML that versions 1.1 and 1.2 read alike: text that could be more is quoted."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from _entry(f"{indent}{_scalar(str(key))}:", each, indent)
    elif isinstance(value, list) and value:
        for each in value:
            lines = list(emit(each, f"{indent}  "))
            yield f"{indent}- {lines[0].lstrip()}"
            yield from lines[1:]
    else:
        yield f"{indent}{_scalar(value)}"


def _entry(key: str, value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield key
        yield from emit(value, f"{indent}  " if isinstance(value, dict) else indent)
    else:
        yield f"{key} {_scalar(value)}"


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _SPECIAL:
        return value
    return _UNSAFE.sub(_escaped, json.dumps(value, ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
