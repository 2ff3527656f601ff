"""What a pod may have meant by a claim or template that is not there: one nearly so named, or elsewhere."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from dractl.api.core import Pod, PodResourceClaim
from dractl.api.identities import ClaimRef
from dractl.cluster.cluster import Cluster
from dractl.near_misses import did_you_mean

CLAIM = "ResourceClaim"
TEMPLATE = "ResourceClaimTemplate"


_OTHER: Final = {
    CLAIM: "it is a claim template: write resourceClaimTemplateName",
    TEMPLATE: "it is a claim: write resourceClaimName",
}


def meant_instead(kind: str, missing: ClaimRef, known: Collection[ClaimRef], others: Collection[ClaimRef] = ()) -> str:
    """What to say of a claim or template that is not among the known ones, or nothing.

    `others` are the claims for a template, and the templates for a claim.
    """
    if missing in others:
        return _OTHER[kind]
    close = did_you_mean(missing.name, [ref.name for ref in known if ref.namespace == missing.namespace])
    elsewhere = next((ref.namespace for ref in known if ref.name == missing.name), "")
    if close or not elsewhere:
        return close
    return f"there is one in namespace {elsewhere}; a pod finds only those of its own namespace, {missing.namespace}"


def missing_references(cluster: Cluster, pod: Pod) -> Iterator[tuple[str, ClaimRef, str]]:
    """The claims and templates that a pod names in vain: kind, name, and what may have been meant."""
    made = {each.name for each in pod.status.resourceClaimStatuses or ()}
    for entry in pod.spec.resourceClaims or ():
        kind, name = _named(entry)
        kinds: list[Mapping[ClaimRef, Any]] = [cluster.claims, cluster.templates]
        known, others = kinds if kind == CLAIM else reversed(kinds)
        ref = ClaimRef(pod.metadata.namespace, name)
        if ref not in known and (kind == CLAIM or entry.name not in made):
            yield kind, ref, meant_instead(kind, ref, known, others)


def _named(entry: PodResourceClaim) -> tuple[str, str]:
    if entry.resourceClaimName is not None:
        return CLAIM, entry.resourceClaimName
    return TEMPLATE, entry.resourceClaimTemplateName or ""
