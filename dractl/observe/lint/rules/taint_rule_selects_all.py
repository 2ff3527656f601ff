"""A taint rule selects every device of the cluster.

`spec.deviceSelector` of a DeviceTaintRule is empty: `{}` matches every device of every driver, also of those to come.

Why: with effect NoExecute every pod that uses any device is evicted, whatever its priority; with NoSchedule no new
claim gets anything.

Example:

    kind: DeviceTaintRule
    spec:
      deviceSelector: {}
      taint: {key: example.com/firmware, effect: NoExecute}

Instead: name what is meant: `driver`, `pool` (mostly the node) or `device`. Effect `None` shows first what would be
evicted, and so does `dractl taint`.
"""

from collections.abc import Iterator

from dractl.api.resource import DeviceTaintRule, DeviceTaintSelector
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted


def check(context: LintContext) -> Iterator[Remark]:
    """Whether it evicts or only keeps away; effect None only looks."""
    for each in context.objects.of(DeviceTaintRule):
        spec = each.object.spec
        if spec.deviceSelector == DeviceTaintSelector() and spec.taint.effect != "None":
            number = f" ({counted(len(context.devices), 'device')} in the input)" if context.devices else ""
            evicts = spec.taint.effect == "NoExecute"
            yield Remark(
                f"the empty selector matches every device of the cluster{number}: "
                + ("every pod that uses one is evicted" if evicts else "no new claim gets any"),
                each.place.at("spec", "deviceSelector"),
                str(each.ref),
                "name the driver, pool or device that is meant",
            )


RULE = Rule("DRA401", "taint-rule-selects-all", Severity.ERROR, __doc__, check, covers=("taints/selects-all",))
