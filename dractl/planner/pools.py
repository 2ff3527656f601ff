"""`dractl pools`: requests for pool status answered, and what every pool has on every node."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from dractl.api.core import Node
from dractl.api.identities import ClaimRef, ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pool_status import PoolStatus
from dractl.api.resource import (
    DeviceTaintRule,
    ResourceClaim,
    ResourcePoolStatusRequest,
    ResourcePoolStatusRequestSpec,
    ResourceSlice,
)
from dractl.api.times import time_text
from dractl.cluster.features import Features
from dractl.cluster.pools import PoolIndex
from dractl.cluster.taint_rules import with_rule_taints
from dractl.errors import Origin, Place
from dractl.finding import Finding
from dractl.gates import Gates
from dractl.observe.pool_findings import contradiction_findings, request_findings
from dractl.observe.pool_inventory import PoolContent, pool_contents
from dractl.observe.pool_overview import Overview, PoolShare
from dractl.observe.pool_status import PoolAnswer, answer_request

_LARGEST_LIMIT = 1000


class AnsweredRequest(Struct, frozen=True, eq=False):
    """A request with the status that the controller calculates; `is_implied` if the input holds none."""

    request: Sourced[ResourcePoolStatusRequest]
    answer: PoolAnswer
    is_implied: bool

    @property
    def pools(self) -> Sequence[PoolStatus]:
        """The pools that are returned."""
        return self.answer.status.pools or ()


class PoolsReport(Struct, frozen=True, eq=False):
    """The answers, and the shares of all pools that they speak of. `claims` are those of the input, to name users."""

    gates: Gates
    requests: tuple[AnsweredRequest, ...]
    shares: tuple[PoolShare, ...]
    claims: Mapping[ClaimRef, ResourceClaim]
    findings: tuple[Finding, ...]


def pools_report(objects: ObjectSet, gates: Gates, now: datetime, asked: str | None = None) -> PoolsReport:
    """Answer the requests of the input, or only the one of this name; without any, one for each driver.

    The objects are taken as they stand: nothing is planned, and no controller acts on them.
    """
    rules = [each.object for each in objects.of(DeviceTaintRule)] if gates.is_on("DRADeviceTaintRules") else []
    slices = [each.object for each in objects.of(ResourceSlice)]
    contents = pool_contents(slices, (each.object for each in objects.of(ResourceClaim)), rules)
    written = [each for each in objects.of(ResourcePoolStatusRequest) if asked in (None, each.ref.name)]
    answered = tuple(
        AnsweredRequest(
            request,
            answer_request(
                request.object.spec,
                contents,
                now=time_text(now),
                shows_partitions=gates.is_on("DRAPartitionableDevicesType"),
            ),
            not written,
        )
        for request in written or _implied(contents)
    )
    shown = _shown(contents, answered) if written else contents
    index = PoolIndex([with_rule_taints(each, rules) for each in _by_name(slices)], Features.of(gates.enabled))
    overview = Overview(index, {each.ref.name: each.object for each in objects.of(Node)})
    return PoolsReport(
        gates,
        answered,
        tuple(overview.shares(shown)),
        {ClaimRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(ResourceClaim)},
        (
            *_findings(answered, gates, contents),
            *contradiction_findings(slice_ for each in shown for slice_ in each.slices),
        ),
    )


def _by_name(slices: Sequence[ResourceSlice]) -> list[ResourceSlice]:
    return sorted(slices, key=lambda each: each.metadata.name)


def _implied(contents: Sequence[PoolContent]) -> list[Sourced[ResourcePoolStatusRequest]]:
    """What nobody wrote, but is asked where the input holds no request: everything, driver by driver."""
    requests = []
    for driver in dict.fromkeys(content.id.driver for content in contents):
        spec = ResourcePoolStatusRequestSpec(driver=driver, limit=_LARGEST_LIMIT)
        request = ResourcePoolStatusRequest(spec=spec)
        ref = ObjectRef("ResourcePoolStatusRequest", "", driver)
        requests.append(Sourced(request, ref, Place(Origin("")), "resource.k8s.io/v1alpha3"))
    return requests


def _shown(contents: Sequence[PoolContent], answered: Sequence[AnsweredRequest]) -> list[PoolContent]:
    returned = {(pool.driver, pool.poolName) for each in answered for pool in each.pools}
    return [content for content in contents if (content.id.driver, content.id.pool) in returned]


def _findings(answered: Sequence[AnsweredRequest], gates: Gates, contents: Sequence[PoolContent]) -> Iterator[Finding]:
    for each in answered:
        if not each.is_implied:
            yield from request_findings(each.request, each.answer, gates, (content.id for content in contents))
