"""When a pod that found no node is tried again: after what its refusals may depend on (scheduling.md §15)."""

from collections.abc import Collection

from msgspec import Struct

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef
from dractl.api.selectors import matches_labels
from dractl.cluster.node_state import host_ports
from dractl.scheduler.filters.inter_pod import required_terms
from dractl.scheduler.refusal import Plugin
from dractl.scheduler.spreading import own_spreads


class PodBound(Struct, frozen=True):
    """A pod got its node."""

    pod: Pod


class PodDeleted(Struct, frozen=True):
    """A pod that had a node is gone."""

    pod: Pod


class ClaimChanged(Struct, frozen=True):
    """A claim got devices or a further consumer."""

    claim: ClaimRef


class ClaimDeallocated(Struct, frozen=True):
    """A claim lost its devices."""


Event = PodBound | PodDeleted | ClaimChanged | ClaimDeallocated


class Failure(Struct, frozen=True):
    """A pod that found no node, the plugins that refused nodes, and its claims."""

    pod: Pod
    plugins: Collection[Plugin]
    claims: Collection[ClaimRef]


def may_help(event: Event, failure: Failure) -> bool:
    """Whether the scheduler takes the pod up again after the event."""
    match event:
        case PodBound():
            return _is_spread_with(event.pod, failure) or _is_wanted_by(event.pod, failure)
        case PodDeleted():
            return (
                Plugin.RESOURCES in failure.plugins
                or _had_a_port_of(event.pod, failure)
                or _is_spread_with(event.pod, failure)
                or _kept_apart(event.pod, failure)
            )
        case ClaimChanged():
            return Plugin.DEVICES in failure.plugins and event.claim in failure.claims
        case ClaimDeallocated():
            return Plugin.DEVICES in failure.plugins


def _is_spread_with(pod: Pod, failure: Failure) -> bool:
    """The pod counts for a spread constraint that refused a node."""
    if Plugin.SPREAD not in failure.plugins or pod.metadata.namespace != failure.pod.metadata.namespace:
        return False
    spreads = own_spreads(failure.pod, "DoNotSchedule")
    return any(matches_labels(spread.selector, pod.metadata.labels) for spread in spreads)


def _had_a_port_of(deleted: Pod, failure: Failure) -> bool:
    if Plugin.PORTS not in failure.plugins:
        return False
    wanted = host_ports(failure.pod)
    return any(port.conflicts_with(mine) for port in host_ports(deleted) for mine in wanted)


def _kept_apart(deleted: Pod, failure: Failure) -> bool:
    """Required anti-affinity stood between the two; labels of namespaces are not looked up here."""
    if Plugin.AFFINITY not in failure.plugins:
        return False
    return any(term.means(deleted, None) for term in required_terms(failure.pod, anti=True)) or any(
        term.means(failure.pod, None) for term in required_terms(deleted, anti=True)
    )


def _is_wanted_by(bound: Pod, failure: Failure) -> bool:
    """The pod is the company that the failed one requires; labels of namespaces are not looked up here."""
    if Plugin.AFFINITY not in failure.plugins:
        return False
    terms = required_terms(failure.pod, anti=False)
    return bool(terms) and all(term.means(bound, None) for term in terms)
