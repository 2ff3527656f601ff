"""A request names a device class that is not there.

The input holds device classes, but not the one that the request or alternative names.

Why: the scheduler gives the pod up as soon as it meets an unknown class, even in an alternative that would never be
needed.

Example:

    exactly: {deviceClassName: gpu.exmaple.com}

Instead: the name of a DeviceClass as it stands in its `metadata.name`, or add the class to the input. Where the input
has no classes that were read from a cluster, only a name that is almost that of a class is told.
"""

from collections.abc import Iterator

from dractl.api.resource import DeviceClass
from dractl.finding import Severity
from dractl.near_misses import did_you_mean, nearest
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed, verb


def check(context: LintContext) -> Iterator[Remark]:
    """Names that are almost those of a class, and any others where the classes of a cluster are known.

    A claim that names the same class in several requests is told once.
    """
    known = list(context.cluster.classes)
    is_cluster = is_dumped(context, DeviceClass)
    for claim in context.claims:
        missing: dict[str, list[Asked]] = {}
        for asked in claim.asked:
            name = asked.demand.class_name
            if context.may_be_unread("DeviceClass", "", name):
                continue
            if known and name and asked.demand.device_class is None and (is_cluster or nearest(name, known)):
                missing.setdefault(name, []).append(asked)
        for name, users in missing.items():
            names = listed(each.demand.ref.name for each in users)
            yield Remark(
                f"{verb(len(users), 'request', 'requests')} {names}: there is no device class {name} in the input",
                users[0].place.at("deviceClassName"),
                claim.subject,
                did_you_mean(name, known) or f"the input has {listed(known)}",
            )


RULE = Rule("DRA107", "class-not-found", Severity.WARNING, __doc__, check, needs_slices=True)
