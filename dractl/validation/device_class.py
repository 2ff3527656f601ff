"""DeviceClass (validation.md §5)."""

from collections.abc import Iterator
from typing import Final

from dractl.api.resource import DeviceClass
from dractl.validation.expressions import check_selectors
from dractl.validation.formats import extended_resource
from dractl.validation.lists import too_many
from dractl.validation.opaque import check_opaque
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, below, declared

_MOST_CONFIGS: Final = 32


def check_device_class(device_class: DeviceClass, rulebook: Rulebook) -> Iterator[Violation]:
    """What is wrong with the spec of a class."""
    spec = device_class.spec
    yield from below(check_selectors(spec.selectors, rulebook), "spec", "selectors")
    excess = list(too_many(spec.config, _MOST_CONFIGS))
    yield from below(declared(excess), "spec", "config")
    for index, config in enumerate(spec.config or ()) if not excess else ():
        yield from below(check_opaque(config.opaque), "spec", "config", index)
    if spec.extendedResourceName is not None:
        yield from below(declared(extended_resource(spec.extendedResourceName)), "spec", "extendedResourceName")
