# FEATURE: D18
"""Pods with `spec.nodeName`: what keeps the kubelet from starting them, claim by claim."""

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.finding import Finding, Severity
from dractl.observe.prescheduled import missing_claims, prescheduled_findings
from tests.observe.world import gates, read

WORLD = """
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {kubernetes.io/hostname: host-1}}
status: {capacity: {cpu: '8', memory: 16Gi}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {extendedResourceName: example.com/gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t, namespace: ml}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: shared, namespace: ml}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
"""
POD = """---
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: ml, uid: u-a}
spec:
  nodeName: n1
  containers: [{name: c, image: app, resources: {requests: {cpu: 1500m, memory: 1Gi}}}]
  resourceClaims: [%s]
"""
OWN = "{name: own, resourceClaimTemplateName: t}"
SHARED = "{name: sh, resourceClaimName: shared}"
ALLOCATED = """status:
  allocation:
    devices: {results: [{request: r, driver: d, pool: p, device: x}]}
    nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [%s]}]}]}
"""


def cluster(text: str) -> Cluster:
    objects = read(text)
    return Cluster.of(objects, gates(objects).enabled)


def found(text: str) -> list[Finding]:
    world = cluster(text)
    return list(prescheduled_findings(world, world.claims))


def missing(text: str) -> list[tuple[str, str]]:
    world = cluster(text)
    return [(each.entry, each.because) for each in missing_claims(world, world.claims, PodRef("ml", "a"))]


def test_a_claim_of_its_own_is_never_allocated() -> None:
    (finding,) = found(WORLD + POD % OWN)
    assert (finding.rule, finding.severity) == ("pods/never-starts", Severity.WARNING)
    assert "own: claim a-own is its own and nobody allocates it" in finding.message
    assert "it blocks 1500m cpu and 1Gi memory of n1" in finding.message
    assert "prepare dynamic resources: pod a (u-a) is not allowed to use ResourceClaim a-own (" in finding.message
    assert finding.remedy.startswith("write `nodeSelector: {kubernetes.io/hostname: host-1}` instead of nodeName")


def test_in_a_manifest_it_is_an_error() -> None:
    (finding,) = found(WORLD + POD.replace(", uid: u-a", "") % OWN)
    assert finding.severity is Severity.ERROR


def test_every_claim_is_named() -> None:
    absent = "{name: gone, resourceClaimName: nowhere}"
    text = WORLD + POD % f"{SHARED}, {absent}"
    assert missing(text) == [
        ("sh", "claim shared is not allocated: that happens when the scheduler places another pod that uses it"),
        ("gone", "claim nowhere does not exist"),
    ]


def test_the_controller_stops_at_a_claim_that_is_absent() -> None:
    world = WORLD + ALLOCATED % "n1"
    absent = "{name: gone, resourceClaimName: nowhere}"
    assert missing(world + POD % f"{SHARED}, {absent}") == [("gone", "claim nowhere does not exist")]
    assert missing(world + POD % f"{absent}, {SHARED}") == [
        ("gone", "claim nowhere does not exist"),
        ("sh", "claim shared is not reserved: an earlier claim is absent, where the controller stops"),
    ]


def test_an_allocated_claim_is_reserved_by_the_controller() -> None:
    assert found(WORLD + ALLOCATED % "n1" + POD % SHARED) == []


def test_nobody_checks_where_the_devices_are() -> None:
    (finding,) = found(WORLD + ALLOCATED % "n2" + POD % SHARED)
    assert finding.rule == "pods/devices-elsewhere"


def test_a_running_pod_has_what_it_needs() -> None:
    assert found(WORLD + POD % OWN + "status: {phase: Running}\n") == []


def test_extended_resources_are_left_out_by_the_kubelet() -> None:
    text = WORLD + (POD % "").replace("requests: {cpu: 1500m, memory: 1Gi}", "limits: {example.com/gpu: 1}")
    assert [each.rule for each in found(text)] == ["pods/starts-without-devices"]
    plugin = text.replace("memory: 16Gi", "memory: 16Gi, example.com/gpu: '1'")
    assert found(plugin) == []
