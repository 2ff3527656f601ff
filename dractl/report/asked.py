"""What claims ask for, one sentence a claim: the "because" of an explanation."""

from collections.abc import Sequence

from dractl.api.identities import ClaimRef
from dractl.api.resource import DeviceConstraint, DeviceRequest, DeviceSubRequest, ExactDeviceRequest, ResourceClaim
from dractl.explain.facts import CompeteForDevices, ConstraintUnmet, NodeExplanation, NodeFact, TooFewDevices
from dractl.phrases import counted, listed
from dractl.planner.plan import Answer
from dractl.report.rows import claim_uses
from dractl.solution.outcomes import PodOutcome, SpecialClaim

_LISTED = 8


class Asked:
    """Puts the claims of one pod into words; a claim goes by the name of its entry in the pod."""

    def __init__(self, answer: Answer, outcome: PodOutcome, explanations: Sequence[NodeExplanation] = ()) -> None:
        self._uses = {use.ref: use for use in claim_uses(answer, outcome) if use.ref is not None}
        specials = [each.special for each in explanations if each.special is not None]
        # Where device plugins serve some of the resources, the claim asks for less: the fullest one names them all.
        self._special = max(specials, key=lambda special: len(special.mappings), default=None)

    def claims_of(self, fact: NodeFact) -> tuple[ClaimRef, ...]:
        """The claims that a fact is about."""
        match fact:
            case TooFewDevices():
                return (fact.request.claim,)
            case ConstraintUnmet():
                return (fact.constraint.claim,)
            case CompeteForDevices():
                return tuple(dict.fromkeys(request.claim for request in fact.requests))

    def wishes(self, claims: Sequence[ClaimRef]) -> str:
        """What the claims want: `claim gpus wants 2 devices of class gpu that share example.com/rack`."""
        wishes = [
            _extended_wish(special)
            if (special := self._special_of(claim)) is not None
            else f"claim {self.entry(claim)} wants {self._wish(claim)}"
            for claim in claims
        ]
        return listed(wishes, at_most=_LISTED)

    def which(self, fact: NodeFact) -> str:
        """Which request of several a fact is about: `for request nic, `; nothing where there is only one."""
        if not isinstance(fact, TooFewDevices):
            return ""
        ref = fact.request
        if ref.alternative is not None:
            return f"for {ref.name}, "
        if len(self._requests(ref.claim)) < 2:
            return ""
        special = self._special_of(ref.claim)
        if special is not None and (resource := _resources(special).get(ref.request)):
            return f"for {resource} ({ref.request}), "
        return f"for request {ref.request}, "

    def entry(self, claim: ClaimRef) -> str:
        """The claim as the pod calls it."""
        use = self._uses.get(claim)
        return use.entry if use is not None else claim.name

    def _wish(self, ref: ClaimRef) -> str:
        requests = self._requests(ref)
        several = len(requests) > 1
        wishes = [_request(request) + (f" (request {request.name})" if several else "") for request in requests]
        claim = self._claim(ref)
        constraints = (claim.spec.devices.constraints if claim is not None else None) or ()
        conditions = [_condition(constraint, requests) for constraint in constraints]
        return listed(wishes, at_most=_LISTED) + (f" {listed(conditions)}" if conditions else "")

    def _requests(self, claim: ClaimRef) -> Sequence[DeviceRequest]:
        known = self._claim(claim)
        return (known.spec.devices.requests if known is not None else None) or ()

    def _claim(self, claim: ClaimRef) -> ResourceClaim | None:
        use = self._uses.get(claim)
        if use is not None:
            return use.claim
        special = self._special_of(claim)
        return special.claim if special is not None else None

    def _special_of(self, claim: ClaimRef) -> SpecialClaim | None:
        return self._special if self._special is not None and self._special.ref == claim else None


def _resources(special: SpecialClaim) -> dict[str, str]:
    """The extended resource that each request is for."""
    return {mapping.requestName: mapping.resourceName for mapping in special.mappings}


def _extended_wish(special: SpecialClaim) -> str:
    """`the pod asks for 2 of example.com/gpu, which devices of class gpu serve`."""
    counts: dict[tuple[str, str], int] = {}
    resources = _resources(special)
    for request in special.claim.spec.devices.requests or ():
        if request.exactly is not None:
            key = (resources[request.name], request.exactly.deviceClassName)
            counts[key] = counts.get(key, 0) + (request.exactly.count or 1)
    asked = [f"{count} of {resource} (devices of class {name})" for (resource, name), count in counts.items()]
    return f"the pod asks for {listed(asked, at_most=_LISTED)}"


def _request(request: DeviceRequest) -> str:
    if request.exactly is not None:
        return _devices(request.exactly)
    return " or else ".join(_devices(alternative) for alternative in request.firstAvailable or ())


def _devices(asked: ExactDeviceRequest | DeviceSubRequest) -> str:
    number = "all devices" if asked.allocationMode == "All" else counted(asked.count or 1, "device")
    text = f"{number} of class {asked.deviceClassName}"
    amounts = (asked.capacity.requests if asked.capacity is not None else None) or {}
    if amounts:
        text += f" with {listed([f'{amount} of {name}' for name, amount in amounts.items()])} each"
    return text


def _condition(constraint: DeviceConstraint, requests: Sequence[DeviceRequest]) -> str:
    if constraint.matchAttribute is not None:
        relation = f"share {constraint.matchAttribute}"
    else:
        relation = f"differ in {constraint.distinctAttribute}"
    bound = constraint.requests or ()
    if not bound or {name.partition("/")[0] for name in bound} == {request.name for request in requests}:
        return f"that {relation}"
    return f"where the devices of {listed(bound, at_most=_LISTED)} {relation}"
