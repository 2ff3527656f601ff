# FEATURE: D2
import pytest

from dractl.finding import Severity
from tests.workloads.world import claim, claims, expanded, rules

FINALIZER = "resource.kubernetes.io/delete-protection"
OTHER_POD = (
    "\n---\n{kind: Pod, metadata: {name: other, uid: other-uid}, spec: {nodeName: n1}, status: {phase: Running}}"
)


def held(*consumers: str, metadata: str = "") -> str:
    reserved = ", ".join(consumers)
    return f"""
---
kind: ResourceClaim
metadata:
  name: c
  finalizers: [{FINALIZER}]
  {metadata}
status:
  reservedFor: [{reserved}]
  allocation: {{devices: {{results: [{{request: r, driver: d, pool: n1, device: d0}}]}}}}
  devices: [{{driver: d, pool: n1, device: d0}}]
"""


def a_pod(status: str = "phase: Running", spec: str = "nodeName: n1", uid: str = "p-uid", metadata: str = "") -> str:
    return f"""
---
kind: Pod
metadata: {{name: p, uid: "{uid}"{metadata}}}
spec: {{{spec}}}
status: {{{status}}}
"""


P = "{resource: pods, name: p, uid: p-uid}"
OTHER = "{resource: pods, name: other, uid: other-uid}"
GROUP = "{apiGroup: scheduling.k8s.io, resource: podgroups, name: g, uid: g-uid}"
DELETED = ', deletionTimestamp: "2026-01-01T00:00:00Z"'


@pytest.mark.parametrize(
    ("pod", "is_kept"),
    [
        (a_pod(), True),
        (a_pod("phase: Pending", ""), True),
        (a_pod("phase: Succeeded"), False),
        (a_pod("phase: Failed"), False),
        (a_pod(uid="another-uid"), False),
        (a_pod(uid=""), True),
        (a_pod(metadata=DELETED), True),
        (a_pod("phase: Succeeded", metadata=DELETED), False),
        (a_pod("phase: Pending", "", metadata=DELETED), False),
        ("", False),
    ],
)
def test_when_a_pod_loses_its_reservation(pod: str, is_kept: bool) -> None:
    after = claim(expanded(held(P) + pod + OTHER_POD), "c").object
    assert bool(after.status.reservedFor) == is_kept
    assert (after.status.allocation is not None) == is_kept
    assert (after.status.devices is not None) == is_kept
    assert (after.metadata.finalizers is not None) == is_kept


def test_only_the_last_reservation_frees_the_devices() -> None:
    result = expanded(held(P, OTHER) + a_pod("phase: Failed") + OTHER_POD)
    after = claim(result, "c").object
    assert [each.name for each in after.status.reservedFor or ()] == ["other"]
    assert after.status.allocation is not None
    assert rules(result) == ["assumed-nodes"]


def test_freed_devices_are_named() -> None:
    result = expanded(held(P) + a_pod("phase: Failed"))
    (finding,) = result.findings
    assert (finding.rule, finding.severity) == ("workloads/reservation-ended", Severity.INFO)
    assert "(p)" in finding.message


def test_without_the_finalizer_the_devices_stay_taken() -> None:
    text = held(P).replace(f"finalizers: [{FINALIZER}]", "finalizers: [example.com/other]")
    result = expanded(text + a_pod("phase: Failed"))
    after = claim(result, "c").object
    assert after.status.reservedFor is None
    assert after.status.allocation is not None
    assert "stay taken" in result.findings[0].message


def test_an_allocation_that_nobody_reserved_stays() -> None:
    assert claim(expanded(held() + OTHER_POD), "c").object.status.allocation is not None


def test_groups_and_other_consumers_keep_theirs() -> None:
    after = claim(expanded(held(GROUP) + OTHER_POD), "c").object
    assert after.status.reservedFor and after.status.allocation


def test_a_dump_without_pods_frees_nothing() -> None:
    result = expanded(held(P))
    assert claim(result, "c").object.status.allocation is not None
    assert rules(result) == ["reserved-for-unread-pod"]


@pytest.mark.parametrize(
    "pods",
    [
        "\n---\n{kind: Pod, metadata: {name: new}}",
        "\n---\n{kind: ReplicaSet, metadata: {name: new}}",
        OTHER_POD.replace("name: other", "name: other, namespace: elsewhere"),
    ],
)
def test_manifests_and_other_namespaces_do_not_show_that_a_pod_is_gone(pods: str) -> None:
    assert claim(expanded(held(P) + pods), "c").object.status.allocation is not None


OWNED = "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: p-uid, controller: true}]"


@pytest.mark.parametrize(
    ("pod", "is_there"),
    [
        (a_pod(), True),
        (a_pod("phase: Succeeded"), False),
        (a_pod("phase: Pending", "", metadata=DELETED), False),
        (a_pod(metadata=DELETED), True),
        (a_pod(uid="another-uid"), False),
        ("", False),
    ],
)
@pytest.mark.parametrize("consumers", [(), (P,)])
def test_the_claim_of_a_pod_goes_with_it(pod: str, is_there: bool, consumers: tuple[str, ...]) -> None:
    result = expanded(held(*consumers, metadata=OWNED) + pod + OTHER_POD)
    assert claims(result) == (["c"] if is_there else [])


def test_a_claim_of_a_finished_pod_stays_while_another_uses_it() -> None:
    result = expanded(held(P, OTHER, metadata=OWNED) + a_pod("phase: Succeeded") + OTHER_POD)
    assert claims(result) == ["c"]


@pytest.mark.parametrize(("pod", "is_there"), [(a_pod(), True), (a_pod("phase: Failed"), False)])
def test_a_deleted_claim_stays_until_its_last_consumer_is_gone(pod: str, is_there: bool) -> None:
    text = held(P, metadata='deletionTimestamp: "2026-01-01T00:00:00Z"')
    assert claims(expanded(text + pod)) == (["c"] if is_there else [])
