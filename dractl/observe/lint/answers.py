"""What expressions say of many devices: asked once for all devices that look alike to the expression."""

import re
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct, field

from dractl.cel import EvaluationFault, Selector
from dractl.cluster.pools import PoolDevice
from dractl.observe.lint.spelling import NAMED
from dractl.problem.selectors import SelectorUse

Devices: TypeAlias = tuple[PoolDevice, ...]
_Name: TypeAlias = tuple[str, str, str]
"""`attributes` or `capacity`, domain, identifier."""

_SEEN_ANYWAY: Final = re.compile(r"\bdevice\s*\.\s*(?:driver|allowMultipleAllocations)\b")
_DEVICE: Final = re.compile(r"\bdevice\b")
_OF_DEVICE: Final = re.compile(rf"\bdevice\s*\.\s*{NAMED.pattern}(?P<call>\s*\()?")


class Split(Struct, frozen=True):
    """The devices by what a selector says of them, each part in order.

    `is_known` is false for a selector that does not compile: it says nothing. Devices for which all are true are the
    very tuple that was asked about, so that what is computed of it is computed once.
    """

    true: Devices = ()
    false: Devices = ()
    failed: tuple[tuple[PoolDevice, EvaluationFault], ...] = ()
    is_known: bool = True


class Answers(Struct):
    """Remembers what selectors have said. Tuples of devices are known by identity, and kept."""

    _splits: dict[tuple[str, int], Split] = field(default_factory=dict)
    _groups: dict[tuple[frozenset[_Name] | None, int], list[list[PoolDevice]]] = field(default_factory=dict)
    _parts: dict[tuple[int, frozenset[_Name] | None, tuple[int, ...]], Devices] = field(default_factory=dict)
    _kept: dict[int, Devices] = field(default_factory=dict)

    def split(self, use: SelectorUse, devices: Devices) -> Split:
        """What the selector says of the devices."""
        key = (use.expression, id(devices))
        if key not in self._splits:
            self._kept[id(devices)] = devices
            self._splits[key] = self._split(use, devices)
        return self._splits[key]

    def all_true(self, uses: Iterable[SelectorUse], devices: Devices) -> Devices:
        """The devices for which every selector is true; one at which a selector fails is not among them."""
        for use in uses:
            devices = self.split(use, devices).true
        return devices

    def _split(self, use: SelectorUse, devices: Devices) -> Split:
        if not isinstance(use.compiled, Selector):
            return Split(is_known=False)
        names = _names_in(use.expression)
        groups = self._grouped(names, devices)
        answers = [use.compiled.evaluate(group[0].view) for group in groups]
        if all(answer is True for answer in answers):
            return Split(devices)
        true = self._part(devices, names, groups, [number for number, answer in enumerate(answers) if answer is True])
        false = self._part(devices, names, groups, [number for number, answer in enumerate(answers) if answer is False])
        faults = [
            (device, answer)
            for group, answer in zip(groups, answers, strict=True)
            if isinstance(answer, EvaluationFault)
            for device in group
        ]
        return Split(true, false, tuple(faults))

    def _part(
        self, devices: Devices, names: frozenset[_Name] | None, groups: list[list[PoolDevice]], chosen: list[int]
    ) -> Devices:
        key = (id(devices), names, tuple(chosen))
        if key not in self._parts:
            members = {id(device) for number in chosen for device in groups[number]}
            self._parts[key] = tuple(device for device in devices if id(device) in members)
        return self._parts[key]

    def _grouped(self, names: frozenset[_Name] | None, devices: Devices) -> list[list[PoolDevice]]:
        key = (names, id(devices))
        if key not in self._groups:
            self._groups[key] = [[device] for device in devices] if names is None else _grouped(names, devices)
        return self._groups[key]


def _names_in(expression: str) -> frozenset[_Name] | None:
    """The attributes and capacities that decide; None if the expression may see more of a device than those."""
    if "\\" in expression:  # an escaped name is not the name that it stands for
        return None
    found = list(_OF_DEVICE.finditer(expression))
    rest = _SEEN_ANYWAY.sub("", _OF_DEVICE.sub("", expression))
    if _DEVICE.search(rest) or any(match["call"] for match in found):
        return None
    return frozenset((match[1], match[2], match[3] or match[4]) for match in found)


def _grouped(names: frozenset[_Name], devices: Devices) -> list[list[PoolDevice]]:
    look = _look_at(sorted(names))
    groups: dict[object, list[PoolDevice]] = {}
    for device in devices:
        groups.setdefault(look(device), []).append(device)
    return list(groups.values())


def _look_at(names: list[_Name]) -> Callable[[PoolDevice], object]:
    """What an expression sees of a device that looks at these names only."""

    def look(device: PoolDevice) -> object:
        driver = device.id.driver
        seen: list[object] = [driver, bool(device.device.allowMultipleAllocations)]
        fault = device.view.fault
        seen.append(fault.message if fault is not None else None)
        for what, domain, identifier in names:
            held = device.device.attributes if what == "attributes" else device.device.capacity
            value = (held or {}).get(f"{domain}/{identifier}")
            short = (held or {}).get(identifier) if domain == driver else None
            seen.append((_encoded(value), _encoded(short)))
        return tuple(seen)

    return look


def _encoded(value: object) -> bytes | None:
    return None if value is None else msgspec.json.encode(value, enc_hook=str)
