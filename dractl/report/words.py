"""The wording of what keeps a pod from one node: the clause behind "on node N"."""

from collections.abc import Sequence

from msgspec import Struct

from dractl.api.base import NodeSelector
from dractl.api.identities import DeviceId
from dractl.api.quantity import Quantity, QuantityFormat
from dractl.explain.facts import (
    CompeteForDevices,
    ConstraintUnmet,
    InUse,
    NodeFact,
    PoolNotUsable,
    RefusedDevice,
    TooFewDevices,
)
from dractl.phrases import counted, listed, verb
from dractl.problem.attributes import AttributeValue
from dractl.problem.constraints import ConstraintKind
from dractl.problem.selectors import FalseSelector
from dractl.report.holders import Holders
from dractl.report.phrases import device_names, taint_text
from dractl.report.pod_rules import pod_rule_text
from dractl.report.refusals import refusal_text
from dractl.solution.outcomes import (
    AllocatorFailed,
    ClaimElsewhere,
    ClaimsDoNotFit,
    DeviceResources,
    NoCompany,
    NodeNotSelected,
    NodeUnschedulable,
    NotEnough,
    PodsInTheWay,
    PortTaken,
    Rejection,
    SearchGaveUp,
    TooUneven,
    TopologyLabelMissing,
    UntoleratedNodeTaint,
)

_VALUES_SHOWN = 8
_COUNTED_IN_BYTES = ("memory", "ephemeral-storage", "hugepages-")


class Words(Struct, frozen=True):
    """Facts about one node in words; `holders` tell who holds what."""

    node: str
    holders: Holders

    def of_fact(self, fact: NodeFact) -> str:
        """What keeps the claims of a pod from the node's devices."""
        match fact:
            case TooFewDevices():
                clauses = [self._usable(fact), *self._refused(fact), *map(_pool, fact.pools)]
            case ConstraintUnmet():
                clauses = [self._values(fact), self._without_value(fact), *self._in_use(fact)]
            case CompeteForDevices():
                clauses = [self._competition(fact)]
        return "; ".join(clause for clause in clauses if clause)

    def of_rejection(self, rejection: Rejection) -> str:
        """Why the node does not take the pod, as far as no fact about devices says more."""
        match rejection:
            case NotEnough():
                return _shortage(rejection)
            case UntoleratedNodeTaint():
                return f"the pod does not tolerate the node's taint {taint_text(rejection.taint)}"
            case NodeNotSelected():
                return f"the pod's {rejection.field} leaves the node out"
            case NodeUnschedulable():
                return "the node is cordoned"
            case PortTaken():
                return f"host port {rejection.port}/{rejection.protocol} is taken"
            case DeviceResources():
                return rejection.text
            case TopologyLabelMissing() | NoCompany() | PodsInTheWay() | TooUneven():
                return pod_rule_text(rejection)
            case ClaimElsewhere():
                return _elsewhere(rejection)
            case ClaimsDoNotFit():
                names = [claim.name for claim in rejection.claims]
                return f"{verb(len(names), 'claim', 'claims')} {listed(names)} cannot be allocated"
            case AllocatorFailed():
                found = "no devices are found, and " if rejection.fault.pools else ""
                return f"{found}the allocator ends with an error: {rejection.fault.text}"
            case SearchGaveUp():
                return f"the search was ended after {rejection.steps} steps, with nothing proven"

    # --- too few devices ---

    def _usable(self, fact: TooFewDevices) -> str:
        if fact.wanted is None:
            if fact.matching:
                is_free = all(isinstance(each.because, InUse) for each in fact.refused)
                return f"not every matching device {'is free' if is_free else 'can be had'}"
            return "" if fact.pools else "no device matches, and allocationMode All needs at least one"
        if fact.usable:
            return f"only {self._names(fact.usable)} {verb(len(fact.usable), 'is', 'are')} free"
        return "" if fact.refused or fact.pools else "there are no devices"

    def _refused(self, fact: TooFewDevices) -> list[str]:
        """One clause per reason; devices that are not of the class at all are only counted beside others."""
        groups: dict[str, list[RefusedDevice]] = {}
        strangers: dict[str, list[DeviceId]] = {}
        for each in fact.refused:
            owner = each.because.selector.owner if isinstance(each.because, FalseSelector) else ""
            if owner.startswith("class "):
                strangers.setdefault(owner, []).append(each.device)
            else:
                groups.setdefault(refusal_text(each.because, 1, self.node, self.holders), []).append(each)
        clauses = [self._with_reason(members) for members in groups.values()]
        for owner, devices in strangers.items():
            which = counted(len(devices), "other device") if groups or fact.usable else self._names(devices)
            clauses.append(f"{which} {verb(len(devices), 'is', 'are')} not of {owner}")
        return clauses

    def _with_reason(self, members: Sequence[RefusedDevice]) -> str:
        text = refusal_text(members[0].because, len(members), self.node, self.holders)
        return f"{self._names([member.device for member in members])} {text}"

    # --- constraints ---

    def _values(self, fact: ConstraintUnmet) -> str:
        shown = {device: value for device, value in fact.values if value is not None}
        if not shown:
            return ""
        names = device_names(shown, self.node)
        pairs = [f"{name} ({_value(value)})" for name, value in zip(names, shown.values(), strict=True)]
        free = f"{listed(pairs, at_most=_VALUES_SHOWN)} {verb(len(pairs), 'is', 'are')} free"
        if len(pairs) == 1:
            return free
        if fact.constraint.kind is ConstraintKind.DISTINCT:
            return f"{free}, but no {'two' if fact.best < 2 else f'more than {fact.best}'} of them differ"
        return f"{free}, but " + (
            "have no value in common" if fact.best < 2 else f"no more than {fact.best} have one in common"
        )

    def _without_value(self, fact: ConstraintUnmet) -> str:
        lacking = [device for device, value in fact.values if value is None]
        if not lacking:
            return ""
        text = f"{self._names(lacking)} {verb(len(lacking), 'has', 'have')} no {fact.constraint.attribute}"
        return f"{text}, only {fact.near_miss}" if fact.near_miss else text

    def _in_use(self, fact: ConstraintUnmet) -> list[str]:
        groups: dict[str, list[RefusedDevice]] = {}
        for each in fact.in_use:
            groups.setdefault(refusal_text(each.because, 1, self.node, self.holders), []).append(each)
        return [self._with_reason(members) for members in groups.values()]

    # --- several requests ---

    def _competition(self, fact: CompeteForDevices) -> str:
        requests = listed([f"{request.claim.name}:{request.name}" for request in fact.requests])
        if not fact.devices:
            return f"{requests} cannot be satisfied together"
        if len(fact.requests) == 1:
            return f"{self._names(fact.devices)} cannot be had together"
        return f"{requests} could each be satisfied alone, but not together, from {self._names(fact.devices)}"

    def _names(self, devices: Sequence[DeviceId]) -> str:
        return listed(device_names(devices, self.node))


