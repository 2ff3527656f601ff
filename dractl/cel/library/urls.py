"""URLs, read as Go reads them (cel.md, Libraries): an absolute URI or an absolute path."""

import re
from typing import Final
from urllib.parse import quote, unquote, unquote_plus, unquote_to_bytes

from msgspec import Struct

from dractl.cel.declarations import Overload, function, method
from dractl.cel.library.network import parse_address
from dractl.cel.types import BOOL, STRING, URL, list_of, map_of
from dractl.cel.values import Fault, MapValue, Value, register_object

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?P<rest>.*)", re.DOTALL)
_WRONG_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_USER_INFO: Final = re.compile(r"[A-Za-z0-9._:~!$&'()*+,;=%@-]*")
_HOST: Final = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:\]<>\"-]|[^\x00-\x7f]|%[89A-Fa-f][0-9A-Fa-f])*")
_PORT: Final = re.compile(r"(?::[0-9]*)?")
_VALID_PATH: Final = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/\[\]-]|%[0-9A-Fa-f]{2})*")
_UNESCAPED_IN_PATH: Final = "/$&+,:;=@~"


class _Wrong(Exception):
    """Why a text is no URL."""


class Url(Struct, frozen=True):
    """A URL in parts; path and query as they are written in it."""

    scheme: str = ""
    opaque: str = ""
    user: str = ""
    host: str = ""
    path: str = ""
    query: str = ""
    has_bare_mark: bool = False
    fragment: str = ""

    @property
    def hostname(self) -> str:
        """The host without port and brackets."""
        host = self.host.removesuffix(self._colon_port)
        return host[1:-1] if host.startswith("[") and host.endswith("]") else host

    @property
    def port(self) -> str:
        """The port, or nothing."""
        return self._colon_port[1:]

    @property
    def _colon_port(self) -> str:
        colon = self.host.rfind(":")
        found = self.host[colon:] if colon > self.host.rfind("]") else ""
        return found if _PORT.fullmatch(found) else ""


register_object(Url, URL.name)


def parse_url(text: str) -> Url:
    """Read a URL; raises ValueError if it is none.

    The text is held against the stricter rules of a request first; then a fragment is cut off and `//host` is a host.
    """
    try:
        _parse(text, is_request=True)
        rest, mark, fragment = text.partition("#")
        if mark and _WRONG_ESCAPE.search(fragment):
            raise _Wrong("invalid escape in the fragment")
        found = _parse(rest, is_request=False)
    except _Wrong as wrong:
        raise ValueError(f'parse "{text}": {wrong}') from None
    return found if not fragment else _with_fragment(found, fragment)


def _with_fragment(url: Url, fragment: str) -> Url:
    return Url(url.scheme, url.opaque, url.user, url.host, url.path, url.query, url.has_bare_mark, unquote(fragment))


def _parse(text: str, *, is_request: bool) -> Url:
    if _CONTROL.search(text):
        raise _Wrong("invalid control character in URL")
    if text == "":
        raise _Wrong("empty url")
    if text == "*":
        return Url(path="*")
    scheme, rest = _scheme(text)
    rest, mark, query = rest.partition("?")
    has_bare_mark = bool(mark) and not query
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, rest, query=query, has_bare_mark=has_bare_mark)
        raise _Wrong("invalid URI for request")
    user = host = ""
    has_host = bool(scheme) or (not is_request and not rest.startswith("///"))
    if has_host and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        user, host = _authority(authority)
        rest = slash + path
    if _WRONG_ESCAPE.search(rest):
        raise _Wrong("invalid URL escape in the path")
    return Url(scheme, "", user, host, _escaped_path(rest), query, has_bare_mark)


def _scheme(text: str) -> tuple[str, str]:
    if text.startswith(":"):
        raise _Wrong("missing protocol scheme")
    match = _SCHEME.fullmatch(text)
    return (match["scheme"].lower(), match["rest"]) if match else ("", text)


def _authority(text: str) -> tuple[str, str]:
    user, _, host = text.rpartition("@")
    if not _USER_INFO.fullmatch(user) or _WRONG_ESCAPE.search(user):
        raise _Wrong("invalid userinfo")
    return user, _host(host)


def _host(host: str) -> str:
    if "[" in host:
        return _bracketed(host)
    colon = host.rfind(":")
    first_colon = host.find(":")
    if colon >= 0 and (not _PORT.fullmatch(host[colon:]) or first_colon != colon):
        raise _Wrong(f"invalid port {host[first_colon:]!r} after host")
    if not _HOST.fullmatch(host):
        raise _Wrong("invalid character or escape in host name")
    return unquote(host)


def _bracketed(host: str) -> str:
    """`[IPv6]` with an optional zone and port."""
    end = host.rfind("]")
    if not host.startswith("[") or end < 0:
        raise _Wrong("invalid IP-literal")
    if not _PORT.fullmatch(host[end + 1 :]):
        raise _Wrong(f"invalid port {host[end + 1 :]!r} after host")
    address, has_zone, zone = host[1:end].partition("%25")
    if parse_address(address) is None or ":" not in address or _WRONG_ESCAPE.search(zone):
        raise _Wrong("invalid IP-literal")
    return f"[{address}{'%' + unquote(zone) if has_zone else ''}{host[end:]}"


def _escaped_path(path: str) -> str:
    """The path as it is written if that is a valid encoding, else encoded anew."""
    return path if _VALID_PATH.fullmatch(path) else quote(unquote_to_bytes(path), _UNESCAPED_IN_PATH)


def _url(text: str) -> Value:
    try:
        return parse_url(text)
    except ValueError as wrong:
        return Fault(str(wrong))


def _is_url(text: str) -> bool:
    return isinstance(_url(text), Url)


def _query(url: Url) -> MapValue:
    """Keys with their values; pairs with a semicolon or a wrong escape are left out."""
    found: dict[str, list[str]] = {}
    for pair in url.query.split("&"):
        if pair == "" or ";" in pair or _WRONG_ESCAPE.search(pair):
            continue
        key, _, value = pair.partition("=")
        found.setdefault(unquote_plus(key), []).append(unquote_plus(value))
    return MapValue.from_pairs((key, tuple(values)) for key, values in found.items())


OVERLOADS: Final[list[Overload]] = [
    function("url", (STRING,), URL, _url),
    function("isURL", (STRING,), BOOL, _is_url),
    method("getScheme", (URL,), STRING, lambda url: url.scheme),
    method("getHost", (URL,), STRING, lambda url: url.host),
    method("getHostname", (URL,), STRING, lambda url: url.hostname),
    method("getPort", (URL,), STRING, lambda url: url.port),
    method("getEscapedPath", (URL,), STRING, lambda url: url.path),
    method("getQuery", (URL,), map_of(STRING, list_of(STRING)), _query),
]
