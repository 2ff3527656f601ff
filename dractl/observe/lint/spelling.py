"""Attributes and capacities that an expression names, and what it may have meant by one that nobody publishes."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from dractl.cluster.pools import PoolDevice
from dractl.errors import TextSpot
from dractl.near_misses import nearest

NAMED: Final = re.compile(
    r"""(attributes|capacity)\s*\[\s*\??\s*["']([^"']+)["']\s*\]\s*(?:\.\s*\??\s*([A-Za-z_]\w*)|\[\s*\??\s*["']([^"']+)["']\s*\])"""
)

_KINDS: Final = {"attributes": "attribute", "capacity": "capacity"}
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


@lru_cache(maxsize=1024)
def names_in(expression: str) -> dict[tuple[str, str], TextSpot]:
    """Where each of `attributes` or `capacity` is named first, by which of the two it is and the qualified name."""
    found: dict[tuple[str, str], TextSpot] = {}
    for each in NAMED.finditer(expression):
        spot = TextSpot.of(expression, each.start(3 if each[3] else 4))
        found.setdefault((each[1], f"{each[2]}/{each[3] or each[4]}"), spot)
    return found


class Hint(Struct, frozen=True):
    """What may be wrong with an expression, and the character at which that is."""

    text: str
    at: TextSpot


def spelling_hints(expression: str, devices: Iterable[PoolDevice], whose: str = "here") -> Iterator[Hint]:
    """For each name in the expression that none of the devices publishes, what may be meant, or that none has it.

    `whose` says which devices these are.
    """
    every = tuple(devices)
    for (what, name), spot in names_in(expression).items():
        known = published(every, what)
        if name not in known:
            close = alike(name, known)
            meant = f"; did you mean {close}?" if close else ""
            yield Hint(f"no device {whose} publishes {_KINDS[what]} {name}{meant}", spot)
