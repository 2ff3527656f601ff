"""What the checker says about an answer that breaks a rule."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dractl.api.identities import ClaimRef, DeviceId

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that an answer breaks; `rule` is the fact that does not hold, for example `each-device-is-taken-once`."""

    rule: str
    message: str
    claim: ClaimRef | None = None
    device: DeviceId | None = None

    def __str__(self) -> str:
        concerned = ", ".join(str(subject) for subject in (self.claim, self.device) if subject is not None)
        return f"{self.rule}: {self.message}" + (f" ({concerned})" if concerned else "")


@dataclass(frozen=True, slots=True)
class Breach:
    """Where a rule does not hold; the rule itself is named by whoever asked it."""

    message: str
    claim: ClaimRef | None = None
    device: DeviceId | None = None


def judge(rules: Sequence[Callable[[T], Iterable[Breach]]], subject: T) -> tuple[Violation, ...]:
    """Every violation of the rules, in their order; a rule is named like its function."""
    return tuple(
        Violation(rule.__name__.replace("_", "-"), breach.message, breach.claim, breach.device)
        for rule in rules
        for breach in rule(subject)
    )
