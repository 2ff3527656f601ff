"""The CEL selectors of a demand, compiled, and what each says about a device (dra.md §6)."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from dractl.api.identities import ClaimRef
from dractl.api.resource import DeviceSelector
from dractl.cel import CompileFault, EvaluationFault, Selector, compile_selector
from dractl.cluster.pools import PoolDevice
from dractl.problem.faults import AllocationFault

_NO_ENTRY: Final = "no such key: "
_ADVICE: Final = (
    "consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional "
    "fields"
)


class SelectorUse(Struct, frozen=True):
    """One selector: `owner` is how the allocator's texts name where it stands, `number` counts from 0 there."""

    owner: str
    number: int
    expression: str
    compiled: Selector | CompileFault


class FalseSelector(Struct, frozen=True):
    """A selector that a device does not match."""

    selector: SelectorUse


class SelectorChain:
    """The selectors of the class, then those of the request; what they say of a device is remembered."""

    def __init__(self, selectors: tuple[SelectorUse, ...]) -> None:
        self.selectors = selectors
        self._known: dict[PoolDevice, FalseSelector | AllocationFault | None] = {}

    @classmethod
    def of(
        cls,
        class_name: str,
        class_selectors: Iterable[DeviceSelector],
        claim: ClaimRef,
        selectors: Iterable[DeviceSelector],
    ) -> "SelectorChain":
        """Compile the selectors; one without CEL is the demand's own fault and left out here."""
        return cls((*_uses(f"class {class_name}", class_selectors), *_uses(f"claim {claim}", selectors)))

    def judge(self, device: PoolDevice) -> FalseSelector | AllocationFault | None:
        """The first selector that is false or fails, or None if all are true."""
        if device not in self._known:
            self._known[device] = self._evaluate(device)
        return self._known[device]

    def _evaluate(self, device: PoolDevice) -> FalseSelector | AllocationFault | None:
        for use in self.selectors:
            if isinstance(use.compiled, CompileFault):
                text = f"{use.owner}: selector #{use.number}: CEL compile error: {use.compiled.message}"
                cause = f"a selector of {_owner(use)} cannot be compiled: {use.compiled.message}"
                return AllocationFault(text, cause=cause)
            answer = device.verdict(use.compiled)
            if isinstance(answer, EvaluationFault):
                text = f"{use.owner}: selector #{use.number} on device {device.id}: CEL runtime error: {_told(answer)}"
                cause = f"a selector of {_owner(use)} fails: {answer.message}"
                return AllocationFault(text, device=device.id, cause=cause)
            if not answer:
                return FalseSelector(use)
        return None


def _told(fault: EvaluationFault) -> str:
    """The error as Kubernetes tells it, with its advice where an entry is missing (dra.md §20)."""
    return f"{fault.message}. {_ADVICE}" if fault.message.startswith(_NO_ENTRY) else fault.message


def _owner(use: SelectorUse) -> str:
    return use.owner if use.owner.startswith("class ") else "the request"


def _uses(owner: str, selectors: Iterable[DeviceSelector]) -> list[SelectorUse]:
    return [
        SelectorUse(owner, number, selector.cel.expression, compile_selector(selector.cel.expression))
        for number, selector in enumerate(selectors)
        if selector.cel is not None
    ]
