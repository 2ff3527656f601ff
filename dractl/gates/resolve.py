"""Which gates are on: the release's defaults, what the input uses, and what is fixed on the command line."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from dractl.errors import UsageError
from dractl.gates.settings import Settings, joined, read_settings
from dractl.gates.table import ALL_NAMES, COMPATIBILITY_GATES, RELEASES, Gate, gates_of

DEFAULT_RELEASE: Final = "1.37"
IN_VAIN: Final = ", though the input uses it"
_CHECKED_SINCE: Final = RELEASES.index("1.35")


class Gates(Struct, frozen=True):
    """The gates in force in one release, one set for all components.

    `reasons` says of every gate that the release knows why it is on or off, and of gates that the input uses but that
    cannot be on. `used` are the gates whose features the input uses, on or off.
    """

    release: str
    enabled: frozenset[str]
    reasons: Mapping[str, str]
    used: frozenset[str] = frozenset()

    def why(self, name: str) -> str:
        """Why a gate is as it is, without the use that the input makes of it in vain."""
        reason = self.reasons.get(name, f"unknown in Kubernetes {self.release}")
        return reason.partition(IN_VAIN)[0]

    def is_on(self, name: str) -> bool:
        """Whether a gate is on; one that the release does not know is off. Raises KeyError if no release knows it."""
        if name not in ALL_NAMES:
            raise KeyError(name)
        return name in self.enabled


def resolve(
    *, release: str = DEFAULT_RELEASE, settings: str | None = None, used: Mapping[str, str] = MappingProxyType({})
) -> Gates:
    """Decide all gates of a release (`1.36`, `v1.36`, `1.36.2`).

    `settings` is the text of `--feature-gates`; `used` names gates whose features the input uses, each with the place
    of the use (`dractl.api.feature_use`). A gate is at its default, on besides if the input uses it, and as set if it
    is set; what a used gate needs comes on with it. Raises UsageError in the component's own words, with our remedy.
    """
    number = known_release(release)
    known = gates_of(number)
    fixed = read_settings(settings or "", known)
    on = {gate.name for gate in known.values() if fixed.values.get(gate.name, gate.default)}
    reasons = {gate.name: _initial_reason(gate, fixed, number) for gate in known.values()}
    _check_needs(number, known, on, fixed)
    if not fixed.defaults_only:
        for name, use in used.items():
            _turn_on(name, use, known, fixed, on, reasons)
    return Gates(number, frozenset(on), MappingProxyType(reasons), frozenset(used))


def known_release(text: str) -> str:
    """`1.36` of `1.36`, `v1.36` and `1.36.2`. Raises UsageError for a release of which nothing is known."""
    number = ".".join(text.removeprefix("v").split(".")[:2])
    if number not in RELEASES:
        raise UsageError(
            f"Kubernetes {text} is not known", f"dractl knows the gates of {RELEASES[0]} to {RELEASES[-1]}; choose one"
        )
    return number


def _initial_reason(gate: Gate, fixed: Settings, release: str) -> str:
    if gate.name not in fixed.values:
        without = f", without --min-compatibility-version={release}" if gate.name in COMPATIBILITY_GATES else ""
        return f"default of {release}{without}"
    by = fixed.fixed_by[gate.name]
    reason = "--feature-gates" if by == gate.name else f"--feature-gates {by}"
    if gate.name in COMPATIBILITY_GATES and fixed.values[gate.name]:
        reason += f", and --min-compatibility-version={release} in the cluster"
    return reason


def _check_needs(release: str, known: Mapping[str, Gate], on: set[str], fixed: Settings) -> None:
    """Refuse a set that keeps a component from starting; looked at since 1.35."""
    if RELEASES.index(release) < _CHECKED_SINCE:
        return
    problems, lacking = [], set()
    for name in known:
        missing = [need for need in known[name].needs if need in known and need not in on]
        if name in on and missing:
            problems.append(f"{name} is enabled, but depends on features that are disabled: [{' '.join(missing)}]")
            lacking.update(missing)
    if problems:
        raise UsageError(joined(problems), _remedy(lacking, fixed))


def _remedy(lacking: set[str], fixed: Settings) -> str:
    turned_off = sorted(name for name in lacking if fixed.values.get(name) is False)
    if turned_off:
        return f"leave {', '.join(turned_off)} on, or turn off what needs it as well"
    return f"add {','.join(f'{name}=true' for name in sorted(lacking))}"


def _turn_on(
    name: str, use: str, known: Mapping[str, Gate], fixed: Settings, on: set[str], reasons: dict[str, str]
) -> None:
    """Turn on a gate that the input uses, with all that it needs, unless one of them is unknown or fixed off."""
    if name in on:
        return
    obstacle = next(_obstacles(name, known, fixed), None)
    if obstacle is not None:
        reasons[name] = f"{obstacle}{IN_VAIN} ({use})"
        return
    for need in _closure(name, known):
        if need not in on:
            on.add(need)
            reasons[need] = f"the input uses it ({use})" if need == name else f"{name} needs it"
    if name in COMPATIBILITY_GATES:
        reasons[name] += "; a cluster also needs --min-compatibility-version of this release"


def _obstacles(name: str, known: Mapping[str, Gate], fixed: Settings) -> Iterator[str]:
    if name not in known:
        yield "unknown in this release"
        return
    if fixed.values.get(name) is False:
        by = fixed.fixed_by[name]
        yield "--feature-gates" if by == name else f"--feature-gates {by}"
    for need in _closure(name, known):
        if need not in known:
            yield f"it needs {need}, unknown in this release"
        elif fixed.values.get(need) is False:
            yield f"it needs {need}, which --feature-gates turns off"


def _closure(name: str, known: Mapping[str, Gate]) -> Iterator[str]:
    """The gate and all that it needs, however far."""
    seen: set[str] = set()
    open_names = [name]
    while open_names:
        current = open_names.pop()
        if current not in seen:
            seen.add(current)
            yield current
            open_names += known[current].needs if current in known else ()
