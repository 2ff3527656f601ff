"""The forms that names and values have (validation.md §3).

Each function gives what is wrong with a text; nothing for a sound one. Lengths are bytes, as the server counts them.
"""

import re
from functools import lru_cache
from typing import Final, TypeAlias

from dractl.api.version import Version
from dractl.validation.violation import Violation, ViolationType

Flaws: TypeAlias = tuple[Violation, ...]
"""What is wrong with one text, at the text's own path."""

_CACHE_SIZE: Final = 65_536

LONGEST_LABEL: Final = 63
LONGEST_SUBDOMAIN: Final = 253
LONGEST_DRIVER: Final = 63
LONGEST_IDENTIFIER: Final = 32
LONGEST_ATTRIBUTE: Final = 64

_LABEL: Final = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_LABELS: Final = re.compile(_LABEL)
_SUBDOMAINS: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_IDENTIFIERS: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAME_PARTS: Final = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?")

_LABEL_FORM: Final = 'use lower-case letters, digits and "-", beginning and ending with a letter or digit'
_SUBDOMAIN_FORM: Final = "write a lower-case DNS name such as gpu.example.com"
_IDENTIFIER_FORM: Final = 'use letters, digits and "_", not beginning with a digit'
_KEY_FORM: Final = 'write NAME or DOMAIN/NAME; NAME has letters, digits, "-", "_" and "."'
QUALIFIED_FORM: Final = "write it as DOMAIN/NAME, for example resource.kubernetes.io/pcieRoot"


def size(text: str) -> int:
    """Bytes of a text."""
    return len(text) if text.isascii() else len(text.encode())


def _invalid(message: str, remedy: str) -> Violation:
    return Violation((), ViolationType.INVALID, message, remedy)


def _shown(text: str) -> str:
    return f'"{text if len(text) <= 80 else text[:77] + "…"}"'


def _too_long(text: str, limit: int) -> Violation:
    message = f"{_shown(text)} has {size(text)} bytes: at most {limit} are allowed"
    return Violation((), ViolationType.TOO_LONG, message, "choose a shorter one")


def missing(what: str, remedy: str = "") -> Violation:
    """A field that has to be set."""
    return Violation((), ViolationType.REQUIRED, f"{what} is missing", remedy)


# --- DNS names -------------------------------------------------------------------------------------------------------


def _is_label(text: str) -> bool:
    return size(text) <= LONGEST_LABEL and _LABELS.fullmatch(text) is not None


def _is_subdomain(text: str) -> bool:
    return size(text) <= LONGEST_SUBDOMAIN and _SUBDOMAINS.fullmatch(text) is not None


@lru_cache(maxsize=_CACHE_SIZE)
def label(text: str) -> Flaws:
    """A DNS label: `gpu-0`."""
    if _is_label(text):
        return ()
    if size(text) > LONGEST_LABEL:
        message = f"{_shown(text)} has {size(text)} bytes: a name has at most {LONGEST_LABEL}"
    elif "." in text and _is_subdomain(text):
        message = f"{_shown(text)} has a dot, which this name may not have"
    else:
        message = f"{_shown(text)} is not a DNS label" if text else "an empty text is not a DNS label"
    return (_invalid(message, _LABEL_FORM),)


@lru_cache(maxsize=_CACHE_SIZE)
def subdomain(text: str) -> Flaws:
    """A DNS name in lower case: `gpu.example.com`."""
    if _is_subdomain(text):
        return ()
    if size(text) > LONGEST_SUBDOMAIN:
        message = f"{_shown(text)} has {size(text)} bytes: a DNS name has at most {LONGEST_SUBDOMAIN}"
    else:
        message = f"{_shown(text)} is not a lower-case DNS name" if text else "an empty text is not a DNS name"
    return (_invalid(message, _SUBDOMAIN_FORM),)


def subdomain_in_any_case(text: str) -> Flaws:
    """A DNS name; upper case is allowed."""
    return subdomain(text) if subdomain(text.lower()) else ()


@lru_cache(maxsize=_CACHE_SIZE)
def driver(text: str) -> Flaws:
    """A driver's name: a DNS name of at most 63 bytes. Upper case is allowed, though not wanted."""
    if not text:
        return (missing("the driver's name", _SUBDOMAIN_FORM),)
    too_long = (_too_long(text, LONGEST_DRIVER),) if size(text) > LONGEST_DRIVER else ()
    return (*too_long, *subdomain_in_any_case(text))


@lru_cache(maxsize=_CACHE_SIZE)
def pool(text: str) -> Flaws:
    """A pool's name: DNS names joined by slashes, `node-1/gpus`."""
    if not text:
        return (missing("the pool's name", "write DNS names joined by slashes, for example node-1/gpus"),)
    return pool_or_empty(text)


def pool_or_empty(text: str) -> Flaws:
    """The same, where an empty text is wrong and not missing."""
    too_long = (_too_long(text, LONGEST_SUBDOMAIN),) if size(text) > LONGEST_SUBDOMAIN else ()
    wrong = next((part for part in text.split("/") if not _is_subdomain(part)), None)
    if wrong is None:
        return too_long
    message = f"the part {_shown(wrong)} of {_shown(text)} is not a lower-case DNS name"
    return (*too_long, _invalid(message, "write DNS names joined by slashes, for example node-1/gpus"))


