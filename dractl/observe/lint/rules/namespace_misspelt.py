"""Objects in a namespace that is nearly one of the input.

The input has Namespaces, and something in a namespace that is not among them, but nearly.

Why: the API server refuses objects for a namespace that does not exist; and if it does exist, claims, templates and
pods that are meant for each other do not find each other.

Example:

    metadata: {name: train, namespace: trainning}  # and a Namespace training

Instead: the name of the Namespace. The rule is silent where a Namespace or a whole document could not be read.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.usage import misspelt_namespaces


def check(context: LintContext) -> Iterator[Remark]:
    """The first object of each namespace that is not there."""
    meant = dict(misspelt_namespaces(context))
    for each in context.objects:
        namespace = each.ref.namespace
        if each.made_by is None and namespace in meant:
            place = each.place.at("metadata", "namespace")
            remedy = f"did you mean {meant.pop(namespace)}?"
            yield Remark(f"the input has no namespace {namespace}", place, str(each.ref), remedy)


RULE = Rule("DRA209", "namespace-misspelt", Severity.WARNING, __doc__, check, needs_all=("Namespace",))
