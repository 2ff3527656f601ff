"""The grammar of CEL: cel-python's text, extended to what Kubernetes takes.

What differs is listed in cel.md, What the grammar lacks and wrongly accepts. The package's grammar file is found
without importing the package, whose dependencies are slow to load. Every change names the text that it replaces; a text
that is not there exactly once is an `InternalError`, so that a new release of cel-python is noticed.
"""

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from lark import Lark

from dractl.errors import InternalError

_INLINED_RULES: Final = (
    "expr           :",
    "conditionalor  :",
    "conditionaland :",
    "relation       : [relation_lt",
    "addition       : [addition_add",
    "multiplication : [multiplication_mul",
    "unary          : member\n               | unary_not unary",
    "member         : member_dot | member_dot_arg",
    "primary        : literal",
    "literal        : UINT_LIT",
)
"""Rules that vanish from the tree where they have one child only."""

_RULES: Final = {
    '[conditionalor "||"] conditionaland': 'conditionaland ("||" conditionaland)*',
    '[conditionaland "&&"] relation': 'relation ("&&" relation)*',
    'relation_in    : relation "in"': "relation_in    : relation IN",
    "member_object | primary": "member_object | member_opt_dot | member_opt_index | primary",
    'member_dot     : member "." IDENT': (
        'member_dot     : member "." (IDENT | ESC_IDENT)\n'
        'member_opt_dot : member "." "?" (IDENT | ESC_IDENT)\n'
        'member_opt_index : member "[" "?" expr "]"'
    ),
    '"{" [fieldinits] "}"\n\n\n// Original': '"{" [fieldinits] [","] "}"\n\n\n// Original',
    'list_lit       : "[" [exprlist] "]"': (
        'list_lit       : "[" [_listinits] [","] "]"\n'
        '_listinits     : _element | _listinits "," _element\n'
        "_element       : expr | opt_element\n"
        'opt_element    : "?" expr'
    ),
    'map_lit        : "{" [mapinits] "}"': 'map_lit        : "{" [_mapinits] [","] "}"',
    'mapinits       : expr ":" expr ("," expr ":" expr)*': (
        '_mapinits      : _entry | _mapinits "," _entry\n'
        "_entry         : entry | opt_entry\n"
        'entry          : expr ":" expr\n'
        'opt_entry      : "?" expr ":" expr'
    ),
    'fieldinits     : IDENT ":" expr ("," IDENT ":" expr)*': (
        'fieldinits     : _field | fieldinits "," _field\n'
        "_field         : field | opt_field\n"
        'field          : (IDENT | ESC_IDENT) ":" expr\n'
        'opt_field      : "?" (IDENT | ESC_IDENT) ":" expr'
    ),
}

_STRINGS: Final = r"""
MLSTRING_LIT.4 : /\"\"\"(?:[^\\]|\\.)*?\"\"\"/s | /'''(?:[^\\]|\\.)*?'''/s
               | /[rR]\"\"\"(?:.)*?\"\"\"/s | /[rR]'''(?:.)*?'''/s

STRING_LIT.3   : /\"(?!\"\")(?:[^\\\"\n\r]|\\[^\n\r])*\"/ | /'(?!'')(?:[^\\'\n\r]|\\[^\n\r])*'/
               | /[rR]\"(?!\"\")[^\"\n\r]*\"/ | /[rR]'(?!'')[^'\n\r]*'/

BYTES_LIT.5    : /[bB]/ MLSTRING_LIT | /[bB]/ STRING_LIT
"""

_INT: Final = "INT_LIT        : /-?/ /0x/ HEXDIGIT+ | /-?/ DIGIT+"

_TERMINALS: Final = {
    _INT: "INT_LIT.1      : /0x/ HEXDIGIT+ | DIGIT+",
    "UINT_LIT       : INT_LIT": "UINT_LIT.2     : INT_LIT",
    "IDENT          : /[_a-zA-Z]": (
        "IN.1           : /in(?![_a-zA-Z0-9])/\n\n"
        "ESC_IDENT      : /`[a-zA-Z0-9_.\\/ -]+`/\n\n"
        "IDENT          : /[_a-zA-Z]"
    ),
}


def _replaced(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise InternalError(
            f"the installed cel-python has another grammar than expected: {old!r} occurs {text.count(old)} times"
        )
    return text.replace(old, new)


def _without_block(text: str, start: str, end: str, instead: str) -> str:
    """Replace everything from `start` up to `end`."""
    before, found, rest = text.partition(start)
    _, also_found, after = rest.partition(end)
    if not (found and also_found):
        raise InternalError(f"the installed cel-python has another grammar than expected: no {start!r} before {end!r}")
    return before + instead + end + after


def extended_grammar(text: str) -> str:
    """The grammar with Kubernetes' extensions; raises InternalError if the changes were made for another text."""
    for rule in _INLINED_RULES:
        text = _replaced(text, f"\n{rule}", f"\n?{rule}")
    for old, new in (_RULES | _TERMINALS).items():
        text = _replaced(text, old, new)
    text = _without_block(text, "\nFLOAT_LIT      : ", "\nDIGIT ", _FLOAT)
    return _without_block(text, "\nSTRING_LIT     : ", "\n// ESCAPE", _STRINGS)


_FLOAT: Final = '\nFLOAT_LIT.3    : DIGIT+ "." DIGIT+ EXPONENT? | "." DIGIT+ EXPONENT? | DIGIT+ EXPONENT\n'


def installed_grammar() -> str:
    """The text of the grammar in the installed cel-python."""
    package = find_spec("celpy")
    if package is None or not package.submodule_search_locations:
        raise InternalError("cel-python is not installed")
    return (Path(package.submodule_search_locations[0]) / "cel.lark").read_text(encoding="utf-8")


def _cache_file() -> str | bool:
    """Where the parser's tables are kept between runs; False if there is no such place."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        folder = Path(base).expanduser() / "dractl"
        folder.mkdir(parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK)
    except (OSError, RuntimeError):
        return False
    return str(folder / "cel-grammar") if usable else False


@cache
def parser() -> Any:
    """The parser; built once, from the cache where there is one."""
    options: dict[str, Any] = {
        "parser": "lalr",
        "start": "expr",
        "maybe_placeholders": False,
        "propagate_positions": True,
    }
    grammar = extended_grammar(installed_grammar())
    place = _cache_file()
    try:
        return Lark(grammar, cache=place, **options)
    except OSError:
        return Lark(grammar, **options)
