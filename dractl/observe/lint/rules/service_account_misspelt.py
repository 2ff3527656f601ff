"""A pod's service account that is nearly one of the input.

`serviceAccountName` of a pod, or of a workload's template, names no ServiceAccount of its namespace that is in the
input, but nearly one that no pod names.

Why: the API server refuses pods whose account does not exist, and a workload makes none.

Example:

    serviceAccountName: pipelines        # the ServiceAccount is pipeline

Instead: the account's name. The rule is silent about accounts that are like none of the input.
"""

from collections.abc import Iterator
from typing import Final

from dractl.finding import Severity
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule

_ACCOUNT: Final = "ServiceAccount"


def check(context: LintContext) -> Iterator[Remark]:
    """Every pod spec that names an account."""
    accounts = {(ref.namespace, ref.name) for ref in context.passed_by if ref.kind == _ACCOUNT}
    named = {(pod.namespace, pod.spec.serviceAccountName) for pod in context.pod_writings}
    unnamed = sorted(accounts - named)
    for pod in context.pod_writings:
        namespace, name = pod.namespace, pod.spec.serviceAccountName
        if not name or (namespace, name) in accounts:
            continue
        remedy = did_you_mean(name, [other for where, other in unnamed if where == namespace])
        if remedy:
            message = f"there is no service account {name} in namespace {namespace} of the input"
            yield Remark(message, pod.place.at("serviceAccountName"), pod.subject, remedy)


RULE = Rule("DRA603", "service-account-misspelt", Severity.WARNING, __doc__, check)
