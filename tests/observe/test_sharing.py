# FEATURE: D2
"""A claim that more pods want than may reserve it is found before the first of them is stuck."""

import pytest

from tests.observe.world import findings, lines

CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: shared, namespace: ml}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
"""
JOB = """
---
apiVersion: batch/v1
kind: Job
metadata: {name: crowd, namespace: ml}
spec:
  parallelism: COUNT
  completions: COUNT
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: app, resources: {claims: [{name: dev}]}}]
      resourceClaims: [{name: dev, resourceClaimName: shared}]
"""


def crowd(count: int) -> str:
    return CLAIM + JOB.replace("COUNT", str(count))


def test_257_pods_are_one_too_many() -> None:
    text = crowd(257)
    found = findings(text, prefix="claims/")
    assert lines(text, found) == [("claims/too-many-consumers", 2)]
    assert "257 pods and groups want the claim, and at most 256 may reserve it" in found[0].message


@pytest.mark.parametrize("count", [1, 256])
def test_no_more_than_256_are_fine(count: int) -> None:
    assert findings(crowd(count), prefix="claims/") == []


def test_who_is_recorded_counts_once() -> None:
    consumers = ", ".join(f"{{resource: pods, name: gone-{i}, uid: u{i}}}" for i in range(255))
    held = CLAIM.rstrip() + f"\nstatus: {{reservedFor: [{consumers}, {{resource: pods, name: crowd-0, uid: u}}]}}\n"
    assert findings(held + JOB.replace("COUNT", "1"), prefix="claims/") == []
    assert findings(held + JOB.replace("COUNT", "2"), prefix="claims/") != []
