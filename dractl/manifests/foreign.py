"""YAML and JSON among manifests that other programs read: charts and values of Helm, workflows, patches."""

from typing import Any, Final

_FIELDS_OF_OBJECTS: Final = frozenset({"apiversion", "kind", "metadata", "spec"})
"""In lower case: a document with any of them was meant as an object, whatever it lacks."""


def is_foreign(document: Any) -> bool:
    """Whether a document was never meant as a Kubernetes object, so that nobody misses its apiVersion and kind."""
    if isinstance(document, list):
        return bool(document) and not any(_fields_of_object(item) for item in document)
    if not isinstance(document, dict):
        return False
    fields = _fields_of_object(document)
    return not fields or (fields == {"apiversion"} and _is_chart(document))


def _fields_of_object(data: Any) -> set[str]:
    return {str(key).lower() for key in data} & _FIELDS_OF_OBJECTS if isinstance(data, dict) else set()


def _is_chart(document: dict[str, Any]) -> bool:
    """The `Chart.yaml` of Helm: its apiVersion is no group's."""
    return document.get("apiVersion") in ("v1", "v2") and {"name", "version"} <= document.keys()
