"""Two device classes carry the same extended resource name.

Why: only one class can stand for `spec.extendedResourceName`: the younger one, or of equal age the first by name.
Pods that ask for the resource get devices of a class that nobody chose, and which one changes when a class is created
anew.

Example:

    kind: DeviceClass
    metadata: {name: gpu-a}
    spec: {extendedResourceName: example.com/gpu}
    ---
    kind: DeviceClass
    metadata: {name: gpu-b}
    spec: {extendedResourceName: example.com/gpu}

Instead: one name for each class. `deviceclass.resource.kubernetes.io/CLASS` always means one class.
"""

from collections.abc import Iterator

from dractl.api.objects import Sourced
from dractl.api.resource import DeviceClass
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Every class but the first of each name."""
    first: dict[str, Sourced[DeviceClass]] = {}
    for each in context.objects.of(DeviceClass):
        name = each.object.spec.extendedResourceName
        if name and first.setdefault(name, each) is not each:
            yield Remark(
                f"extended resource {name} is class {first[name].ref.name}'s already",
                each.place.at("spec", "extendedResourceName"),
                str(each.ref),
            )


RULE = Rule("DRA108", "extended-resource-twice", Severity.WARNING, __doc__, check)
