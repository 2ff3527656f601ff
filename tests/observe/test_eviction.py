# FEATURE: O6, D22
"""Whom taints evict and what the controller writes: its own answers, and single rules (taints.md)."""

from typing import Any

import pytest

from dractl.api.core import Pod
from dractl.api.resource import DeviceTaintRule, ResourceClaim, ResourceSlice
from dractl.api.times import parse_time, time_text
from dractl.observe.dry_run import TaintWorld
from dractl.observe.rule_status import first_condition
from tests.conformance import taints
from tests.conformance.__main__ import read_cases
from tests.fixtures import CONFORMANCE
from tests.observe.taint_worlds import CLUSTER, NOW, held, pod, rule, slice_of, world
from tests.observe.world import read


@pytest.mark.parametrize("case", [*read_cases(CONFORMANCE / "taints.jsonl.gz")], ids=lambda case: str(case["id"]))
def test_the_answer_is_that_of_the_real_controller(case: dict[str, Any]) -> None:
    assert taints.first_difference(case["expect"], taints.answer(case["input"]), frozenset()) is None


def taint_world(*documents: str) -> TaintWorld:
    objects = read(world(*documents))
    return TaintWorld(
        [each.object for each in objects.of(ResourceSlice)],
        [each.object for each in objects.of(DeviceTaintRule)],
        [each.object for each in objects.of(ResourceClaim)],
        [each.object for each in objects.of(Pod)],
        parse_time(NOW),
    )


def evict_times(*documents: str) -> list[str]:
    return [time_text(each.evict_at) for each in taint_world(*documents).evictions]


@pytest.mark.parametrize(
    ("tolerations", "expected"),
    [
        ("[]", [NOW]),
        ("[{operator: Exists, effect: NoExecute}]", []),
        ("[{operator: Exists}]", [NOW]),
        ("[{operator: Exists, effect: NoSchedule}]", [NOW]),
        ("[{key: example.com/fw, operator: Equal, value: x, effect: NoExecute}]", [NOW]),
        ("[{operator: Exists, effect: NoExecute, tolerationSeconds: 300}]", ["2026-01-31T12:05:00Z"]),
        ("[{operator: Exists, effect: NoExecute, tolerationSeconds: -7}]", [NOW]),
        (
            "[{operator: Exists, effect: NoExecute, tolerationSeconds: 9},"
            " {operator: Exists, effect: NoExecute, tolerationSeconds: 5}]",
            ["2026-01-31T12:00:05Z"],
        ),
        (
            "[{operator: Exists, effect: NoExecute, tolerationSeconds: 9}, {operator: Exists, effect: NoExecute}]",
            [],
        ),
        # 292 years are all that 64 bits of nanoseconds hold.
        ("[{operator: Exists, effect: NoExecute, tolerationSeconds: 9223372036}]", ["2318-05-13T11:47:16Z"]),
        ("[{operator: Exists, effect: NoExecute, tolerationSeconds: 9223372037}]", ["1733-10-22T12:12:43Z"]),
        ("[{operator: Exists, effect: NoExecute, tolerationSeconds: 9223372036854775807}]", ["2026-01-31T11:59:59Z"]),
    ],
)
def test_tolerations(tolerations: str, expected: list[str]) -> None:
    assert evict_times(held("c", "p", "gpu-0", tolerations=tolerations), pod("p", "c"), rule()) == expected


@pytest.mark.parametrize(
    ("selector", "evicts"),
    [
        ("{}", True),
        ("null", False),
        ("{device: gpu-0}", True),
        ("{driver: gpu.example.com, pool: node-a, device: gpu-0}", True),
        ("{driver: other.example.com, device: gpu-0}", False),
        ("{pool: node-b}", False),
    ],
)
def test_selectors_need_no_published_device(selector: str, evicts: bool) -> None:
    assert bool(evict_times(held("c", "p", "gpu-0"), pod("p", "c"), rule(selector=selector))) is evicts


def test_a_half_toleration_is_noticed() -> None:
    half = held("c", "p", "gpu-0", tolerations="[{key: example.com/fw, operator: Exists}]")
    [eviction] = taint_world(half, pod("p", "c"), rule()).evictions
    assert [cause.is_half_tolerated for cause in eviction.causes] == [True]


@pytest.mark.parametrize(
    ("names", "evicts"),
    [("name: p, uid: p-uid", True), ("name: p", True), ("name: p, uid: another", False), ("name: q", False)],
)
def test_a_reservation_without_uid_is_known_by_name(names: str, evicts: bool) -> None:
    claim = held("c", "p", "gpu-0").replace("name: p, uid: p-uid", names)
    objects = [claim, pod("p", "c").replace("phase: Running", ""), rule()]
    assert bool(evict_times(*objects)) is evicts


def test_of_a_device_that_is_published_twice_the_first_entry_counts() -> None:
    taint = "taints: [{key: hot, effect: NoExecute}]"
    twice = slice_of("node-a", f"[{{name: gpu-0}}, {{name: gpu-0, {taint}}}]")
    once = slice_of("node-a", f"[{{name: gpu-0, {taint}}}]")
    assert evict_times(once, held("c", "p", "gpu-0"), pod("p", "c")) == [NOW]
    assert evict_times(twice, held("c", "p", "gpu-0"), pod("p", "c")) == []


def test_effect_none_describes_what_no_execute_would_do() -> None:
    looking = taint_world(*CLUSTER, rule("None"))
    assert looking.evictions == []
    condition = first_condition(looking, looking.rules[0])
    assert condition.reason == "NoEffect"
    assert condition.message.startswith(
        "2 published devices selected. 1 allocated device selected. "
        "1 pod would be evicted in 1 namespace if the effect was NoExecute."
    )
    assert [str(each.pod) for each in looking.supposed().evictions] == ["ml/train-0"]


def test_a_future_time_delays() -> None:
    later = rule(more=", timeAdded: '2026-01-31T14:00:00+01:00'")
    assert evict_times(*CLUSTER, later) == ["2026-01-31T13:00:00Z"]
