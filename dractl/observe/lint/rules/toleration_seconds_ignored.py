"""Seconds of a toleration that nobody counts.

A request's toleration has `tolerationSeconds`, and its effect is not `NoExecute`.

Why: only the controller that evicts pods counts seconds, and it heeds only tolerations whose effect is **exactly**
`NoExecute`. For all others the API server takes the field, and it does nothing.

Example:

    tolerations:
    - {key: example.com/degraded, operator: Exists, effect: NoSchedule, tolerationSeconds: 300}

Instead: `effect: NoExecute` where the pod is to stay for that time, or no seconds.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.rules.toleration_tolerates_nothing import device_taints, is_of_another_effect


def check(context: LintContext) -> Iterator[Remark]:
    """Each such toleration, at the seconds; that it is the effect which is wrong is told there."""
    taints = device_taints(context)
    for asked in context.asked:
        for number, toleration in enumerate(asked.demand.tolerations):
            is_ignored = toleration.tolerationSeconds is not None and toleration.effect != "NoExecute"
            if is_ignored and not is_of_another_effect(toleration, taints):
                effect = f"effect {toleration.effect}" if toleration.effect else "no effect of its own"
                yield Remark(
                    f"tolerationSeconds does nothing in a toleration with {effect}",
                    asked.place.at("tolerations", number, "tolerationSeconds"),
                    asked.subject,
                    "write `effect: NoExecute`, or take the seconds out",
                )


RULE = Rule("DRA120", "toleration-seconds-ignored", Severity.WARNING, __doc__, check)
