"""Small pieces of English: lists, numbers, names of devices."""

from collections.abc import Iterable, Sequence

from dractl.api.base import Taint
from dractl.api.identities import DeviceId

_NAMED_AT_MOST = 4


def listed(names: Sequence[str], *, at_most: int = _NAMED_AT_MOST) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c, d and 12 more`; one more than allowed is named all the same."""
    if len(names) > at_most + 1:
        return f"{', '.join(names[:at_most])} and {len(names) - at_most} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 pod`, `2 pods`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def verb(number: int, singular: str, plural: str) -> str:
    """The form of a verb that goes with so many subjects."""
    return singular if number == 1 else plural


def device_name(device: DeviceId, node: str) -> str:
    """The device's name; the pool stands before it where it is not named like the node."""
    return device.device if device.pool == node else f"{device.pool}/{device.device}"


def device_names(devices: Iterable[DeviceId], node: str) -> list[str]:
    """The names of devices on a node, with drivers where two would look alike."""
    ids = list(dict.fromkeys(devices))
    short = [device_name(device, node) for device in ids]
    return short if len(set(short)) == len(short) else [str(device) for device in ids]


def taint_text(taint: Taint) -> str:
    """A taint as kubectl writes it."""
    return f"{taint.key}={taint.value}:{taint.effect}" if taint.value else f"{taint.key}:{taint.effect}"


def shortened(expression: str, *, width: int = 90) -> str:
    """A CEL expression on one line, cut where it is long."""
    flat = " ".join(expression.split())
    return flat if len(flat) <= width else f"{flat[: width - 1]}…"


def safe(text: str) -> str:
    """The text with characters that could steer a terminal made harmless."""
    return "".join(char if char.isprintable() else "�" for char in text)
