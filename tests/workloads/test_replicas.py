# FEATURE: A3
import pytest

from dractl.api.workload import ReplicaSet
from dractl.errors import BadInput
from dractl.workloads import expand
from tests.workloads.world import expanded, names_of, pod, pods, rules

REPLICA_SET = """
kind: ReplicaSet
metadata: {name: web}
spec:
  replicas: 3
  template:
    metadata: {labels: {app: web}, annotations: {note: a}, finalizers: [example.com/hold]}
    spec: {containers: [{name: c}]}
"""

DEPLOYMENT = """
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: new}]}
"""


def replica_set(name: str, replicas: int, image: str) -> str:
    return f"""
---
kind: ReplicaSet
metadata:
  name: {name}
  uid: {name}-uid
  creationTimestamp: "2026-01-01T00:00:00Z"
  ownerReferences: [{{apiVersion: apps/v1, kind: Deployment, name: web, controller: true}}]
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: web, pod-template-hash: {name}}}}}
  template:
    metadata: {{labels: {{app: web, pod-template-hash: {name}}}}}
    spec: {{containers: [{{name: c, image: {image}}}]}}
"""


def owned(name: str, owner: str, more: str = "", *, kind: str = "ReplicaSet", hash_: str = "") -> str:
    return f"""
---
kind: Pod
metadata:
  name: {name}
  uid: {name}-uid
  labels: {{app: web, pod-template-hash: "{hash_}"}}
  {more}
  ownerReferences: [{{apiVersion: apps/v1, kind: {kind}, name: {owner}, controller: true}}]
spec: {{containers: [{{name: c}}]}}
"""


def test_a_replica_set_makes_numbered_pods_from_its_template() -> None:
    result = expanded(REPLICA_SET)
    assert pods(result) == ["web-0", "web-1", "web-2"]
    made = pod(result, "web-1")
    assert made.metadata.generateName == "web-"
    assert made.metadata.labels == {"app": "web"}
    assert made.metadata.annotations == {"note": "a"}
    assert made.metadata.finalizers == ["example.com/hold"]
    assert made.metadata.controller is not None
    assert (made.metadata.controller.kind, made.metadata.controller.blockOwnerDeletion) == ("ReplicaSet", True)
    assert made.place.path == ("spec", "template")
    assert str(made.made_by) == "ReplicaSet ml/web"


def test_uids_are_the_same_in_every_run_and_differ() -> None:
    first, second = expanded(REPLICA_SET), expanded(REPLICA_SET)
    uids = [pod(first, name).metadata.uid for name in pods(first)]
    assert uids == [pod(second, name).metadata.uid for name in pods(second)]
    assert len(set(uids)) == 3


def test_replicas_default_to_one() -> None:
    assert pods(expanded("{kind: ReplicaSet, metadata: {name: web}}")) == ["web-0"]


def test_a_long_name_is_cut_where_the_api_server_cuts_it() -> None:
    name = "w" * 70
    assert pods(expanded(f"{{kind: ReplicaSet, metadata: {{name: {name}}}}}")) == ["w" * 58 + "0"]


def test_a_workload_that_is_being_deleted_makes_nothing() -> None:
    text = REPLICA_SET.replace("{name: web}", '{name: web, deletionTimestamp: "2026-01-01T00:00:00Z"}')
    assert pods(expanded(text)) == []


@pytest.mark.parametrize(
    ("more", "made"),
    [
        ("", ["web-0", "web-1"]),
        ('deletionTimestamp: "2026-01-01T00:00:00Z"', ["web-0", "web-1", "web-2"]),
    ],
)
def test_active_pods_count_first(more: str, made: list[str]) -> None:
    assert pods(expanded(REPLICA_SET + owned("web-x7k2p", "web", more))) == [*made, "web-x7k2p"]


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_finished_pods_are_made_up_for(phase: str) -> None:
    text = REPLICA_SET + owned("web-x7k2p", "web").rstrip() + f"\nstatus: {{phase: {phase}}}\n"
    assert pods(expanded(text)) == ["web-0", "web-1", "web-2", "web-x7k2p"]


def test_names_in_use_are_left_out() -> None:
    text = REPLICA_SET + "\n---\n{kind: Pod, metadata: {name: web-1}}"
    assert pods(expanded(text)) == ["web-0", "web-2", "web-3", "web-1"]


def test_a_pod_of_an_equally_named_owner_of_another_uid_does_not_count() -> None:
    mine = REPLICA_SET.replace("{name: web}", "{name: web, uid: new}")
    other = owned("web-x7k2p", "web").replace("name: web, controller", "name: web, uid: old, controller")
    assert len(pods(expanded(mine + other))) == 4


def test_surplus_pods_stay_and_are_named() -> None:
    text = REPLICA_SET.replace("replicas: 3", "replicas: 1") + owned("web-a", "web") + owned("web-b", "web")
    result = expanded(text)
    assert pods(result) == ["web-a", "web-b"]
    assert rules(result) == ["surplus-pods"]


def test_made_pods_stand_behind_their_owner() -> None:
    text = "kind: Pod\nmetadata: {name: first}\n---" + REPLICA_SET + "---\n{kind: Pod, metadata: {name: last}}"
    assert pods(expanded(text)) == ["first", "web-0", "web-1", "web-2", "last"]


