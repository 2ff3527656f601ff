# FEATURE: O1, O2, O3
"""Pool status as the controller calculates it: its own answers, and what its rules say of odd input (poolstatus.md)."""

from typing import Any

import pytest

from dractl.api.codec import to_api
from dractl.api.pool_status import PoolStatus
from dractl.api.resource import ResourceClaim, ResourcePoolStatusRequestSpec, ResourceSlice
from dractl.observe.pool_inventory import pool_contents
from dractl.observe.pool_status import PoolAnswer, answer_request
from tests.conformance import poolstatus
from tests.conformance.__main__ import read_cases
from tests.fixtures import CONFORMANCE

DRIVER = "gpu.example.com"


@pytest.mark.parametrize("case", [*read_cases(CONFORMANCE / "poolstatus.jsonl.gz")], ids=lambda case: str(case["id"]))
def test_the_answer_is_that_of_the_real_controller(case: dict[str, Any]) -> None:
    assert poolstatus.first_difference(case["expect"], poolstatus.answer(case["input"]), frozenset()) is None


def slice_of(devices: list[dict[str, Any]], *, name: str = "s", **spec: Any) -> ResourceSlice:
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    plain = {"driver": DRIVER, "pool": pool, "nodeName": "n", "devices": devices, **spec}
    return to_api({"metadata": {"name": name}, "spec": plain}, ResourceSlice)


def claim_of(*devices: str, **more: Any) -> ResourceClaim:
    results = [{"request": "r", "driver": DRIVER, "pool": "p", "device": device, **more} for device in devices]
    return to_api(
        {"metadata": {"name": "c"}, "status": {"allocation": {"devices": {"results": results}}}}, ResourceClaim
    )


def answered(slices: list[ResourceSlice], *claims: ResourceClaim, **spec: Any) -> PoolAnswer:
    request = ResourcePoolStatusRequestSpec(driver=DRIVER, **spec)
    return answer_request(request, pool_contents(slices, claims, []))


def only_pool(answer: PoolAnswer) -> PoolStatus:
    [pool] = answer.status.pools or []
    return pool


def partition(name: str, kind: str, **use: Any) -> dict[str, Any]:
    return {
        "name": name,
        "attributes": {"kind": {"string": kind}},
        "consumesCounters": [{"counterSet": "s", "counters": {"memory": {"value": "1Gi"}}, **use}],
    }


COUNTERS = [{"name": "s", "counters": {"memory": {"value": "4Gi"}}}]


def test_a_device_that_is_held_and_tainted_is_taken_off_twice() -> None:
    tainted = {"name": "a", "taints": [{"key": "k", "effect": "NoSchedule"}]}
    pool = only_pool(answered([slice_of([tainted, {"name": "b"}, {"name": "c"}])], claim_of("a")))
    assert (pool.totalDevices, pool.allocatedDevices, pool.unavailableDevices, pool.availableDevices) == (3, 1, 1, 1)


def test_each_entry_of_a_device_in_use_consumes_once_more() -> None:
    devices = [partition("a", "x"), partition("a", "x"), partition("b", "x"), partition("c", "x"), partition("d", "x")]
    answer = answered(
        [slice_of(devices, sharedCounters=COUNTERS)], claim_of("a"), defaultPartitionTypeAttribute=f"{DRIVER}/kind"
    )
    [summary] = only_pool(answer).partitionSummary or []
    assert (summary.total, summary.allocatable) == (5, 2)


def test_counters_that_are_consumed_twice_are_another_cost() -> None:
    twice = {**partition("b", "x"), "consumesCounters": partition("b", "x")["consumesCounters"] * 2}
    answer = answered(
        [slice_of([partition("a", "x"), twice], sharedCounters=COUNTERS)],
        defaultPartitionTypeAttribute=f"{DRIVER}/kind",
    )
    assert (only_pool(answer).validationError or "").startswith('PartitionCostMismatch: devices of partition type "x"')


def test_a_partition_type_without_a_name_makes_the_server_refuse_the_status() -> None:
    answer = answered(
        [slice_of([partition("a", "")], sharedCounters=COUNTERS)], defaultPartitionTypeAttribute=f"{DRIVER}/kind"
    )
    assert answer.lacking == (("status", "pools", 0, "partitionSummary", 0, "type"),)


def test_errors_end_at_256_bytes_even_inside_a_character() -> None:
    odd = {**partition("b", "€" * 70), "consumesCounters": []}
    other = partition("c", "€" * 70, counters={"memory": {"value": "2Gi"}})
    answer = answered(
        [slice_of([partition("a", "€" * 70), odd, other], sharedCounters=COUNTERS)],
        defaultPartitionTypeAttribute=f"{DRIVER}/kind",
    )
    error = only_pool(answer).validationError or ""
    assert error.startswith("PartitionCostMismatch: devices of partition type")
    assert len(error.replace("�", "x").encode()) == 256


def test_without_the_gate_for_types_there_are_no_partitions() -> None:
    contents = pool_contents([slice_of([partition("a", "x")], sharedCounters=COUNTERS)], [], [])
    request = ResourcePoolStatusRequestSpec(driver=DRIVER, defaultPartitionTypeAttribute=f"{DRIVER}/kind")
    pool = only_pool(answer_request(request, contents, shows_partitions=False))
    assert (pool.partitionSummary, pool.validationError) == (None, None)


def test_the_limit_cuts_off_and_the_count_does_not() -> None:
    slices = [
        slice_of([], name=name, pool={"name": name, "generation": 1, "resourceSliceCount": 1}) for name in ("b", "a")
    ]
    answer = answered(slices, limit=1)
    assert answer.status.poolCount == 2
    assert only_pool(answer).poolName == "a"
