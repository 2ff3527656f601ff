"""What is reported about allocated devices: `status.devices`, and health as the kubelet writes it."""

# FEATURE: O4

from pathlib import Path
from typing import Any

import pytest

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef, PodRef
from dractl.api.resource import ResourceClaim
from dractl.observe.health import device_states, health_reports
from tests.observe.world import findings, lines, read

FIXTURE = Path(__file__).parents[2] / "fixtures/metadata/cluster.yaml"

SHARE = "8e7acdf9-0290-4ecd-a801-a654b021d2b7"

WORLD = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: ml, uid: c}
spec:
  devices:
    requests:
      - {name: one, exactly: {deviceClassName: x, count: 1}}
      - {name: many, firstAvailable: [{name: big, deviceClassName: x, count: 2}]}
status:
  allocation:
    devices:
      results:
        - {request: one, driver: d.example.com, pool: n1, device: dev-0}
        - {request: many/big, driver: d.example.com, pool: n1, device: dev-1}
        - {request: many/big, driver: d.example.com, pool: n1, device: dev-11, shareID: SHARE}
  devices: STATUSES
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: ml, uid: p}
spec:
  nodeName: n1
  resourceClaims: [{name: own, resourceClaimName: c}]
  containers: [{name: main, image: i, resources: {claims: [{name: own}]}}]
status:
  phase: PHASE
  containerStatuses:
    - name: main
      allocatedResourcesStatus: HEALTH
"""


def world(*, health: str = "[]", statuses: str = "[]", phase: str = "Running") -> str:
    return WORLD.replace("HEALTH", health).replace("STATUSES", statuses).replace("PHASE", phase).replace("SHARE", SHARE)


def reports(text: str) -> list[tuple[list[str], str, str]]:
    objects = read(text)
    claims = {ClaimRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(ResourceClaim)}
    (pod,) = objects.of(Pod)
    found = health_reports(pod.object, claims)
    return [([device.device for device in each.devices], each.health, each.message) for each in found]


def rules(text: str) -> list[str]:
    return [finding.rule for finding in findings(text, prefix="device-")]


@pytest.mark.parametrize(
    ("item", "resource", "devices"),
    [
        ("claim:own/one", "whatever/x=y", ["dev-0"]),
        ("claim:own/many", "d.example.com/n1/dev-11", ["dev-11"]),
        ("claim:own/many", "d.example.com/x=dev-1", ["dev-1"]),
        ("claim:own", "d.example.com/x=uid-dev-11", ["dev-11"]),
        ("claim:own/many", "d.example.com/x=opaque", ["dev-1", "dev-11"]),
        ("claim:own/many", "d.example.com/n1/dev-0", []),
        ("claim:own/gone", "d.example.com/n1/dev-0", []),
    ],
)
def test_which_device_is_meant(item: str, resource: str, devices: list[str]) -> None:
    health = f"[{{name: '{item}', resources: [{{resourceID: '{resource}', health: Healthy, message: fine}}]}}]"
    assert reports(world(health=health)) == [(devices, "Healthy", "fine")]


def test_no_health_is_unknown() -> None:
    health = "[{name: claim:own/one, resources: [{resourceID: x}]}]"
    assert reports(world(health=health)) == [(["dev-0"], "Unknown", "")]


@pytest.mark.parametrize("item", ["example.com/gpu", "claim:other"])
def test_other_resources_are_not_about_claims(item: str) -> None:
    """Device plugins report under the resource's name."""
    health = f"[{{name: '{item}', resources: [{{resourceID: x, health: Unhealthy}}]}}]"
    assert reports(world(health=health)) == []


def test_finished_pods_report_nothing() -> None:
    health = "[{name: claim:own/one, resources: [{resourceID: x, health: Unhealthy}]}]"
    assert reports(world(health=health, phase="Failed")) == []
    assert rules(world(health=health, phase="Failed")) == []
    assert rules(world(health=health)) == ["device-health/unhealthy"]


@pytest.mark.parametrize(
    ("health", "rule"),
    [
        ("[{name: claim:own/one, resources: [{resourceID: x, health: Broken}]}]", "device-health/unknown-word"),
        ("[{name: claim:own/gone, resources: [{resourceID: x, health: Healthy}]}]", "device-health/unallocated"),
    ],
)
def test_health_that_makes_no_sense(health: str, rule: str) -> None:
    assert rules(world(health=health)) == [rule]


def test_states_beside_the_allocation() -> None:
    objects = read(FIXTURE.read_text())
    claims = {ClaimRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(ResourceClaim)}
    pods = {PodRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(Pod)}
    states = device_states(claims, pods)
    (npu, nic) = states[ClaimRef("ml", "train-0-accel-x7k2p")]
    assert len(states) == 1
    assert (npu.device.device, npu.status, npu.health[0].health) == ("npu-0", None, "Unhealthy")
    assert nic.status is not None
    assert nic.status.networkData is not None
    assert (nic.status.networkData.interfaceName, nic.health[0].health) == ("net1", "Unknown")


def test_findings_point_at_what_they_mean() -> None:
    text = FIXTURE.read_text()
    written = text.splitlines()
    found = lines(text, findings(text, prefix="device-"))
    assert [rule for rule, _ in found] == ["device-status/unallocated", "device-health/unhealthy"]
    assert [written[line - 1].strip() for _, line in found] == [
        "- driver: nic.acme.example",
        '- {resourceID: npu.acme.example/npu=npu-0, health: Unhealthy, message: "ECC errors: 17"}',
    ]


@pytest.mark.parametrize(
    ("device", "share", "words"),
    [
        ("dev-0", "", ""),
        ("dev-11", SHARE, ""),
        ("dev-11", "", "does not hold without a shareID"),
        ("dev-11", "8e7acdf9-0290-4ecd-a801-a654b021d2b8", "does not hold as share 8e7acdf9"),
        ("dev-2", "", "d.example.com/n1/dev-2, which the claim does not hold"),
    ],
)
def test_status_of_what_is_not_allocated(device: str, share: str, words: str) -> None:
    more = f", shareID: {share}" if share else ""
    statuses = f"[{{driver: d.example.com, pool: n1, device: {device}{more}}}]"
    found: list[Any] = findings(world(statuses=statuses), prefix="device-status")
    assert len(found) == bool(words)
    assert all(words in finding.message for finding in found)
