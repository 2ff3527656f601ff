"""An empty toleration tolerates only taints without a value.

A toleration without key and operator means `Equal` with an empty value: it answers taints whose value is empty, and
no other.

Why: it looks like "everything", which is `operator: Exists`.

Example:

    tolerations: [{}]

Instead:

    tolerations: [{operator: Exists}]
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Tolerations that name no key and compare values."""
    for asked in context.asked:
        for number, toleration in enumerate(asked.demand.tolerations):
            if not toleration.key and toleration.operator != "Exists":
                valued = f"with the value {toleration.value}" if toleration.value else "without a value"
                yield Remark(
                    f"the toleration tolerates only taints {valued}, whatever their key",
                    asked.place.at("tolerations", number),
                    asked.subject,
                    "write `operator: Exists` to tolerate every taint",
                )


RULE = Rule("DRA117", "toleration-empty", Severity.WARNING, __doc__, check)