def _pool(pool: PoolNotUsable) -> str:
    return f"pool {pool.pool} is {pool.state} and gives no devices ({pool.because})"


def _value(value: AttributeValue) -> str:
    def spelled(each: int | bool | str) -> str:
        return str(each).lower() if isinstance(each, bool) else str(each)

    values = sorted(map(spelled, value.values))
    return f"[{' '.join(values)}]" if value.is_list else "".join(values)


def _shortage(rejection: NotEnough) -> str:
    resource = rejection.resource
    if resource == "pods":
        return "there are as many pods as the node may have"
    free = rejection.free if rejection.free.nano > 0 else Quantity(0)
    family = QuantityFormat.BINARY_SI if resource.startswith(_COUNTED_IN_BYTES) else QuantityFormat.DECIMAL_SI
    needed, left = rejection.wanted.with_format(family), free.with_format(family)
    return f"{resource} is short: {needed} is needed, {left} is free"


def _elsewhere(rejection: ClaimElsewhere) -> str:
    if rejection.because:
        return f"claim {rejection.claim.name} cannot be used: {rejection.because}"
    return f"claim {rejection.claim.name} holds devices that can be used {_where(rejection.selector)}"


def _where(selector: NodeSelector | None) -> str:
    """On which nodes, as far as a node selector says it in one line."""
    terms = (selector.nodeSelectorTerms if selector is not None else None) or ()
    texts = []
    for term in terms:
        requirements = [*(term.matchFields or ()), *(term.matchExpressions or ())]
        if all(each.key == "metadata.name" and each.operator == "In" for each in requirements):
            texts += [f"on {name}" for each in requirements for name in each.values or ()]
        else:
            parts = [" ".join([each.key, each.operator, *(each.values or ())]) for each in requirements]
            texts.append(f"where {' and '.join(parts)}")
    return f"only {listed(texts)}" if texts else "on no node"
