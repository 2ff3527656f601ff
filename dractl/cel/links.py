"""Chains of selections and indexes: `device.attributes["gpu.example.com"].model` (cel.md, Costs, Run time)."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from dractl.cel.faults import COST_LIMIT
from dractl.cel.frame import Code, Frame, pay, stop, stop_singly
from dractl.cel.values import MISSING, NONE, Fault, MapValue, OptionalValue, UInt, Value, type_name


class Link(Struct, frozen=True):
    """One step of a chain: a key that is known, or code that computes it."""

    key: Value
    computed: Code | None = None
    is_optional: bool = False


def chain_code(root: Code, root_price: int, links: Sequence[Link], *, device_root: bool) -> Code:
    """Code for a chain. `root` is evaluated first and costs `root_price` besides what it costs itself."""
    if device_root and len(links) == 3 and not any(link.is_optional or link.computed for link in links):
        first, domain, identifier = (link.key for link in links)
        if first in ("attributes", "capacity") and domain.__class__ is str and identifier.__class__ is str:
            return _device_value(first, domain, identifier, root_price + 3)
    if not any(link.is_optional or link.computed for link in links):
        return _plain_chain(root, root_price, tuple(link.key for link in links))
    return _general_chain(root, root_price, tuple(links))


def _device_value(field: str, domain: str, identifier: str, price: int) -> Code:
    key = (domain, identifier)
    missing = _no_key(identifier)
    is_attribute = field == "attributes"

    def attribute(frame: Frame) -> Value:
        frame.cost = cost = frame.cost + price
        if cost > COST_LIMIT:
            stop_singly(frame)
        return frame.device.attribute_of.get(key, missing)

    def capacity(frame: Frame) -> Value:
        frame.cost = cost = frame.cost + price
        if cost > COST_LIMIT:
            stop_singly(frame)
        return frame.device.capacity_of.get(key, missing)

    return attribute if is_attribute else capacity


def _plain_chain(root: Code, root_price: int, keys: tuple[Value, ...]) -> Code:
    optional = tuple(map(Link, keys))

    def code(frame: Frame) -> Value:
        value = root(frame)
        if value.__class__ is OptionalValue:
            pay(frame, root_price)
            return _optional_rest(frame, value, optional)
        units = root_price
        for key in keys:
            if value.__class__ is Fault:
                break
            value = look_up(value, key)
            units += 1
        frame.cost = cost = frame.cost + units
        if cost > COST_LIMIT:
            stop_singly(frame)
        return value

    return code


def _general_chain(root: Code, root_price: int, links: tuple[Link, ...]) -> Code:
    def code(frame: Frame) -> Value:
        value = root(frame)
        pay(frame, root_price)
        if value.__class__ is OptionalValue:
            return _optional_rest(frame, value, links)
        for number, link in enumerate(links):
            if value.__class__ is Fault:
                return value
            if link.is_optional:
                return _optional_rest(frame, OptionalValue(value), links[number:])
            key = _key(frame, link)
            value = key if key.__class__ is Fault else look_up(value, key)
            pay(frame, 1)
        return value

    return code


def _optional_rest(frame: Frame, optional: OptionalValue, links: Sequence[Link]) -> Value:
    """Follow links that may find nothing; only those that find something cost 1."""
    if not optional.has_value:
        return optional
    value = optional.value
    for link in links:
        key = _key(frame, link)
        found = key if key.__class__ is Fault else find(value, key)
        if found is MISSING:
            return NONE
        if found.__class__ is Fault:
            return found
        pay(frame, 1)
        value = found
    return OptionalValue(value)


def _key(frame: Frame, link: Link) -> Value:
    if link.computed is None:
        return link.key
    key = link.computed(frame)
    if key.__class__ is Fault or key.__class__ in KEY_KINDS:
        return key
    return Fault(f"invalid qualifier type: {type_name(key)}")


KEY_KINDS: Final = frozenset({str, int, UInt, bool, float})
"""What may stand between the brackets of an index."""


def test_code(operand: Code, field: str, *, on_conditional: bool) -> Code:
    """Code for `has(operand.field)`; `operand` is compiled so that its root costs nothing besides its own price.

    The test costs 1, but nothing if an optional does not have the field. Kubernetes takes 1 off for the root, even if
    that is `?:` (`on_conditional`) and has cost nothing; its counter is unsigned, so that 0 less 1 passes the limit.
    """

    def code(frame: Frame) -> Value:
        value = operand(frame)
        if value.__class__ is OptionalValue:
            found = _optional_rest(frame, value, (Link(field),))
            answer = found if found.__class__ is Fault else found.has_value
        else:
            answer = _tested(frame, value, field)
        frame.cost -= on_conditional
        if frame.cost < 0:
            frame.cost %= 2**64
            stop()
        return answer

    return code


def branch_test_code(operand: Code, field: str) -> Code:
    """The same in a branch of `?:` or as a computed key: there an optional is not tested, but followed."""

    def code(frame: Frame) -> Value:
        value = operand(frame)
        if value.__class__ is OptionalValue:
            return _optional_rest(frame, value, (Link(field),))
        return _tested(frame, value, field)

    return code


def _tested(frame: Frame, value: Value, field: str) -> Value:
    if value.__class__ is Fault:
        return value
    found = find(value, field)
    pay(frame, 1)
    return found if found.__class__ is Fault and value.__class__ is tuple else found is not MISSING


def _no_key(key: Value) -> Fault:
    return Fault(f"no such key: {key}")


def look_up(value: Value, key: Value) -> Value:
    """`value[key]` or `value.key`, or why there is nothing."""
    found = find(value, key)
    if found is not MISSING:
        return found
    return Fault(f"index out of bounds: {key}") if value.__class__ is tuple else _no_key(key)


def find(value: Value, key: Value) -> Value:
    """What a value holds under a key, or `MISSING`; a `Fault` if lists have no such keys at all."""
    if isinstance(value, MapValue):
        return value.find(key)
    if value.__class__ is not tuple:
        return MISSING
    index = _offset(key)
    if index is None:
        return Fault(f"unsupported index type in list: {key!r}")
    return value[index] if 0 <= index < len(value) else MISSING


def _offset(key: Value) -> int | None:
    """The index that a number means: doubles count when they are whole."""
    if key.__class__ is int or key.__class__ is UInt:
        return int(key)
    return int(key) if key.__class__ is float and key.is_integer() else None
