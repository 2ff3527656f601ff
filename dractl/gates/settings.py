"""What `--feature-gates` says: `Name=bool,…`, in the words that a component of the cluster would use (gates.md §2)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from dractl.errors import UsageError
from dractl.gates.table import COMPATIBILITY_GATES, RELEASES, Gate, Stage, gates_of
from dractl.near_misses import did_you_mean

DEFAULTS: Final = "Defaults"
"""A word in place of a gate: what the input uses turns nothing on."""

_FORM: Final = "write --feature-gates as NAME=true,NAME=false"
_GROUPS: Final = {"AllAlpha": Stage.ALPHA, "AllBeta": Stage.BETA}
_WORDS: Final = {
    **dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True),
    **dict.fromkeys(("0", "f", "F", "FALSE", "false", "False"), False),
}


class Settings(Struct, frozen=True):
    """Gates that are fixed, each with the word that fixed it, and whether all others keep their defaults."""

    values: Mapping[str, bool] = field(default_factory=dict)
    fixed_by: Mapping[str, str] = field(default_factory=dict)
    defaults_only: bool = False


def read_settings(text: str, known: Mapping[str, Gate]) -> Settings:
    """Read the argument. Raises UsageError with everything that is wrong with it."""
    named, problems, defaults_only = _parse(text)
    hints = list(_hints(named, known))
    if problems or not hints:
        hints.append(_FORM)
    problems += list(_refusals(named, known))
    if problems:
        raise UsageError(joined(problems), "; ".join(hints))
    values: dict[str, bool] = {}
    fixed_by: dict[str, str] = {}
    for group, stage in _GROUPS.items():
        if group in named:
            members = [gate.name for gate in known.values() if gate.stage is stage and _follows(gate)]
            values.update(dict.fromkeys(members, named[group]))
            fixed_by.update(dict.fromkeys(members, group))
    for name in named.keys() - _GROUPS.keys():
        values[name] = named[name]
        fixed_by[name] = name
    return Settings(values, fixed_by, defaults_only)


def joined(problems: Sequence[str]) -> str:
    """Several errors as a component writes them in one."""
    return problems[0] if len(problems) == 1 else f"[{', '.join(problems)}]"


def _parse(text: str) -> tuple[dict[str, bool], list[str], bool]:
    named: dict[str, bool] = {}
    problems: list[str] = []
    defaults_only = False
    for part in filter(None, text.split(",")):
        written_name, equals, written_value = part.partition("=")
        name, value = written_name.strip(), written_value.strip()
        if not equals and name == DEFAULTS:
            defaults_only = True
        elif not equals:
            problems.append(f"missing bool value for {name}")
        elif value not in _WORDS:
            problems.append(
                f'invalid value of {name}={value}, err: strconv.ParseBool: parsing "{value}": invalid syntax'
            )
        else:
            named[name] = _WORDS[value]
    return named, problems, defaults_only


def _refusals(named: Mapping[str, bool], known: Mapping[str, Gate]) -> Iterator[str]:
    for name, value in named.items():
        if name in _GROUPS:
            continue
        gate = known.get(name)
        if gate is None:
            yield f"unrecognized feature gate: {name}"
        elif gate.locked and value != gate.default:
            locked_to = str(gate.default).lower()
            yield f"cannot set feature gate {name} to {str(value).lower()}, feature is locked to {locked_to}"


def _hints(named: Mapping[str, bool], known: Mapping[str, Gate]) -> Iterator[str]:
    """For locked gates: to leave them out; for names that the release does not know: where they are known, or what
    was probably meant.
    """
    for name, value in named.items():
        if name in _GROUPS:
            continue
        if name in known:
            if known[name].locked and value != known[name].default:
                yield f"leave {name} out: it cannot be changed in this release"
            continue
        releases = [release for release in RELEASES if name in gates_of(release)]
        meant = did_you_mean(name, [*known, *_GROUPS])
        if releases:
            yield f"{name} is known in {', '.join(releases)} only"
        else:
            yield meant or "`dractl gates` lists the gates of a release"


def _follows(gate: Gate) -> bool:
    """Whether AllAlpha and AllBeta reach the gate."""
    return not gate.locked and gate.name not in COMPATIBILITY_GATES
