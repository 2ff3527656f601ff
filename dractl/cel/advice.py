"""What to write instead of an expression that does not compile."""

from collections.abc import Collection, Sequence
from typing import Final

from dractl.cel.types import INT, QUANTITY, SEMVER, STRING, Type
from dractl.near_misses import did_you_mean
from dractl.phrases import listed

_FEW: Final = 8
_CONSTANTS: Final = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "None": "null", "nil": "null"}
_OPERATORS: Final = {"=": "==", "and": "&&", "&": "&&", "or": "||", "|": "||", "not": "!", "<>": "!=", "is": "=="}
_ORDER: Final = {"_<_": "< 0", "_<=_": "<= 0", "_>_": "> 0", "_>=_": ">= 0"}
_COMPARE: Final = ("compareTo", "isGreaterThan", "isLessThan")
_MADE_BY: Final = {QUANTITY: 'quantity("10Gi")', SEMVER: 'semver("1.2.3")'}
"""Types that texts and numbers have to be turned into, with an example of how."""


def for_token(token: str) -> str:
    """For an operator of other languages; empty where nothing can be said."""
    operator = _OPERATORS.get(token)
    return f"write `{operator}` in place of `{token}`" if operator else ""


def for_name(name: str, variables: Collection[str]) -> str:
    """For a name that stands for nothing."""
    constant = _CONSTANTS.get(name)
    return f"write `{constant}`" if constant else did_you_mean(name, sorted(variables)) or _known(variables)


def for_field(name: str, fields: Collection[str]) -> str:
    """For a field that its object does not have."""
    return did_you_mean(name, sorted(fields)) or _known(fields)


def for_function(name: str, functions: Collection[str]) -> str:
    """For a function that there is not."""
    plain = sorted(known for known in functions if known[:1].isalpha())
    return did_you_mean(name, plain)


def for_operands(function: str, given: Sequence[Type]) -> str:
    """For a function or operator whose operands have other types than it takes."""
    made = next((each for each in given if each in _MADE_BY), None)
    if made is not None and function in _ORDER and all(each == made for each in given):
        return f"write a.compareTo(b) {_ORDER[function]}: only {listed(_COMPARE)} order them"
    if made is not None and any(each in (STRING, INT) for each in given):
        return f"turn the other side into one, as in {_MADE_BY[made]}"
    if function in _COMPARE and STRING in given:
        return f"turn the text into what it is compared with, as in {' or '.join(_MADE_BY.values())}"
    return ""


def _known(names: Collection[str]) -> str:
    return f"known here: {listed(sorted(names))}" if 0 < len(names) <= _FEW else ""
