"""How workloads replace their pods by newer ones (answers in validate-core)."""

import re
from collections.abc import Iterator
from typing import Final

from dractl.api.workload import (
    DaemonSetUpdateStrategy,
    DeploymentStrategy,
    RollingUpdateDaemonSet,
    RollingUpdateDeployment,
    RollingUpdateStatefulSet,
    StatefulSetUpdateStrategy,
)
from dractl.validation.choices import one_of
from dractl.validation.formats import missing
from dractl.validation.numbers import at_least_nothing
from dractl.validation.violation import Violation, ViolationType, below, invalid

_ROLLING: Final = "RollingUpdate"
_ON_DELETE: Final = "OnDelete"
_STRATEGIES: Final = ("Recreate", _ROLLING)
_UPDATES: Final = (_ROLLING, _ON_DELETE)
_PERCENT: Final = re.compile(r"[0-9]+%")
_WHOLE: Final = re.compile(r"[-+]?[0-9]+")
_EVERYTHING: Final = 100


def check_strategy(strategy: DeploymentStrategy) -> Iterator[Violation]:
    """How a Deployment replaces pods; an empty type is RollingUpdate."""
    if strategy.type and strategy.type not in _STRATEGIES:
        yield from one_of(strategy.type, _STRATEGIES)
    elif strategy.rollingUpdate is not None:
        if strategy.type == "Recreate":
            message = "with the type Recreate nothing is replaced step by step"
            yield Violation(("rollingUpdate",), ViolationType.FORBIDDEN, message, "take it out")
        else:
            yield from below(_check_steps(strategy.rollingUpdate), "rollingUpdate")


def _check_steps(steps: RollingUpdateDeployment) -> Iterator[Violation]:
    """At most so many pods fewer or more than wanted; absent ones are 25 %."""
    numbers = {"maxUnavailable": steps.maxUnavailable, "maxSurge": steps.maxSurge}
    for field, number in numbers.items():
        yield from below(_check_amount(number), field)
    yield from below(_at_most_all(steps.maxUnavailable), "maxUnavailable")
    if all(number is not None and _amount(number) == 0 for number in numbers.values()):
        yield invalid(
            "no pod may be missing and none be too many", "let one of the two be more than 0", "maxUnavailable"
        )


# --- DaemonSets and StatefulSets -------------------------------------------------------------------------------------


def check_daemon_update(strategy: DaemonSetUpdateStrategy) -> Iterator[Violation]:
    """How a DaemonSet replaces pods."""
    if strategy.type and strategy.type not in _UPDATES:
        yield from one_of(strategy.type, _UPDATES)
    elif strategy.type != _ON_DELETE and strategy.rollingUpdate is not None:
        yield from below(_check_daemon_steps(strategy.rollingUpdate), "rollingUpdate")


def _check_daemon_steps(steps: RollingUpdateDaemonSet) -> Iterator[Violation]:
    """Fewer pods than wanted or more, never both; nothing written means one fewer."""
    fewer = 1 if steps.maxUnavailable is None else steps.maxUnavailable
    more = 0 if steps.maxSurge is None else steps.maxSurge
    for field, number in (("maxUnavailable", fewer), ("maxSurge", more)):
        yield from below(_check_amount(number), field)
        yield from below(_at_most_all(number), field)
    if _amount(fewer) and _amount(more):
        message = "a node cannot have both a pod fewer and a pod more"
        yield invalid(message, "let one of the two be 0", "maxSurge")
    if not _amount(fewer) and not _amount(more):
        yield missing("a number of pods", "let one of the two be more than 0").below("maxUnavailable")


def check_set_update(strategy: StatefulSetUpdateStrategy) -> Iterator[Violation]:
    """How a StatefulSet replaces pods."""
    if strategy.type and strategy.type not in _UPDATES:
        yield invalid(f'"{strategy.type}" is not known here', f"write one of {', '.join(_UPDATES)}")
    elif strategy.rollingUpdate is not None:
        if strategy.type == _ON_DELETE:
            yield invalid("with the type OnDelete nothing is replaced step by step", "take it out", "rollingUpdate")
        else:
            yield from below(_check_set_steps(strategy.rollingUpdate), "rollingUpdate")


def _check_set_steps(steps: RollingUpdateStatefulSet) -> Iterator[Violation]:
    yield from below(at_least_nothing(steps.partition), "partition")
    if steps.maxUnavailable is None:
        return
    yield from below(_check_amount(steps.maxUnavailable), "maxUnavailable")
    yield from below(_at_most_all(steps.maxUnavailable), "maxUnavailable")
    if not _amount(steps.maxUnavailable):
        yield invalid("no pod may be missing, so that none could be replaced", "write 1 or more", "maxUnavailable")


# --- numbers or percentages ------------------------------------------------------------------------------------------


def _check_amount(number: int | str | None) -> Iterator[Violation]:
    if isinstance(number, str) and not _PERCENT.fullmatch(number):
        yield invalid(f'"{number}" is neither a number nor a percentage', 'write it like 1 or "25%"')
    elif isinstance(number, int):
        yield from at_least_nothing(number)


def _at_most_all(number: int | str | None) -> Iterator[Violation]:
    if isinstance(number, str) and _PERCENT.fullmatch(number) and int(number[:-1]) > _EVERYTHING:
        yield invalid(f"{number} are more than all", "write at most 100%")


def _amount(number: int | str) -> int:
    """The number, or that of the percentage; of another text the number that it is, or 0."""
    if isinstance(number, int):
        return number
    if _PERCENT.fullmatch(number):
        return int(number[:-1])
    return int(number) if _WHOLE.fullmatch(number) else 0
