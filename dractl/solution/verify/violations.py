"""What the checker says about an answer that breaks a rule."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct

from dractl.api.identities import ClaimRef, DeviceId
from dractl.cluster.upstream import UpstreamFault, rules_text

T = TypeVar("T")


class Violation(Struct, frozen=True):
    """A rule that an answer breaks; `rule` is the fact that does not hold, for example `each-device-is-taken-once`.

    `checked_by` says which rules the checker went by: those of v1.37.2, or the documented ones (dra.md §18).
    """

    rule: str
    message: str
    claim: ClaimRef | None = None
    device: DeviceId | None = None
    checked_by: str = ""

    def __str__(self) -> str:
        concerned = ", ".join(str(subject) for subject in (self.claim, self.device) if subject is not None)
        by = f", by {self.checked_by}" if self.checked_by else ""
        return f"{self.rule}: {self.message}" + (f" ({concerned})" if concerned else "") + by


class Breach(Struct, frozen=True):
    """Where a rule does not hold; the rule itself is named by whoever asked it."""

    message: str
    claim: ClaimRef | None = None
    device: DeviceId | None = None


def judge(
    rules: Sequence[Callable[[T], Iterable[Breach]]], subject: T, faults: Collection[UpstreamFault]
) -> tuple[Violation, ...]:
    """Every violation of the rules, in their order; a rule is named like its function.

    `faults` are those that the rules in force have.
    """
    checked_by = rules_text(faults)
    return tuple(
        Violation(rule.__name__.replace("_", "-"), breach.message, breach.claim, breach.device, checked_by)
        for rule in rules
        for breach in rule(subject)
    )
