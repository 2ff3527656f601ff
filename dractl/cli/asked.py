"""Objects that options describe: they are read like documents of an input file, so that they are checked like them."""

import json
from typing import Any, Final

from msgspec.structs import replace

from dractl.finding import Finding
from dractl.manifests import Source

NAME: Final = "command-line"
"""The name of an object that options describe."""

_FILE: Final = "<command line>"


def described(api_version: str, kind: str, spec: dict[str, Any]) -> Source:
    """A cluster-wide object with this spec, as a file that its faults can point into; None leaves a field out."""
    value = {"apiVersion": api_version, "kind": kind, "metadata": {"name": NAME}, "spec": _without_nulls(spec)}
    return Source(_FILE, json.dumps(value, indent=2, ensure_ascii=False).encode())


def without_place_in_options(finding: Finding) -> Finding:
    """A finding about an object that options describe has no place: nobody sees the document that it would be in."""
    return replace(finding, place=None) if finding.place is not None and finding.place.origin.file == _FILE else finding


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return value
