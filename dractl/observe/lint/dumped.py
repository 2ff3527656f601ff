"""What of a cluster the input holds: manifests show some of its objects, a dump all that it has of a kind."""

from typing import Any

from dractl.observe.lint.context import LintContext


def is_dumped(context: LintContext, kind: type[Any], namespace: str = "") -> bool:
    """Whether objects of a kind, in a namespace where one is given, were read from a cluster: then all of them were."""
    return (kind, namespace) in context.dumped
