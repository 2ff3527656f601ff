"""The answer to a ResourcePoolStatusRequest, as the controller would calculate it (poolstatus.md)."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.base import Condition
from dractl.api.pool_status import PartitionTypeSummary, PoolStatus, ResourcePoolStatusRequestStatus
from dractl.api.resource import ResourcePoolStatusRequestSpec, ResourceSlice
from dractl.errors import FieldPath
from dractl.observe.partitions import partition_summary
from dractl.observe.pool_inventory import PoolContent, is_repelling
from dractl.observe.shareable import shareable_summary
from dractl.observe.view_error import ViewError

DEFAULT_LIMIT: Final = 100
INCOMPLETE: Final = "PoolIncomplete"
_LONGEST_ERROR: Final = 256


class PoolAnswer(Struct, frozen=True):
    """The status as it is calculated, and why a cluster would not write it.

    `incomplete` are returned pools that keep the controller from writing, `lacking` the fields without which the API
    server refuses the update: a generation of 0, the name of a partition type that is empty.
    """

    status: ResourcePoolStatusRequestStatus
    incomplete: tuple[PoolStatus, ...] = ()
    lacking: tuple[FieldPath, ...] = ()


def answer_request(
    request: ResourcePoolStatusRequestSpec,
    contents: Sequence[PoolContent],
    *,
    now: str | None = None,
    shows_partitions: bool = True,
) -> PoolAnswer:
    """The request's status (poolstatus.md §6).

    `contents` are all pools in order, of all drivers; `now` is the condition's time. `shows_partitions` is the state of
    the gate DRAPartitionableDevicesType: without it there are no partition types.
    """
    selected = [each for each in contents if _is_asked_for(each, request)]
    returned = selected[: request.limit or DEFAULT_LIMIT]
    default = request.defaultPartitionTypeAttribute
    pools = [_pool_status(each, default, shows_partitions=shows_partitions) for each in returned]
    status = ResourcePoolStatusRequestStatus(
        poolCount=len(selected), pools=pools or None, conditions=[_condition(pools, now)]
    )
    return PoolAnswer(
        status,
        tuple(pool for pool in pools if pool.totalDevices is None),
        tuple(("status", "pools", number, *path) for number, pool in enumerate(pools) for path in _lacking(pool)),
    )


def _is_asked_for(content: PoolContent, request: ResourcePoolStatusRequestSpec) -> bool:
    return content.id.driver == request.driver and request.poolName in (None, content.id.pool)


def _condition(pools: Sequence[PoolStatus], now: str | None) -> Condition:
    faulty = sum(pool.validationError is not None for pool in pools)
    message = f"Calculated status for {len(pools)} pools" + (f" ({faulty} incomplete)" if faulty else "")
    return Condition(
        type="Complete", status="True", reason="CalculationComplete", message=message, lastTransitionTime=now
    )


def _lacking(pool: PoolStatus) -> Iterator[FieldPath]:
    if not pool.generation:
        yield ("generation",)
    for number, group in enumerate(pool.partitionSummary or ()):
        if not group.type:
            yield ("partitionSummary", number, "type")


# --- one pool --------------------------------------------------------------------------------------------------------


def _pool_status(content: PoolContent, default_attribute: str | None, *, shows_partitions: bool) -> PoolStatus:
    status = PoolStatus(
        driver=content.id.driver,
        poolName=content.id.pool,
        generation=content.generation,
        nodeName=_common_node(content.slices),
    )
    observed, expected = len(content.slices), content.slices[0].spec.pool.resourceSliceCount
    if observed < expected:
        text = f"pool {content.id} is incomplete: observed {observed}/{expected} slices"
        return replace(status, validationError=_cut(f"{INCOMPLETE}: {text} at generation {content.generation}"))
    return _with_views(_with_counts(status, content), content, default_attribute, shows_partitions=shows_partitions)


def _with_counts(status: PoolStatus, content: PoolContent) -> PoolStatus:
    """A device that is both allocated and tainted is taken off twice."""
    devices = [device for _, device in content.devices]
    unavailable = sum(is_repelling(device) for device in devices)
    allocated = len(content.held)
    return replace(
        status,
        resourceSliceCount=len(content.slices),
        totalDevices=len(devices),
        allocatedDevices=allocated,
        unavailableDevices=unavailable,
        availableDevices=max(0, len(devices) - allocated - unavailable),
    )


def _with_views(
    status: PoolStatus, content: PoolContent, default_attribute: str | None, *, shows_partitions: bool
) -> PoolStatus:
    """The first error counts; one about shared capacity takes the partitions along (poolstatus.md §3)."""
    errors: list[ViewError] = []
    partitions: list[PartitionTypeSummary] | None = None
    shareable = None
    try:
        partitions = partition_summary(content, default_attribute) if shows_partitions else None
    except ViewError as error:
        errors.append(error)
    try:
        shareable = shareable_summary(content)
    except ViewError as error:
        errors.append(error)
        partitions = None
    return replace(
        status,
        partitionSummary=partitions or None,
        shareableSummary=shareable,
        validationError=_cut(str(errors[0])) if errors else None,
    )


def _common_node(slices: Sequence[ResourceSlice]) -> str | None:
    names = {slice_.spec.nodeName or "" for slice_ in slices}
    return (names.pop() or None) if len(names) == 1 else None


def _cut(text: str) -> str:
    """At most 256 bytes; each byte of a character that is cut through becomes a replacement character."""
    cut = text.encode()[:_LONGEST_ERROR]
    sound = cut.decode(errors="ignore")
    return sound + "�" * (len(cut) - len(sound.encode()))
