"""Attributes and capacities that an expression names, and what it may have meant by one that nobody publishes."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dractl.cluster.pools import PoolDevice
from dractl.near_misses import nearest

NAMED: Final = re.compile(
    r"""(attributes|capacity)\s*\[\s*\??\s*["']([^"']+)["']\s*\]\s*(?:\.\s*\??\s*([A-Za-z_]\w*)|\[\s*\??\s*["']([^"']+)["']\s*\])"""
)

_STANDARD_DOMAIN: Final = "resource.kubernetes.io/"
_STANDARD: Final = ("pcieRoot", "pciBusID", "numaNode")


def qualified(name: str, driver: str) -> str:
    """The name with its domain: the driver's where none is written."""
    return name if "/" in name else f"{driver}/{name}"


def published(devices: Iterable[PoolDevice], what: str) -> list[str]:
    """The qualified names of all `attributes` or of every `capacity` that the devices have."""
    names: dict[str, None] = {}
    for each in devices:
        held = each.device.attributes if what == "attributes" else each.device.capacity
        names.update(dict.fromkeys(qualified(name, each.id.driver) for name in held or ()))
    return list(names)


def standard_meant(name: str) -> str:
    """The standard attribute that is nearly this one, if it is of Kubernetes' own domain and none itself."""
    identifier = name.removeprefix(_STANDARD_DOMAIN)
    if not name.startswith(_STANDARD_DOMAIN) or identifier in _STANDARD:
        return ""
    close = nearest(identifier, _STANDARD)
    return f"{_STANDARD_DOMAIN}{close}" if close else ""


def alike(name: str, known: list[str]) -> str:
    """A published name that may be meant: the same id in another domain, else a like one, in its own domain first."""
    domain, _, identifier = name.partition("/")
    same_id = [each for each in known if each.partition("/")[2].lower() == identifier.lower() and each != name]
    if same_id:
        return same_id[0]
    within = nearest(name, [each for each in known if each.startswith(f"{domain}/")])
    if within:
        return within
    close = nearest(identifier, [each.partition("/")[2] for each in known])
    return next((each for each in known if close and each.endswith(f"/{close}")), "")


def spelling_hints(expression: str, devices: Iterable[PoolDevice], whose: str = "here") -> Iterator[str]:
    """For each name in the expression that none of the devices publishes, what may be meant, or that none has it.

    `whose` says which devices these are.
    """
    every = tuple(devices)
    for what, domain, dotted, bracketed in dict.fromkeys(NAMED.findall(expression)):
        name, known = f"{domain}/{dotted or bracketed}", published(every, what)
        if name in known:
            continue
        close = alike(name, known)
        kind = "attribute" if what == "attributes" else "capacity"
        yield f"no device {whose} publishes {kind} {name}" + (f"; did you mean {close}?" if close else "")
