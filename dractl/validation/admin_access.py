"""Admin access is for namespaces that carry a label (validation.md §6)."""

from collections.abc import Iterator, Mapping
from typing import Final

from dractl.api.resource import ResourceClaimSpec
from dractl.errors import FieldPath
from dractl.validation.violation import Violation, ViolationType

LABEL: Final = "resource.kubernetes.io/admin-access"
_REMEDY: Final = f'label the namespace with `{LABEL}: "true"`'


def check_admin_access(
    spec: ResourceClaimSpec, namespace: str, labels: Mapping[str, str] | None, path_of_spec: FieldPath
) -> Iterator[Violation]:
    """The first request with admin access in a namespace that does not allow it.

    Without `labels` the input does not bring the namespace, and nothing is certain. The path is the server's own:
    always below `spec`, for templates too, and without `exactly`; `path_of_spec` is where the claim's spec stands.
    """
    if labels is not None and labels.get(LABEL) == "true":
        return
    for index, request in enumerate(spec.devices.requests or ()):
        if request.exactly is not None and request.exactly.adminAccess:
            if labels is None:
                message = f"admin access needs a label on the namespace {namespace}, which is not part of the input"
            elif LABEL in labels:
                value = f'"{labels[LABEL]}", which is not "true"'
                message = f"admin access needs the label {LABEL} of the namespace {namespace}: its value is {value}"
            else:
                message = f"admin access needs a label that the namespace {namespace} lacks"
            request_path = ("devices", "requests", index)
            yield Violation(
                ("spec", *request_path, "adminAccess"),
                ViolationType.FORBIDDEN,
                message,
                _REMEDY,
                is_certain=labels is not None,
                written_at=(*path_of_spec, *request_path, "exactly", "adminAccess"),
            )
            return
