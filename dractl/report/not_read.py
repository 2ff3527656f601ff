"""What the input holds beside what is looked at."""

from collections import Counter

from msgspec import Struct

from dractl.phrases import counted, listed


class NotRead(Struct, frozen=True):
    """Kinds of objects, documents that are none, files that Helm or kustomize renders, other files of a folder."""

    kinds: tuple[str, ...] = ()
    documents: int = 0
    unrendered: int = 0
    files: int = 0

    def __str__(self) -> str:
        """`1 MPIJob, 2 NetworkPolicies and 3 other files`; empty if all was read."""
        parts = [counted(number, kind, _plural(kind)) for kind, number in sorted(Counter(self.kinds).items())]
        if self.documents:
            parts.append(counted(self.documents, "document that is no object", "documents that are no objects"))
        if self.unrendered:
            parts.append(counted(self.unrendered, "file for Helm or kustomize", "files for Helm or kustomize"))
        if self.files:
            parts.append(counted(self.files, "other file"))
        return listed(parts, at_most=8)


def _plural(kind: str) -> str:
    if kind.endswith("y") and kind[-2:-1] not in "aeiou":
        return f"{kind[:-1]}ies"
    if kind.endswith("s") and not kind.endswith("ss"):
        return kind  # Endpoints, DeviceAttributes: a plural already
    return f"{kind}es" if kind.endswith(("ss", "x", "ch", "sh")) else f"{kind}s"
