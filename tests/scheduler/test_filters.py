"""The filters before devices (scheduling.md §4). FEATURE: P1"""

from typing import Any

import pytest

from dractl.api.codec import to_api
from dractl.api.core import Node, Pod
from dractl.api.identities import ObjectRef, PodRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.cluster.cluster import Cluster
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.errors import Origin, Place
from dractl.scheduler.filters import Filters
from dractl.scheduler.pod_info import PodInfo

NODE: dict[str, Any] = {"metadata": {"name": "n1", "labels": {"rack": "r1"}}}
ON_RACK_2 = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "In", "values": ["r2"]}]}]
        }
    }
}


def texts(spec: dict[str, Any], node: dict[str, Any], *others: dict[str, Any]) -> tuple[str, ...]:
    """What the filters say of a node with these pods on it."""
    read = to_api({**NODE, **node}, Node)
    place = Place(Origin("test"))
    sourced = Sourced(read, ObjectRef("Node", "", read.metadata.name), place, "v1")
    state = ClusterState(Cluster.of(ObjectSet([sourced]), ()))
    for number, other in enumerate(others):
        state.nodes["n1"].add(PodRef("default", f"other-{number}"), to_api({"spec": other}, Pod))
    pod = PodInfo(PodRef("default", "p"), to_api({"spec": spec}, Pod))
    refused = Filters(pod, state).refuse(state.nodes["n1"])
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


def requesting(**amounts: str) -> dict[str, Any]:
    return {"containers": [{"name": "c", "resources": {"requests": amounts}}]}


def test_every_shortage_is_named() -> None:
    node = {"status": {"allocatable": {"cpu": "1", "memory": "1Mi", "pods": "1"}}}
    found = texts(requesting(cpu="2", memory="1Gi"), node, {})
    assert found == ("Too many pods", "Insufficient cpu", "Insufficient memory")


def test_what_others_take_counts() -> None:
    node = {"status": {"allocatable": {"cpu": "3"}}}
    assert texts(requesting(cpu="2"), node, requesting(cpu="1")) == ()
    assert texts(requesting(cpu="2"), node, requesting(cpu="1001m")) == ("Insufficient cpu",)


def test_capacity_stands_in_for_what_is_allocatable() -> None:
    assert texts(requesting(cpu="2"), {"status": {"capacity": {"cpu": "1"}}}) == ("Insufficient cpu",)


def test_assumed_nodes_are_not_checked_for_resources() -> None:
    assert texts(requesting(cpu="2"), {}) == ()


def test_a_host_port_can_be_had_once() -> None:
    spec = {"containers": [{"name": "c", "ports": [{"containerPort": 80, "hostPort": 8080}]}]}
    assert texts(spec, {}, spec) == ("node(s) didn't have free ports for the requested pod ports",)


def test_a_port_that_two_pods_have_is_free_once_one_of_them_goes() -> None:
    """As in v1.37.2, which keeps the ports of a node as a set."""
    with_port = {"containers": [{"name": "c", "ports": [{"containerPort": 80, "hostPort": 80}]}]}
    state = NodeState.of(to_api(NODE, Node))
    for name in ("one", "other"):
        state.add(PodRef("default", name), to_api({"spec": with_port}, Pod))
    assert [port.port for port in state.ports] == [80]
    state.remove(PodRef("default", "one"))
    assert not state.ports
