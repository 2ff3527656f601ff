"""Why a request cannot have a device, in the words that follow the names of one or several devices."""

from dractl.api.base import Taint
from dractl.explain.facts import (
    CapacityNeed,
    CapacityUsedUp,
    CounterUsedUp,
    GroupConflict,
    HeldBy,
    Refusal,
    TaintedByRule,
)
from dractl.phrases import listed, verb
from dractl.problem.candidates import Unusable
from dractl.problem.capacity import CapacityRefusal
from dractl.problem.selectors import FalseSelector
from dractl.report.holders import Holders
from dractl.report.phrases import shortened, taint_text


def refusal_text(because: Refusal, number: int, node: str, holders: Holders) -> str:
    """The predicate for so many devices on a node; `holders` tell who holds what."""
    match because:
        case HeldBy():
            return f"{verb(number, 'is', 'are')} held by {listed(holders.of_claims(because.claims))}"
        case FalseSelector():
            return f"{verb(number, 'does', 'do')} not match {_selector(because)}"
        case Taint():
            return _taint(because, number)
        case TaintedByRule():
            return _taint(because.taint, number, f" of DeviceTaintRule {because.rule}")
        case CapacityRefusal():
            return f"cannot serve the asked {because.capacity}: {because.because}"
        case CapacityUsedUp():
            return _capacity(because, number, holders)
        case CounterUsedUp():
            return _counter(because, number, node, holders)
        case GroupConflict():
            return _groups(because, number, node, holders)
        case Unusable():
            return f"cannot be used: {because}"


def _taint(taint: Taint, number: int, origin: str = "") -> str:
    has = verb(number, "has", "have")
    return f"{has} the taint {taint_text(taint)}{origin}, which the request does not tolerate"


def _selector(because: FalseSelector) -> str:
    selector = because.selector
    owner = selector.owner if selector.owner.startswith("class ") else "the request"
    return f"`{shortened(selector.expression)}` of {owner}"


def _capacity(because: CapacityUsedUp, number: int, holders: Holders) -> str:
    left = f"{verb(number, 'has', 'have')} {because.left} of {because.capacity} left, {because.wanted} {_need(because)}"
    users = holders.of_claims(because.claims)
    return f"{left} ({listed(users)} {verb(len(users), 'uses', 'use')} the rest)" if users else left


def _need(because: CapacityUsedUp) -> str:
    match because.need:
        case CapacityNeed.ASKED:
            return "is asked"
        case CapacityNeed.ROUNDED:
            return f"is needed, {because.need}"
        case CapacityNeed.DEFAULT | CapacityNeed.WHOLE:
            return f"is needed: {because.need}, as the request names no amount"


def _counter(because: CounterUsedUp, number: int, node: str, holders: Holders) -> str:
    users = holders.described(because.holders, node)
    in_use = f" while {users} {verb(len(because.holders), 'is', 'are')} in use" if because.holders else ""
    if because.left.startswith("-"):
        return f"cannot be had: counter {because.counter} of the pool is overdrawn ({because.left}){in_use}"
    needs = verb(number, "needs", "need")
    return f"{needs} {because.wanted} of counter {because.counter}, {because.left} is left{in_use}"


def _groups(because: GroupConflict, number: int, node: str, holders: Holders) -> str:
    others = holders.described(because.holders, node)
    shares = verb(number, "shares", "share")
    return f"{shares} no compatibility group with {others} in counter set {because.counter_set.counter_set}"
