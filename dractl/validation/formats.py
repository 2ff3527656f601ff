"""The forms that names have (validation.md §3)."""

import re
from typing import Final

_LONGEST_DOMAIN: Final = 63
_LONGEST_IDENTIFIER: Final = 32
_LABEL: Final = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def fully_qualified_name_problem(name: str) -> str | None:
    """Why a text is not a name like `resource.kubernetes.io/pcieRoot`; None if it is one.

    With two or more slashes everything is accepted, as the API server does.
    """
    if name.count("/") > 1:
        return None
    domain, slash, identifier = name.rpartition("/")
    if not slash:
        return f'"{name}" is not a qualified name'
    if len(domain.encode()) > _LONGEST_DOMAIN or not _SUBDOMAIN.fullmatch(domain):
        return f'the domain "{domain}" is not a lower-case DNS name of at most {_LONGEST_DOMAIN} bytes'
    if len(identifier.encode()) > _LONGEST_IDENTIFIER or not _IDENTIFIER.fullmatch(identifier):
        return f'"{identifier}" is not made of letters, digits and "_", at most {_LONGEST_IDENTIFIER} bytes'
    return None
