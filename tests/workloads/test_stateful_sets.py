# FEATURE: A3
import pytest

from dractl.api.identities import PodRef
from tests.workloads.world import claims, expanded, pod, pods, rules

SET = """
kind: StatefulSet
metadata: {name: db, uid: db-uid}
spec:
  replicas: 3
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c}]}
"""
PARALLEL = SET.replace("replicas: 3", "replicas: 3\n  podManagementPolicy: Parallel")


def member(name: str, more: str = "", status: str = "", owner: str = "db") -> str:
    return f"""
---
kind: Pod
metadata:
  name: {name}
  uid: {name}-uid
  {more}
  ownerReferences: [{{apiVersion: apps/v1, kind: StatefulSet, name: {owner}, uid: {owner}-uid, controller: true}}]
spec: {{containers: [{{name: c}}]}}
status: {{{status}}}
"""


TERMINATING = 'deletionTimestamp: "2026-01-01T00:00:00Z"'


def test_pods_are_numbered_from_the_start_ordinal() -> None:
    text = SET.replace("replicas: 3", "replicas: 2\n  ordinals: {start: 5}")
    result = expanded(text)
    assert pods(result) == ["db-5", "db-6"]
    made = pod(result, "db-6")
    assert made.object.spec.hostname == "db-6"
    assert made.metadata.generateName == ""
    assert made.metadata.labels == {
        "app": "db",
        "statefulset.kubernetes.io/pod-name": "db-6",
        "apps.kubernetes.io/pod-index": "6",
    }


@pytest.mark.parametrize("text", [SET, PARALLEL])
def test_only_missing_pods_are_made(text: str) -> None:
    assert sorted(pods(expanded(text + member("db-1")))) == ["db-0", "db-1", "db-2"]


def test_a_finished_pod_gives_way_to_a_new_one_and_its_claim_goes() -> None:
    claim = """
---
kind: ResourceClaim
metadata:
  name: db-0-gpu
  ownerReferences: [{apiVersion: v1, kind: Pod, name: db-0, uid: db-0-uid, controller: true}]
"""
    result = expanded(SET + member("db-0", status="phase: Failed") + claim)
    assert pods(result) == ["db-0", "db-1", "db-2"]
    assert pod(result, "db-0").metadata.uid != "db-0-uid"
    assert pod(result, "db-0").object.status.phase == ""
    assert claims(result) == []


@pytest.mark.parametrize(("text", "made"), [(SET, ["db-0", "db-1"]), (PARALLEL, ["db-0", "db-2", "db-1"])])
def test_a_terminating_pod_keeps_its_name(text: str, made: list[str]) -> None:
    result = expanded(text + member("db-1", TERMINATING))
    assert pods(result) == made
    assert rules(result) == ["name-in-use"]


@pytest.mark.parametrize(("text", "made"), [(SET, ["db-0", "db-1"]), (PARALLEL, ["db-0", "db-2", "db-1"])])
def test_a_foreign_pod_keeps_its_name(text: str, made: list[str]) -> None:
    result = expanded(text + member("db-1", owner="other"))
    assert pods(result) == made
    assert "not its own" in result.findings[0].message


def test_an_ordered_set_says_which_pod_waits_for_which() -> None:
    after = expanded(SET + member("db-0")).after
    assert after == {PodRef("ml", "db-1"): PodRef("ml", "db-0"), PodRef("ml", "db-2"): PodRef("ml", "db-1")}
    assert expanded(PARALLEL).after == {}


def test_its_names_come_before_those_that_are_free_to_choose() -> None:
    text = "kind: ReplicaSet\nmetadata: {name: db}\nspec: {replicas: 1}\n---" + SET
    assert pods(expanded(text)) == ["db-3", "db-0", "db-1", "db-2"]
