# FEATURE: C3
"""Names of nodes that are slips of the pen, and those that are of a series."""

import json

import pytest

from dractl.near_misses import nearest
from tests.cli.running import dractl
from tests.observe.lint.world import NODE, device_slice, together


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("worker1", "worker-1"),
        ("Worker-1", "worker-1"),
        ("wroker-1", "worker-1"),
        ("worke-1", "worker-1"),
        ("workerr-1", "worker-1"),
        ("workex-1", "worker-1"),
        ("gpu.node-a", "gpu-node-a"),
        ("kind-controlplane", "kind-control-plane"),
    ],
)
def test_slips(written: str, known: str) -> None:
    assert nearest(written, [known]) == known


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("worker-2", "worker-1"),
        ("worker-11", "worker-1"),
        ("rack-1-1", "rack-11"),
        ("node-a", "node-b"),
        ("worker-east", "worker-west"),
        ("ip-10-0-1-2.ec2.internal", "ip-10-0-1-3.ec2.internal"),
        ("gke-default-pool-2f3a1b4c-x7kq", "gke-default-pool-9d0e77aa-p3zt"),
        ("worker", "master"),
    ],
)
def test_other_nodes(written: str, known: str) -> None:
    assert nearest(written, [known]) == ""


def test_a_misspelt_node_is_not_told_as_one_that_is_only_named() -> None:
    slices = [
        device_slice(f"{name}.example.com", "  - name: d\n", name=name, pool=name, node=node)
        for name, node in (("a", "worker1"), ("b", "worker-7"), ("c", "worker-8"))
    ]
    text = together(NODE.replace("n1", "worker-1"), *slices)
    results = json.loads(dractl("lint", "-", "-o", "json", stdin=text.encode()).out)["findings"]
    assert [(each["rule"], each["at"]["line"]) for each in results] == [
        ("DRA318", 11),
        ("workloads/assumed-nodes", 24),
    ]
    assert results[1]["message"].startswith("2 nodes assumed, named but not described: worker-7, worker-8; ")
