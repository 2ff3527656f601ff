"""IP addresses and networks (cel.md, Libraries)."""

import ipaddress
import re
from typing import Final, TypeAlias

from msgspec import Struct

from dractl.cel.declarations import Overload, function, method
from dractl.cel.types import BOOL, CIDR, INT, IP, STRING
from dractl.cel.values import Fault, Value, register_object

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_PREFIX: Final = re.compile(r"(?P<address>[^/]+)/(?P<length>0|[1-9][0-9]{0,2})")
_ADDRESS_CHARACTERS: Final = re.compile(r"[0-9a-fA-F:.]+")


class Ip(Struct, frozen=True):
    """An address; no zone, and no IPv4 address in the clothes of an IPv6 one."""

    address: _Address

    def __str__(self) -> str:
        # Python writes some IPv4-compatible addresses with dots from 3.13 on.
        if isinstance(self.address, ipaddress.IPv4Address):
            return str(self.address)
        return _ipv6_text(int(self.address))


class Cidr(Struct, frozen=True):
    """An address with a prefix length; bits behind the prefix are kept."""

    address: _Address
    length: int

    @property
    def network(self) -> int:
        """The bits of the prefix, the others being zero."""
        hidden = self.address.max_prefixlen - self.length
        return int(self.address) >> hidden << hidden

    def holds(self, address: _Address) -> bool:
        """Whether an address of the same family lies in the network."""
        return address.version == self.address.version and Cidr(address, self.length).network == self.network

    def __str__(self) -> str:
        return f"{Ip(self.address)}/{self.length}"


def _ipv6_text(bits: int) -> str:
    groups = [f"{bits >> shift & 0xFFFF:x}" for shift in range(112, -1, -16)]
    start, count = _longest_zeros(groups)
    if count < 2:
        return ":".join(groups)
    return f"{':'.join(groups[:start])}::{':'.join(groups[start + count :])}"


def _longest_zeros(groups: list[str]) -> tuple[int, int]:
    """Where the longest row of zeros begins, the first of several, and how long it is."""
    best, start = (0, 0), 0
    for number, group in enumerate([*groups, "end"]):
        if group != "0":
            if number - start > best[1]:
                best = start, number - start
            start = number + 1
    return best


register_object(Ip, IP.name, lambda ip: len(ip.address.packed))
register_object(Cidr, CIDR.name, lambda cidr: (cidr.length + 7) // 8)


def parse_address(text: str) -> _Address | None:
    """An address without a zone, or None if the text is none."""
    if not _ADDRESS_CHARACTERS.fullmatch(text):
        return None
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _ip(text: str) -> Value:
    address = parse_address(text)
    if address is None:
        return Fault(f"{text!r} is not an IP address")
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return Fault(f"IPv4-mapped IPv6 address {text!r} is not allowed")
    return Ip(address)


def _cidr(text: str) -> Value:
    match = _PREFIX.fullmatch(text)
    address = _ip(match["address"]) if match else None
    if match is None or not isinstance(address, Ip) or int(match["length"]) > address.address.max_prefixlen:
        return Fault(f"{text!r} is not a network like 10.0.0.0/8")
    return Cidr(address.address, int(match["length"]))


def _is_ip(text: str) -> bool:
    return isinstance(_ip(text), Ip)


def _is_cidr(text: str) -> bool:
    return isinstance(_cidr(text), Cidr)


def _is_canonical(text: str) -> Value:
    found = _ip(text)
    return str(found) == text if isinstance(found, Ip) else found


def _is_multicast(address: _Address) -> bool:
    return address.packed[0] & 0xF0 == 0xE0 if address.version == 4 else address.packed[0] == 0xFF


def _is_link_local_multicast(ip: Ip) -> bool:
    packed = ip.address.packed
    if ip.address.version == 4:
        return packed[:3] == b"\xe0\x00\x00"
    return packed[0] == 0xFF and packed[1] & 0x0F == 2


def _is_link_local_unicast(ip: Ip) -> bool:
    packed = ip.address.packed
    if ip.address.version == 4:
        return packed[:2] == b"\xa9\xfe"
    return packed[0] == 0xFE and packed[1] & 0xC0 == 0x80


def _is_loopback(ip: Ip) -> bool:
    return ip.address.packed[0] == 127 if ip.address.version == 4 else int(ip.address) == 1


def _is_unspecified(ip: Ip) -> bool:
    return int(ip.address) == 0


def _is_global_unicast(ip: Ip) -> bool:
    """Private addresses count as global; broadcast does not."""
    if ip.address.version == 4 and int(ip.address) == 0xFFFFFFFF:
        return False
    return not (_is_unspecified(ip) or _is_loopback(ip) or _is_multicast(ip.address) or _is_link_local_unicast(ip))


def _holds_ip(cidr: Cidr, ip: Ip) -> bool:
    return cidr.holds(ip.address)


def _holds_ip_text(cidr: Cidr, text: str) -> Value:
    found = _ip(text)
    return cidr.holds(found.address) if isinstance(found, Ip) else found


def _holds_cidr(cidr: Cidr, other: Cidr) -> bool:
    return cidr.length <= other.length and cidr.holds(other.address)


def _holds_cidr_text(cidr: Cidr, text: str) -> Value:
    found = _cidr(text)
    return _holds_cidr(cidr, found) if isinstance(found, Cidr) else found


def _masked(cidr: Cidr) -> Cidr:
    return Cidr(type(cidr.address)(cidr.network), cidr.length)


OVERLOADS: Final[list[Overload]] = [
    function("ip", (STRING,), IP, _ip),
    function("isIP", (STRING,), BOOL, _is_ip),
    function("ip.isCanonical", (STRING,), BOOL, _is_canonical),
    function("string", (IP,), STRING, str),
    method("family", (IP,), INT, lambda ip: ip.address.version),
    method("isUnspecified", (IP,), BOOL, _is_unspecified),
    method("isLoopback", (IP,), BOOL, _is_loopback),
    method("isLinkLocalMulticast", (IP,), BOOL, _is_link_local_multicast),
    method("isLinkLocalUnicast", (IP,), BOOL, _is_link_local_unicast),
    method("isGlobalUnicast", (IP,), BOOL, _is_global_unicast),
    function("cidr", (STRING,), CIDR, _cidr),
    function("isCIDR", (STRING,), BOOL, _is_cidr),
    function("string", (CIDR,), STRING, str),
    method("containsIP", (CIDR, STRING), BOOL, _holds_ip_text),
    method("containsIP", (CIDR, IP), BOOL, _holds_ip),
    method("containsCIDR", (CIDR, STRING), BOOL, _holds_cidr_text),
    method("containsCIDR", (CIDR, CIDR), BOOL, _holds_cidr),
    method("ip", (CIDR,), IP, lambda cidr: Ip(cidr.address)),
    method("masked", (CIDR,), CIDR, _masked),
    method("prefixLength", (CIDR,), INT, lambda cidr: cidr.length),
]
