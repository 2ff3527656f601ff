"""The priority of pods that name none: of all PriorityClasses only one can be the default."""

from collections.abc import Mapping

from dractl.api.core import PriorityClass
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet
from dractl.validation.violation import Violation, ViolationType


def second_defaults(objects: ObjectSet) -> Mapping[ObjectRef, Violation]:
    """The classes that come too late: one that a cluster has already comes before those that are written."""
    defaults = [each for each in objects.of(PriorityClass) if each.object.globalDefault]
    if not defaults:
        return {}
    first = next((each for each in defaults if each.metadata.is_dump), defaults[0])
    message = f"{first.ref.name} is the default of all pods already"
    remedy = "let one class be the default: take `globalDefault` out of the others"
    return {
        each.ref: Violation(("globalDefault",), ViolationType.FORBIDDEN, message, remedy)
        for each in defaults
        if each is not first
    }
