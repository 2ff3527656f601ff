"""What the containers of a pod have together."""

from collections.abc import Callable, Iterable, Mapping

from dractl.api.core import Container
from dractl.api.quantity import Quantity


def at_one_time(
    apps: Iterable[Container],
    inits: Iterable[Container],
    amounts: Callable[[Container], Mapping[str, Quantity] | None],
) -> dict[str, Quantity]:
    """The most that a pod has of each resource at one time: sidecars stay, other init containers run one by one."""
    staying: dict[str, Quantity] = {}
    peak: dict[str, Quantity] = {}
    ordered = [*((one, one.restartPolicy == "Always") for one in inits), *((one, True) for one in apps)]
    for container, stays in ordered:
        for name, amount in (amounts(container) or {}).items():
            beside = staying[name] + amount if name in staying else amount
            if stays:
                staying[name] = beside
            peak[name] = max(peak.get(name, beside), beside)
    return peak
