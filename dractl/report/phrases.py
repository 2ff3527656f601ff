"""How devices, taints and expressions are written, and what a terminal is spared."""

from collections.abc import Iterable

from dractl.api.base import Taint
from dractl.api.identities import DeviceId


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
