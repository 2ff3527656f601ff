"""Objects in a namespace that is nearly one of the input.

The input has Namespaces, and something in a namespace that is not among them, while nothing is in one of nearly that
name.

Why: the API server refuses objects for a namespace that does not exist; and if it does exist, claims, templates and
pods that are meant for each other do not find each other.

Example:

    metadata: {name: train, namespace: trainning}  # and a Namespace training with nothing in it

Instead: the name of the Namespace. The rule is silent where a Namespace or a whole document could not be read.
"""

from collections.abc import Iterator

from dractl.api.objects import Sourced
from dractl.finding import Severity
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """The first object of each namespace that is not there."""
    first: dict[str, Sourced[object]] = {}
    for each in context.objects:
        if each.made_by is None and each.ref.namespace:
            first.setdefault(each.ref.namespace, each)
    used = {*first, *(ref.namespace for ref in context.passed_by)}
    empty = [name for name in context.cluster.namespaces if name not in used]
    for namespace, each in first.items():
        if namespace not in context.cluster.namespaces:
            remedy = did_you_mean(namespace, empty)
            if remedy:
                message = f"the input has no namespace {namespace}"
                yield Remark(message, each.place.at("metadata", "namespace"), str(each.ref), remedy)


RULE = Rule("DRA209", "namespace-misspelt", Severity.WARNING, __doc__, check, needs_all=("Namespace",))
