"""What is to be said about requests for pool status: when a cluster leaves them unanswered (poolstatus.md §1, §6)."""

from collections.abc import Iterable, Iterator
from typing import Final

from dractl.api.identities import PoolId
from dractl.api.objects import Sourced
from dractl.api.resource import ResourcePoolStatusRequest, ResourceSlice
from dractl.cluster.contradictions import contradictions
from dractl.errors import path_text
from dractl.finding import Finding, Severity
from dractl.gates import Gates, gates_of
from dractl.near_misses import did_you_mean
from dractl.observe.pool_status import PoolAnswer

GATE: Final = "DRAResourcePoolStatus"
_FIRST_RELEASE: Final = "1.36"
_VERSION: Final = "resource.k8s.io/v1alpha3"


def request_findings(
    request: Sourced[ResourcePoolStatusRequest], answer: PoolAnswer, gates: Gates, pools: Iterable[PoolId]
) -> Iterator[Finding]:
    """Why a cluster would not write this answer, or nothing into it; `pools` are those of the input."""
    yield from _not_served(request, gates)
    yield from _nothing(request, pools)
    yield from _incomplete(request, answer)
    yield from _refused(request, answer)
    if request.object.status:
        yield Finding(
            "pools/answered-before",
            Severity.INFO,
            "has a status already: a cluster sets it once, so this answer differs from what the request says",
            request.place.at("status"),
            str(request.ref),
            "delete the request and create it again",
        )


def contradiction_findings(slices: Iterable[ResourceSlice]) -> Iterator[Finding]:
    """Pools whose slices disagree about their number: the first that the cluster lists decides (poolstatus.md §7)."""
    for contradiction in contradictions(sorted(slices, key=lambda each: each.metadata.name)):
        yield Finding(
            "pools/contradiction",
            Severity.WARNING,
            f"{contradiction}: whether the pool is complete rests on which slice the cluster lists first",
            subject=f"pool {contradiction.pool}",
            remedy="the driver has to publish the same number in all slices of a generation",
        )


def _not_served(request: Sourced[ResourcePoolStatusRequest], gates: Gates) -> Iterator[Finding]:
    place, subject = request.place.at("kind"), str(request.ref)
    known = gates_of(gates.release)
    if GATE not in known:
        message = f"nobody answers: Kubernetes {gates.release} does not know the kind, which came with {_FIRST_RELEASE}"
        yield Finding("pools/unanswered", Severity.WARNING, message, place, subject)
    elif not gates.is_on(GATE):
        message = f"nobody answers: {GATE} is off ({gates.why(GATE)}), so no controller looks at requests"
        yield Finding("pools/unanswered", Severity.WARNING, message, place, subject, _how_to_serve())
    elif not known[GATE].default:
        message = (
            f"a default {gates.release} cluster leaves the request unanswered: {GATE} is off there, "
            f"and {_VERSION} is not served"
        )
        yield Finding("pools/default-cluster", Severity.INFO, message, place, subject, _how_to_serve())


def _how_to_serve() -> str:
    return (
        f"--feature-gates={GATE}=true for API server and controller manager, "
        f"--runtime-config={_VERSION}=true for the API server"
    )


def _nothing(request: Sourced[ResourcePoolStatusRequest], pools: Iterable[PoolId]) -> Iterator[Finding]:
    spec, known = request.object.spec, tuple(pools)
    of_driver = [pool.pool for pool in known if pool.driver == spec.driver]
    if not of_driver:
        message, field = f"the input has no pool of driver {spec.driver}", "driver"
        remedy = did_you_mean(spec.driver, [pool.driver for pool in known])
    elif spec.poolName and spec.poolName not in of_driver:
        message, field = f"driver {spec.driver} has no pool {spec.poolName} in the input", "poolName"
        remedy = did_you_mean(spec.poolName, of_driver)
    else:
        return
    place = request.place.at("spec", field)
    yield Finding("pools/nothing-asked-for", Severity.WARNING, message, place, str(request.ref), remedy)


def _incomplete(request: Sourced[ResourcePoolStatusRequest], answer: PoolAnswer) -> Iterator[Finding]:
    if not answer.incomplete:
        return
    names = ", ".join(f"{pool.driver}/{pool.poolName}" for pool in answer.incomplete)
    yield Finding(
        "pools/unanswered",
        Severity.WARNING,
        f"a cluster leaves the request unanswered while a returned pool is incomplete ({names}): the controller tries "
        "five times within a second, then not before the request changes or the controller restarts",
        request.place.at("spec"),
        str(request.ref),
        "name another pool in spec.poolName, or ask again once the driver has published all slices",
    )


def _refused(request: Sourced[ResourcePoolStatusRequest], answer: PoolAnswer) -> Iterator[Finding]:
    if not answer.lacking:
        return
    fields = ", ".join(map(path_text, answer.lacking))
    yield Finding(
        "pools/unanswered",
        Severity.WARNING,
        f"a cluster leaves the request unanswered: the API server refuses the status, for it demands {fields}",
        request.place.at("spec"),
        str(request.ref),
        "the driver has to count generations from 1 and to name every partition type",
    )