def test_a_deployment_makes_a_replica_set_of_its_own_name() -> None:
    result = expanded(DEPLOYMENT)
    assert pods(result) == ["web-0", "web-1", "web-2", "web-3"]
    made = pod(result, "web-0")
    assert made.metadata.labels == {"app": "web", "pod-template-hash": "planned"}
    assert made.place.path == ("spec", "template")
    assert made.metadata.controller is not None
    assert made.metadata.controller.kind == "ReplicaSet"
    (middle,) = result.objects.of(ReplicaSet)
    assert str(middle.made_by) == "Deployment ml/web"
    assert middle.object.spec.selector is not None
    assert middle.object.spec.selector.matchLabels == {"app": "web", "pod-template-hash": "planned"}


def test_a_dump_of_everything_adds_nothing() -> None:
    pods_of_it = "".join(owned(f"web-abc-{n}", "abc") for n in range(4))
    result = expanded(DEPLOYMENT + replica_set("abc", 4, "new") + pods_of_it)
    assert len(pods(result)) == 4
    assert len(result.objects.of(ReplicaSet)) == 1
    assert rules(result) == []


def test_the_replica_set_with_the_same_template_is_scaled() -> None:
    result = expanded(DEPLOYMENT + replica_set("abc", 2, "new") + owned("web-abc-1", "abc"))
    assert pods(result) == ["abc-0", "abc-1", "abc-2", "web-abc-1"]
    assert result.objects.of(ReplicaSet)[0].object.spec.replicas == 4


def test_a_rollout_makes_as_many_pods_as_the_surge_allows() -> None:
    old = replica_set("old", 4, "old") + "".join(owned(f"o{n}", "old") for n in range(4))
    result = expanded(DEPLOYMENT + old)
    assert pods(result) == ["web-0", "o0", "o1", "o2", "o3"]
    assert rules(result) == ["unfinished-rollout"]
    assert "3 further pods" in result.findings[0].message


@pytest.mark.parametrize(
    ("surge", "now"), [("0", 0), ("2", 2), ('"25%"', 1), ('"26%"', 2), ('"100%"', 4), ('"0%"', 0), ("10", 4)]
)
def test_surge(surge: str, now: int) -> None:
    text = DEPLOYMENT.replace("replicas: 4", f"replicas: 4\n  strategy: {{rollingUpdate: {{maxSurge: {surge}}}}}")
    old = replica_set("old", 4, "old") + "".join(owned(f"o{n}", "old") for n in range(4))
    assert len(pods(expanded(text + old))) == 4 + now


def test_a_surge_that_is_no_percentage_is_bad_input() -> None:
    text = DEPLOYMENT.replace("replicas: 4", "replicas: 4\n  strategy: {rollingUpdate: {maxSurge: many}}")
    with pytest.raises(BadInput) as caught:
        expanded(text)
    (fault,) = caught.value.faults
    assert fault.field == "spec.strategy.rollingUpdate.maxSurge"
    assert fault.place is not None


def test_recreate_waits_for_the_end_of_the_old_pods() -> None:
    text = DEPLOYMENT.replace("replicas: 4", "replicas: 4\n  strategy: {type: Recreate}") + replica_set("old", 0, "old")
    assert len(pods(expanded(text))) == 4
    result = expanded(text + owned("o1", "old"))
    assert pods(result) == ["o1"]
    assert rules(result) == ["unfinished-rollout", "surplus-pods"]


def test_a_paused_deployment_makes_no_new_pods() -> None:
    result = expanded(DEPLOYMENT.replace("replicas: 4", "replicas: 4\n  paused: true"))
    assert pods(result) == []
    assert rules(result) == ["paused"]


def test_pods_count_though_their_replica_set_was_not_dumped() -> None:
    strays = "".join(owned(f"web-77f-{n}", "web-77f", hash_="77f") for n in range(3))
    result = expanded(DEPLOYMENT + strays)
    assert pods(result) == ["web-0", "web-77f-0", "web-77f-1", "web-77f-2"]
    assert rules(result) == ["replicaset-not-read"]
    assert names_of(list(expand(result.objects).objects)) == names_of(list(result.objects))


@pytest.mark.parametrize(
    ("kind", "field"),
    [("Deployment", "replicas"), ("ReplicaSet", "replicas"), ("StatefulSet", "replicas"), ("Job", "parallelism")],
)
def test_more_pods_than_a_cluster_holds_are_bad_input(kind: str, field: str) -> None:
    with pytest.raises(BadInput, match="asks for 2000000000 pods") as caught:
        expanded(f"{{kind: {kind}, metadata: {{name: x}}, spec: {{{field}: 2000000000}}}}")
    (fault,) = caught.value.faults
    assert (fault.subject, fault.field) == (f"{kind} ml/x", f"spec.{field}")


def test_a_replication_controller_makes_pods_like_a_replica_set() -> None:
    controller = REPLICA_SET.replace("ReplicaSet", "ReplicationController")
    result = expanded(controller)
    assert pods(result) == ["web-0", "web-1", "web-2"]
    owner = pod(result, "web-0").metadata.controller
    assert owner is not None
    assert (owner.apiVersion, owner.kind, owner.name) == ("v1", "ReplicationController", "web")
    own = owned("web-x", "web", kind="ReplicationController").replace("apps/v1", "v1")
    assert pods(expanded(controller + own)) == ["web-0", "web-1", "web-x"]
