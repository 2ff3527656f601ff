# FEATURE: D26
"""ResourceQuotas for devices and extended resources: what the API server would refuse."""

import json
from typing import Any

import pytest

from tests.cli.running import dractl
from tests.planner.world import gpu_class, gpus, node, planned, pod, template


def quota(hard: dict[str, str], used: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    metadata = {"name": "devices", "namespace": "default", **({"uid": "u"} if used is not None else {})}
    made: dict[str, Any] = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata}
    made["spec"] = {"hard": hard, **spec}
    if used is not None:
        made["status"] = {"hard": hard, "used": used}
    return made


def exceeded(*objects: dict[str, Any]) -> list[str]:
    plan = planned(node("n1"), gpus("n1", *(f"g{number}" for number in range(8))), *objects)
    return [finding.message for finding in plan.findings if finding.rule == "quotas/exceeded"]


def test_lint_tells_it_too() -> None:
    text = json.dumps(
        {"kind": "List", "apiVersion": "v1", "items": [gpu_class(), quota({PER_CLASS: "1"}), *wanting("a", 2)]}
    )
    ran = dractl("lint", "-", "-o", "json", stdin=text.encode())
    assert "quotas/exceeded" in [each["rule"] for each in json.loads(ran.out)["findings"]]


def wanting(name: str, count: int = 1) -> list[dict[str, Any]]:
    return [template(f"t-{name}", count), pod(name, of_template=f"t-{name}")]


PER_CLASS = "gpu.deviceclass.resource.k8s.io/devices"


def test_devices_of_a_class() -> None:
    pods = [*wanting("a", 2), *wanting("b", 2)]
    assert exceeded(gpu_class(), quota({PER_CLASS: "4"}), *pods) == []
    assert exceeded(gpu_class(), quota({PER_CLASS: "3"}), *pods) == [
        "the API server refuses ResourceClaim default/b-own: exceeded quota: devices, "
        f"requested: {PER_CLASS}=2, used: {PER_CLASS}=2, limited: {PER_CLASS}=3. A plan has it all the same"
    ]


def test_one_that_is_refused_does_not_count() -> None:
    pods = [*wanting("a", 2), *wanting("b", 2), *wanting("c", 1)]
    (message,) = exceeded(gpu_class(), quota({PER_CLASS: "3"}), *pods)
    assert "more objects" not in message


def test_what_a_dump_says_is_used() -> None:
    assert len(exceeded(gpu_class(), quota({PER_CLASS: "8"}, {PER_CLASS: "7"}), *wanting("a", 2))) == 1
    assert exceeded(gpu_class(), quota({PER_CLASS: "8"}, {PER_CLASS: "6"}), *wanting("a", 2)) == []


def test_the_number_of_claims() -> None:
    name = "count/resourceclaims.resource.k8s.io"
    assert len(exceeded(gpu_class(), quota({name: "1"}), *wanting("a"), *wanting("b"), *wanting("c"))) == 1


@pytest.mark.parametrize(("limit", "messages"), [("32", 0), ("31", 1)])
def test_all_counts_as_the_most_devices(limit: str, messages: int) -> None:
    every = template("t-a")
    request = every["spec"]["spec"]["devices"]["requests"][0]
    request["exactly"] = {"deviceClassName": "gpu", "allocationMode": "All"}
    assert len(exceeded(gpu_class(), quota({PER_CLASS: limit}), every, pod("a", of_template="t-a"))) == messages


@pytest.mark.parametrize(("limit", "messages"), [("3", 0), ("2", 1)])
def test_of_alternatives_the_largest_counts(limit: str, messages: int) -> None:
    listed = template("t-a")
    names = [{"name": f"s{count}", "deviceClassName": "gpu", "count": count} for count in (1, 3, 2)]
    listed["spec"]["spec"]["devices"]["requests"] = [{"name": "r", "firstAvailable": names}]
    assert len(exceeded(gpu_class(), quota({PER_CLASS: limit}), listed, pod("a", of_template="t-a"))) == messages


def served() -> dict[str, Any]:
    found = gpu_class()
    found["spec"]["extendedResourceName"] = "example.com/gpu"
    return found


def extended(name: str, count: int) -> dict[str, Any]:
    made = pod(name)
    made["spec"]["containers"][0]["resources"]["limits"] = {"example.com/gpu": str(count)}
    return made


@pytest.mark.parametrize(("limit", "messages"), [("2", 0), ("1", 1)])
def test_extended_resources_are_charged_once(limit: str, messages: int) -> None:
    hard = {"requests.example.com/gpu": limit}
    found = exceeded(served(), quota(hard), extended("a", 2))
    assert len(found) == messages
    assert all("refuses Pod default/a" in message for message in found)


@pytest.mark.parametrize("name", ["requests.example.com/gpu", "requests.deviceclass.resource.kubernetes.io/gpu"])
def test_claims_count_for_the_extended_resource_of_their_class(name: str) -> None:
    assert len(exceeded(served(), quota({name: "1"}), *wanting("a", 2))) == 1
    assert exceeded(gpu_class(), quota({name: "1"}), *wanting("a", 2)) == []


def test_the_special_claim_counts_for_its_class() -> None:
    (message,) = exceeded(served(), quota({PER_CLASS: "1"}), extended("a", 2))
    assert "refuses ResourceClaim default/a-extended-resources-0" in message


def test_quotas_with_scopes_do_not_match_claims() -> None:
    scoped = quota({PER_CLASS: "1"}, scopes=["NotTerminating"])
    assert exceeded(gpu_class(), scoped, *wanting("a", 2)) == []
