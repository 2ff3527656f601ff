"""Names and amounts of what containers and pods request, of what nodes have and of what quotas limit."""

from collections.abc import Iterator, Mapping
from typing import Final

from dractl.api.quantity import Quantity
from dractl.validation.formats import label_key
from dractl.validation.violation import Violation, below, invalid

HUGE_PAGES: Final = "hugepages-"
OF_CONTAINERS: Final = ("cpu", "memory", "ephemeral-storage")
_NATIVE_DOMAIN: Final = "kubernetes.io/"
_QUOTA_PREFIX: Final = "requests."
_OBJECTS: Final = frozenset(
    {
        "pods",
        "services",
        "resourcequotas",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    }
)
_OF_QUOTAS: Final = frozenset(
    {
        *OF_CONTAINERS,
        *(f"{prefix}.{name}" for prefix in ("requests", "limits") for name in OF_CONTAINERS),
        *_OBJECTS,
        "requests.storage",
    }
)
_EXAMPLE: Final = "write cpu, memory, ephemeral-storage, or a name with a domain such as example.com/gpu"

Amounts = Mapping[str, Quantity]


def is_huge_pages(name: str) -> bool:
    """Whether the resource is huge pages of some size."""
    return name.startswith(HUGE_PAGES)


def is_native(name: str) -> bool:
    """Whether the resource is one of Kubernetes itself."""
    return "/" not in name or _NATIVE_DOMAIN in name


def is_extended(name: str) -> bool:
    """Whether the resource is one that a node announces under a domain of its own."""
    return not is_native(name) and not name.startswith(_QUOTA_PREFIX) and not label_key(_QUOTA_PREFIX + name)


def is_counted(name: str) -> bool:
    """Whether there are only whole ones of the resource: objects and devices."""
    return name in _OBJECTS or is_extended(name)


def can_be_overcommitted(name: str) -> bool:
    """Whether a request may stay below its limit."""
    return is_native(name) and not is_huge_pages(name)


def is_known_to_quotas(name: str) -> bool:
    """Whether a name without a domain is one that quotas count."""
    return name in _OF_QUOTAS or name.removeprefix(_QUOTA_PREFIX).startswith(HUGE_PAGES)


def is_standard(name: str) -> bool:
    """Whether a name without a domain is one of Kubernetes' own."""
    return name == "storage" or is_known_to_quotas(name)


def check_container_resource(name: str) -> Iterator[Violation]:
    """The name of a resource of a container; a domain of its own needs the form of an extended resource."""
    flaws = label_key(name)
    if flaws:
        yield from flaws
    elif "/" not in name and name not in OF_CONTAINERS and not is_huge_pages(name):
        yield invalid(f'"{name}" is no resource of containers', _EXAMPLE)
    elif not is_native(name) and not is_extended(name):
        yield invalid(f'"{name}" is not a name for an extended resource', "write it like example.com/gpu")


def check_amounts(amounts: Amounts | None) -> Iterator[Violation]:
    """Signs, fractions and sizes; paths begin at the map."""
    for name, amount in (amounts or {}).items():
        yield from below(_check_amount(name, amount), name)


def _check_amount(name: str, amount: Quantity) -> Iterator[Violation]:
    if amount.nano < 0:
        yield invalid(f"{amount} is less than nothing", "write 0 or more")
    if is_counted(name) and not amount.is_whole:
        yield invalid(f"{amount} of {name} is not a whole number", "write a whole number")
    if is_huge_pages(name) and not _are_whole_pages(name, amount):
        yield invalid(f"{amount} is not a multiple of the page size in {name}", "write a multiple of the page size")


def _are_whole_pages(name: str, amount: Quantity) -> bool:
    try:
        page = Quantity.parse(name.removeprefix(HUGE_PAGES))
    except ValueError:
        return False
    return page.nano > 0 and amount.nano % page.nano == 0
