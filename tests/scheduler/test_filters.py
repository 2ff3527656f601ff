"""The filters before devices (scheduling.md §4). FEATURE: P1"""

from typing import Any

import pytest

from dractl.api.codec import to_api
from dractl.api.core import Node, Pod
from dractl.api.quantity import NANO
from dractl.scheduler.filters import first_refusal

NODE: dict[str, Any] = {"metadata": {"name": "n1", "labels": {"rack": "r1"}}}
ON_RACK_2 = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "In", "values": ["r2"]}]}]
        }
    }
}


def texts(spec: dict[str, Any], node: dict[str, Any], free: dict[str, int] | None = None) -> tuple[str, ...]:
    refused = first_refusal(to_api({"spec": spec}, Pod), to_api({**NODE, **node}, Node), free or {})
    return refused.texts if refused is not None else ()


@pytest.mark.parametrize(
    ("spec", "node", "text"),
    [
        ({"nodeName": "n2"}, {}, "node(s) didn't match the requested node name"),
        ({}, {"spec": {"unschedulable": True}}, "node(s) were unschedulable"),
        ({}, {"spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]}}, "node(s) had untolerated taint(s)"),
        ({"nodeSelector": {"rack": "r2"}}, {}, "node(s) didn't match Pod's node affinity/selector"),
        ({"affinity": ON_RACK_2}, {}, "node(s) didn't match Pod's node affinity/selector"),
    ],
)
def test_one_filter_refuses(spec: dict[str, Any], node: dict[str, Any], text: str) -> None:
    assert texts(spec, node) == (text,)


@pytest.mark.parametrize(
    ("spec", "node"),
    [
        ({}, {}),
        ({"nodeSelector": {"rack": "r1"}}, {}),
        ({"tolerations": [{"operator": "Exists"}]}, {"spec": {"unschedulable": True}}),
        ({}, {"spec": {"taints": [{"key": "k", "effect": "PreferNoSchedule"}]}}),
    ],
)
def test_no_filter_refuses(spec: dict[str, Any], node: dict[str, Any]) -> None:
    assert texts(spec, node) == ()


def test_every_shortage_is_named() -> None:
    spec = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "2", "memory": "1Gi"}}}]}
    node = {"status": {"allocatable": {"cpu": "1", "memory": "1Mi", "pods": "1"}}}
    assert texts(spec, node, {"cpu": NANO, "pods": 0}) == ("Insufficient cpu", "Insufficient memory", "Too many pods")


def test_assumed_nodes_are_not_checked_for_resources() -> None:
    spec = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]}
    assert texts(spec, {}) == ()
