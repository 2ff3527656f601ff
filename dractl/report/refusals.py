"""Why a request cannot have a device, in the words that follow the names of one or several devices."""

from collections.abc import Mapping

from dractl.api.base import Taint
from dractl.api.identities import ClaimRef
from dractl.api.resource import ResourceClaim
from dractl.explain.facts import CapacityUsedUp, CounterUsedUp, GroupConflict, HeldBy, Refusal
from dractl.problem.candidates import Unusable
from dractl.problem.capacity import CapacityRefusal
from dractl.problem.selectors import FalseSelector
from dractl.report.phrases import device_names, holders, listed, shortened, taint_text, verb


def refusal_text(because: Refusal, number: int, node: str, claims: Mapping[ClaimRef, ResourceClaim]) -> str:
    """The predicate for so many devices on a node; `claims` tell who holds what."""
    match because:
        case HeldBy():
            return f"{verb(number, 'is', 'are')} held by {holders(because.claims, claims)}"
        case FalseSelector():
            return f"{verb(number, 'does', 'do')} not match {_selector(because)}"
        case Taint():
            return f"{verb(number, 'has', 'have')} the taint {taint_text(because)}, which the request does not tolerate"
        case CapacityRefusal():
            return f"cannot serve the asked {because.capacity}: {because.because}"
        case CapacityUsedUp():
            return _capacity(because, number, claims)
        case CounterUsedUp():
            return _counter(because, number, node)
        case GroupConflict():
            return _groups(because, number, node)
        case Unusable():
            return f"cannot be used: {because}"


def _selector(because: FalseSelector) -> str:
    selector = because.selector
    return f"`{shortened(selector.expression)}` ({selector.owner})"


def _capacity(because: CapacityUsedUp, number: int, claims: Mapping[ClaimRef, ResourceClaim]) -> str:
    left = f"{verb(number, 'has', 'have')} {because.left} of {because.capacity} left, {because.wanted} is asked"
    return f"{left} ({holders(because.claims, claims)} uses it)" if because.claims else left


def _counter(because: CounterUsedUp, number: int, node: str) -> str:
    beside = f" beside {listed(device_names(because.holders, node))}" if because.holders else ""
    if because.left.startswith("-"):
        return f"cannot be had while counter {because.counter} of the pool is overdrawn ({because.left}){beside}"
    needs = verb(number, "needs", "need")
    return f"{needs} {because.wanted} of counter {because.counter}, of which {because.left} is left{beside}"


def _groups(because: GroupConflict, number: int, node: str) -> str:
    others = listed(device_names(because.holders, node))
    shares = verb(number, "shares", "share")
    return f"{shares} no compatibility group with {others} in counter set {because.counter_set.counter_set}"