def path_segment(text: str) -> Flaws:
    """A name that only has to fit into an address: `system:node`."""
    if text not in (".", "..") and not {"/", "%"}.intersection(text):
        return ()
    return (_invalid(f"{_shown(text)} cannot be part of an address", 'leave out "/" and "%"'),)


# --- qualified names -------------------------------------------------------------------------------------------------


def _identifier(text: str, what: str = "an attribute") -> Flaws:
    too_long = (_too_long(text, LONGEST_IDENTIFIER),) if size(text) > LONGEST_IDENTIFIER else ()
    if _IDENTIFIERS.fullmatch(text):
        return too_long
    message = f"{_shown(text)} is not a name for {what}" if text else "the name is empty"
    fixed = re.sub("[-.]", "_", text)
    remedy = f"write it as {fixed}: {_IDENTIFIER_FORM}" if _IDENTIFIERS.fullmatch(fixed) else _IDENTIFIER_FORM
    return (*too_long, _invalid(message, remedy))


@lru_cache(maxsize=_CACHE_SIZE)
def qualified_name(text: str, what: str = "an attribute") -> Flaws:
    """The name of an attribute or of `a capacity` in a device: `memory` or `gpu.example.com/memory`.

    With two or more slashes everything is accepted, as the server does.
    """
    if text.count("/") > 1:
        return ()
    domain, slash, identifier = text.rpartition("/")
    if not slash:
        return _identifier(text, what)
    of_domain = driver(domain) if domain else (_invalid("the domain before the slash is empty", QUALIFIED_FORM),)
    return (*of_domain, *_identifier(identifier, what))


@lru_cache(maxsize=_CACHE_SIZE)
def fully_qualified_name(text: str) -> Flaws:
    """The name of an attribute in a claim: `resource.kubernetes.io/pcieRoot`; slashes as in `qualified_name`."""
    if text.count("/") > 1:
        return ()
    domain, slash, identifier = text.rpartition("/")
    if not slash:
        too_long = (_too_long(text, LONGEST_IDENTIFIER),) if size(text) > LONGEST_IDENTIFIER else ()
        return (*too_long, _invalid(f"{_shown(text)} is not a qualified name", QUALIFIED_FORM))
    flaws = _identifier(identifier)
    if not domain:
        return (*flaws, _invalid("the domain before the slash is empty", QUALIFIED_FORM))
    if not _is_subdomain(domain):
        flaws = (*flaws, _invalid(f"the domain {_shown(domain)} is not a lower-case DNS name", QUALIFIED_FORM))
    return (*flaws, _too_long(domain, LONGEST_DRIVER)) if size(domain) > LONGEST_DRIVER else flaws


# --- labels ----------------------------------------------------------------------------------------------------------


def _is_label_key(text: str) -> bool:
    prefix, slash, name = text.rpartition("/")
    if slash and not _is_subdomain(prefix):
        return False
    return size(name) <= LONGEST_LABEL and _NAME_PARTS.fullmatch(name) is not None


@lru_cache(maxsize=_CACHE_SIZE)
def label_key(text: str) -> Flaws:
    """The key of a label, of a taint, of a condition: `zone` or `example.com/zone`."""
    if _is_label_key(text):
        return ()
    message = f"{_shown(text)} is not a key like example.com/broken" if text else "the key is empty"
    return (_invalid(message, _KEY_FORM),)


@lru_cache(maxsize=_CACHE_SIZE)
def label_value(text: str) -> Flaws:
    """The value of a label or a taint; it may be empty."""
    if not text or (size(text) <= LONGEST_LABEL and _NAME_PARTS.fullmatch(text)):
        return ()
    message = f"{_shown(text)} is not a value for a label"
    form = 'letters, digits, "-", "_" and ".", beginning and ending with a letter or digit'
    return (_invalid(message, f"use at most {LONGEST_LABEL} {form}"),)


# --- others ----------------------------------------------------------------------------------------------------------


def extended_resource(text: str) -> Flaws:
    """The name of an extended resource: `example.com/gpu`."""
    example = "write it like example.com/gpu"
    if "/" not in text:
        return (_invalid(f"{_shown(text)} has no domain", example),)
    if "kubernetes.io/" in text:
        return (_invalid(f"{_shown(text)} is in a domain of Kubernetes itself", example),)
    if text.startswith("requests."):
        return (_invalid(f'{_shown(text)} begins with "requests.", which quotas use', example),)
    if not _is_label_key(f"requests.{text}"):
        return (_invalid(f"{_shown(text)} is not a name for a resource", example),)
    return ()


@lru_cache(maxsize=_CACHE_SIZE)
def version(text: str) -> Flaws:
    """A semantic version of at most 64 bytes."""
    too_long = (_too_long(text, LONGEST_ATTRIBUTE),) if size(text) > LONGEST_ATTRIBUTE else ()
    try:
        Version.parse(text)
    except ValueError:
        return (*too_long, _invalid(f"{_shown(text)} is not a semantic version", "write it like 1.2.3"))
    return too_long


def attribute_text(text: str) -> Flaws:
    """A text as the value of an attribute: at most 64 bytes."""
    return (_too_long(text, LONGEST_ATTRIBUTE),) if size(text) > LONGEST_ATTRIBUTE else ()
