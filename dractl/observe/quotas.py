"""Objects that a ResourceQuota for devices refuses: by device class, by number of claims, by extended resource.

The API server counts what claims ask for, whatever they hold: "All" counts as the largest number of devices, and of a
`firstAvailable` list each class with the most that any alternative asks of it. A claim of a class that serves an
extended resource counts for that name too, less what its pod has been charged with already.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.objects import written
from dractl.api.pods import is_terminal
from dractl.api.quantity import NANO, Quantity
from dractl.api.quota import ResourceQuota
from dractl.api.resource import DeviceClass, DeviceRequest, ResourceClaim
from dractl.cluster.cluster import Cluster
from dractl.cluster.requests import container_requests
from dractl.finding import Finding, Severity
from dractl.phrases import counted, verb

COUNT: Final = "count/resourceclaims.resource.k8s.io"
PER_CLASS: Final = ".deviceclass.resource.k8s.io/devices"
REQUESTS: Final = "requests."
IMPLICIT: Final = "deviceclass.resource.kubernetes.io/"
_MOST_DEVICES: Final = 32
_ALL: Final = "All"
_SPECIAL: Final = "resource.kubernetes.io/extended-resource-claim"

Amounts = Mapping[str, int]
"""Whole numbers by the name that a quota has for the resource."""


class _Charged(Struct, frozen=True):
    """An object that counts for quotas; `is_there` if it was in the cluster before."""

    ref: ObjectRef
    amounts: Amounts
    is_there: bool


def quota_findings(cluster: Cluster, claims: Mapping[ClaimRef, ResourceClaim]) -> Iterator[Finding]:
    """What each quota refuses; `claims` are all claims in the end, those for extended resources included."""
    quotas = cluster.objects.of(ResourceQuota)
    if not quotas:
        return
    charged = list(_charged(cluster, claims))
    by_ref = {sourced.ref: sourced for sourced in cluster.objects}
    for quota in quotas:
        spec = quota.object.spec
        if spec.scopes or spec.scopeSelector:
            continue
        refused = list(_refused(quota.object, [each for each in charged if each.ref.namespace == quota.ref.namespace]))
        if refused:
            first, text = refused[0]
            source = written(by_ref[first.ref], by_ref) if first.ref in by_ref else quota
            others = counted(len(refused) - 1, "more object")
            more = f"; {others} {verb(len(refused) - 1, 'is', 'are')} refused as well" if len(refused) > 1 else ""
            yield Finding(
                "quotas/exceeded",
                Severity.ERROR,
                f"the API server refuses {first.ref}: exceeded quota: {quota.ref.name}, {text}{more}. A plan has it "
                "all the same",
                source.place,
                str(first.ref),
                f"raise the quota, or ask for less ({quota.ref} limits what all objects of the namespace ask for)",
            )


def _refused(quota: ResourceQuota, charged: Iterable[_Charged]) -> Iterator[tuple[_Charged, str]]:
    """New objects in their order; one that is refused does not count."""
    hard = {name: amount.nano // NANO for name, amount in (quota.spec.hard or {}).items() if _is_ours(name)}
    known = quota.status.used if quota.metadata.is_dump else None
    used = {name: amount.nano // NANO for name, amount in (known or {}).items() if name in hard}
    for each in charged:
        amounts = {name: amount for name, amount in each.amounts.items() if name in hard and amount}
        if each.is_there:
            if known is None:
                _add(used, amounts)
            continue
        over = [name for name, amount in sorted(amounts.items()) if used.get(name, 0) + amount > hard[name]]
        if over:
            yield each, _text(over, amounts, used, hard)
        else:
            _add(used, amounts)


def _text(names: list[str], wanted: Amounts, used: Amounts, hard: Amounts) -> str:
    """As the API server words it."""
    parts = [("requested", wanted), ("used", used), ("limited", hard)]
    return ", ".join(
        f"{word}: {','.join(f'{name}={amounts.get(name, 0)}' for name in names)}" for word, amounts in parts
    )


def _is_ours(name: str) -> bool:
    """Names of quotas that claims and extended resources count for."""
    if name == COUNT or name.endswith(PER_CLASS):
        return True
    resource = name.removeprefix(REQUESTS)
    return (
        name.startswith(REQUESTS)
        and "/" in resource
        and ("kubernetes.io/" not in resource or resource.startswith(IMPLICIT))
    )


def _add(total: dict[str, int], amounts: Amounts) -> None:
    for name, amount in amounts.items():
        total[name] = total.get(name, 0) + amount


# --- what objects are charged with -----------------------------------------------------------------------------------


def _charged(cluster: Cluster, claims: Mapping[ClaimRef, ResourceClaim]) -> Iterator[_Charged]:
    """Pods before claims: controllers and the scheduler make claims for pods that are there."""
    there = {each.ref for each in cluster.objects if each.made_by is None and each.metadata.is_dump}
    of_pods: dict[PodRef, Amounts] = {}
    for pod_ref, pod in cluster.pods.items():
        if not is_terminal(pod):
            of_pods[pod_ref] = _of_pod(pod)
            ref = ObjectRef("Pod", pod_ref.namespace, pod_ref.name)
            yield _Charged(ref, of_pods[pod_ref], ref in there)
    for claim_ref, claim in claims.items():
        ref = ObjectRef("ResourceClaim", claim_ref.namespace, claim_ref.name)
        yield _Charged(ref, _of_claim(claim, cluster.classes, of_pods), ref in there)


def _of_pod(pod: Pod) -> Amounts:
    return {
        f"{REQUESTS}{name}": Quantity(amount).nano // NANO
        for name, amount in container_requests(pod).items()
        if _is_ours(f"{REQUESTS}{name}")
    }


def _of_claim(claim: ResourceClaim, classes: Mapping[str, DeviceClass], of_pods: Mapping[PodRef, Amounts]) -> Amounts:
    devices: dict[str, int] = {}
    for request in claim.spec.devices.requests or ():
        _add(devices, _most(request))
    amounts = {COUNT: 1, **{f"{name}{PER_CLASS}": number for name, number in devices.items()}}
    owner = claim.metadata.controller
    is_special = (claim.metadata.annotations or {}).get(_SPECIAL) == "true" and owner is not None
    paid = of_pods.get(PodRef(claim.metadata.namespace, owner.name), {}) if is_special and owner is not None else {}
    for name, number in devices.items():
        extended = classes[name].spec.extendedResourceName if name in classes else None
        if extended is not None:
            for charged in (f"{REQUESTS}{IMPLICIT}{name}", f"{REQUESTS}{extended}"):
                amounts[charged] = max(number - paid.get(charged, 0), 0)
    return amounts


def _most(request: DeviceRequest) -> Amounts:
    """The most devices of each class that the request may get."""
    most: dict[str, int] = {}
    for each in (request.exactly, *(request.firstAvailable or ())):
        if each is not None:
            number = _MOST_DEVICES if each.allocationMode == _ALL else each.count
            most[each.deviceClassName] = max(most.get(each.deviceClassName, 0), number)
    return most
