"""An amount of memory that is a fraction of a byte.

A container or pod asks for memory, ephemeral storage or huge pages, and the amount is not a whole number of bytes.

Why: `m` is a thousandth. The API server takes it with a warning that is easily overlooked, and the request counts as
nothing.

Example:

    resources: {requests: {memory: 12m}}         # 12 thousandths of a byte

Instead: `12M` for millions of bytes, or `12Mi` for 1024 times 1024 of them.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from dractl.api.core import PodSpec, ResourceRequirements
from dractl.api.quantity import NANO, Quantity
from dractl.errors import FieldPath, Place
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext, PodWriting
from dractl.observe.lint.rule import Remark, Rule

_OF_BYTES: Final = ("memory", "ephemeral-storage")
_HUGE_PAGES: Final = "hugepages-"
_THOUSANDTHS: Final = "m"


def check(context: LintContext) -> Iterator[Remark]:
    """Every amount of bytes in pods and templates."""
    for pod in context.pod_writings:
        for path, resources in _resources(pod.spec):
            for field, amounts in (("requests", resources.requests), ("limits", resources.limits)):
                yield from _fractions(pod, amounts or {}, pod.place.at(*path, field))
        yield from _fractions(pod, pod.spec.overhead or {}, pod.place.at("overhead"))


def _resources(spec: PodSpec) -> Iterator[tuple[FieldPath, ResourceRequirements]]:
    for field, containers in (("initContainers", spec.initContainers), ("containers", spec.containers)):
        for number, container in enumerate(containers or ()):
            yield (field, number, "resources"), container.resources
    if spec.resources is not None:
        yield ("resources",), spec.resources


def _fractions(pod: PodWriting, amounts: Mapping[str, Quantity], place: Place) -> Iterator[Remark]:
    for name, amount in amounts.items():
        if amount.nano % NANO and (name in _OF_BYTES or name.startswith(_HUGE_PAGES)):
            text = str(amount)
            number = text.removesuffix(_THOUSANDTHS)
            if number != text:
                message, remedy = f"{number} thousandths of a byte", f"did you mean {number}M or {number}Mi?"
            else:
                message, remedy = "no whole number of bytes", "write a whole number of bytes, as in 512Mi"
            yield Remark(f"{text} of {name} is {message}", place.at(name), pod.subject, remedy)


RULE = Rule("DRA122", "byte-fraction", Severity.WARNING, __doc__, check)
