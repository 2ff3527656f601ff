"""What a claim asks for, in one sentence: the "because" of an explanation."""

from collections.abc import Sequence

from dractl.api.identities import ClaimRef, RequestRef
from dractl.api.resource import DeviceRequest, DeviceSubRequest, ExactDeviceRequest, ResourceClaim
from dractl.explain.facts import CompeteForDevices, ConstraintUnmet, NodeFact, TooFewDevices
from dractl.planner.plan import Answer
from dractl.problem.constraints import Constraint, ConstraintKind
from dractl.report.phrases import counted, listed
from dractl.report.rows import claim_uses
from dractl.solution.outcomes import PodOutcome


class Asked:
    """Puts requests of one pod's claims into words; a claim goes by the name of its entry in the pod."""

    def __init__(self, answer: Answer, outcome: PodOutcome) -> None:
        uses = [use for use in claim_uses(answer, outcome) if use.ref is not None and use.claim is not None]
        self._entries = {use.ref: use.entry for use in uses}
        self._claims: dict[ClaimRef, ResourceClaim] = {use.ref: use.claim for use in uses if use.ref and use.claim}

    def of(self, fact: NodeFact) -> str:
        """What was asked for and could not be had."""
        match fact:
            case TooFewDevices():
                return self._one(fact.request)
            case ConstraintUnmet():
                return self._bound(fact.constraint)
            case CompeteForDevices():
                return self._several(fact.requests)

    def _one(self, ref: RequestRef) -> str:
        claim = f"claim {self._entry(ref.claim)}"
        wish = self._wish(ref)
        if ref.alternative is not None:
            return f"{claim} could take {wish} (alternative {ref.alternative} of request {ref.request})"
        if len(self._requests(ref.claim)) > 1:
            return f"{claim} wants {wish} for request {ref.request}"
        return f"{claim} wants {wish}"

    def _bound(self, constraint: Constraint) -> str:
        claim = f"claim {self._entry(constraint.claim)}"
        relation = "share" if constraint.kind is ConstraintKind.MATCH else "differ in"
        bound = [each for each in self._requests(constraint.claim) if _is_bound(each, constraint)]
        if len(bound) == 1 and bound[0].exactly is not None:
            return f"{claim} wants {_wish(bound[0].exactly)} that {relation} {constraint.attribute}"
        names = listed([each.name for each in bound], at_most=8)
        return f"{claim} wants the devices of requests {names} to {relation} {constraint.attribute}"

    def _several(self, refs: Sequence[RequestRef]) -> str:
        claims = dict.fromkeys(ref.claim for ref in refs)
        wishes = []
        for claim in claims:
            mine = [f"{self._wish(ref)} ({ref.name})" for ref in refs if ref.claim == claim]
            wishes.append(f"claim {self._entry(claim)} wants {listed(mine, at_most=8)}")
        return listed(wishes, at_most=8)

    def _wish(self, ref: RequestRef) -> str:
        for request in self._requests(ref.claim):
            if request.name == ref.request:
                asked = request.exactly or next(
                    (each for each in request.firstAvailable or () if each.name == ref.alternative), None
                )
                return _wish(asked) if asked is not None else "devices"
        return "devices"

    def _requests(self, claim: ClaimRef) -> Sequence[DeviceRequest]:
        known = self._claims.get(claim)
        return (known.spec.devices.requests if known is not None else None) or ()

    def _entry(self, claim: ClaimRef) -> str:
        return self._entries.get(claim, claim.name)


def _is_bound(request: DeviceRequest, constraint: Constraint) -> bool:
    alternatives = request.firstAvailable or ()
    refs = [
        RequestRef(constraint.claim, request.name),
        *(RequestRef(constraint.claim, request.name, each.name) for each in alternatives),
    ]
    return any(constraint.applies_to(ref) for ref in refs)


def _wish(asked: ExactDeviceRequest | DeviceSubRequest) -> str:
    number = "all devices" if asked.allocationMode == "All" else counted(asked.count or 1, "device")
    text = f"{number} of class {asked.deviceClassName}"
    amounts = (asked.capacity.requests if asked.capacity is not None else None) or {}
    if amounts:
        text += f" with {listed([f'{amount} of {name}' for name, amount in amounts.items()])} each"
    return text
