"""What a pod takes of a node, and what scores make of it (scheduling.md §6.2, §7.1, §8.1)."""

from typing import Any

import pytest

from dractl.api.codec import to_api
from dractl.api.core import Pod
from dractl.api.quantity import NANO
from dractl.cluster.requests import device_amounts, pod_requests, running_score_requests


def container(cpu: str, **fields: Any) -> dict[str, Any]:
    return {"name": "c", "resources": {"requests": {"cpu": cpu}}, **fields}


@pytest.mark.parametrize(
    ("spec", "cpus"),
    [
        ({"containers": [container("1"), container("2")]}, 3),
        ({"containers": [container("1")], "initContainers": [container("4")]}, 4),
        ({"containers": [container("1")], "initContainers": [container("2", restartPolicy="Always")]}, 3),
        (
            {
                "containers": [container("1")],
                "initContainers": [container("2", restartPolicy="Always"), container("3")],
            },
            5,
        ),
        (
            {
                "containers": [container("1")],
                "initContainers": [container("3"), container("2", restartPolicy="Always")],
            },
            3,
        ),
        ({"containers": [container("1")], "resources": {"requests": {"cpu": "8"}}}, 8),
        ({"containers": [container("1")], "overhead": {"cpu": "1"}}, 2),
    ],
)
def test_the_peak_of_containers(spec: dict[str, Any], cpus: int) -> None:
    assert pod_requests(to_api({"spec": spec}, Pod)) == {"cpu": cpus * NANO, "pods": NANO}


BARE = {"name": "c"}
MIB = 1024**2


def needs(**amounts: str) -> dict[str, Any]:
    return {"name": "c", "resources": {"requests": amounts}}


@pytest.mark.parametrize(
    ("spec", "mebibytes"),
    [
        ({"containers": [needs(memory="128Mi"), BARE]}, 328),
        ({"containers": [needs(memory="128Mi"), BARE], "resources": {"requests": {"cpu": "2"}}}, 128),
        ({"containers": [needs(memory="0"), BARE], "resources": {"requests": {"cpu": "2"}}}, 0),
        ({"containers": [needs(memory="128Mi"), BARE], "resources": {"requests": {"hugepages-2Mi": "2Mi"}}}, 128),
        ({"containers": [needs(memory="128Mi"), BARE], "resources": {"requests": {}}}, 328),
        ({"containers": [BARE, BARE], "resources": {"requests": {"cpu": "2"}}}, 400),
        (
            {
                "containers": [BARE],
                "initContainers": [{**needs(memory="10Mi"), "restartPolicy": "Always"}],
                "resources": {"requests": {"cpu": "2"}},
            },
            10,
        ),
        ({"containers": [BARE], "overhead": {"memory": "64Mi"}, "resources": {"requests": {"cpu": "2"}}}, 64),
        ({"containers": [BARE], "overhead": {"memory": "64Mi"}}, 264),
        ({"containers": [BARE, BARE], "resources": {"requests": {"memory": "10Mi"}}}, 10),
    ],
)
def test_pod_level_requests_take_the_place_of_defaults(spec: dict[str, Any], mebibytes: int) -> None:
    """scheduling.md §8.1"""
    assert running_score_requests(to_api({"spec": spec}, Pod))["memory"] == mebibytes * MIB * NANO


def mapped(quantity: str) -> dict[str, Any]:
    return {"resourceClaimName": "devices", "mapping": [{"name": "cpu", "quantity": quantity}]}


def overhead(*containers: str) -> dict[str, Any]:
    amounts = {"name": "cpu", "perPod": "3", "perContainer": "1"}
    return {"resourceClaimName": "more", "containers": list(containers), "overhead": [amounts]}


@pytest.mark.parametrize(
    ("statuses", "level", "cpus"),
    [
        ([mapped("6")], {}, 6),
        ([mapped("6"), overhead("c", "d")], {}, 11),
        ([overhead()], {}, 3),
        ([mapped("6")], {"memory": "1Gi"}, 6),
        ([mapped("6")], {"cpu": "1"}, 0),
        ([], {}, 0),
    ],
)
def test_what_devices_take_is_in_the_pods_status(
    statuses: list[dict[str, Any]], level: dict[str, str], cpus: int
) -> None:
    """scheduling.md §7.1"""
    spec = {"containers": [BARE], "resources": {"requests": level}}
    pod = to_api({"spec": spec, "status": {"nodeAllocatableResourceClaimStatuses": statuses}}, Pod)
    assert device_amounts(pod).get("cpu", 0) == cpus * NANO
