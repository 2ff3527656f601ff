# FEATURE: P1
"""What the prediction leaves out is named where the input uses it."""

from tests.observe.world import findings, lines

POD = """
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: ml}
spec:
  containers: [{name: c, image: app}]
"""
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n%d}\n"


def test_volumes_that_tie_a_pod_to_nodes() -> None:
    text = POD + "  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]\n"
    found = findings(text, prefix="scheduler/")
    assert lines(text, found) == [("scheduler/ignored", 7)]
    assert found[0].message == "on which nodes the volumes of ml/a can be mounted is not looked at"


def test_volumes_that_every_node_has() -> None:
    assert findings(POD + "  volumes: [{name: data, configMap: {name: data}}]\n", prefix="scheduler/") == []


def test_a_pod_that_has_its_node() -> None:
    text = POD + "  nodeName: n1\n  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]\n"
    assert findings(text, prefix="scheduler/") == []


def test_runtime_classes_of_manifests() -> None:
    text = POD + "  runtimeClassName: kata\n"
    assert lines(text, findings(text, prefix="scheduler/")) == [("scheduler/ignored", 7)]
    dump = text.replace("namespace: ml", "namespace: ml, uid: u")
    assert findings(dump, prefix="scheduler/") == []


def test_so_many_nodes_that_the_scheduler_takes_a_sample() -> None:
    nodes = "---\n".join(NODE % number for number in range(101))
    assert [each.rule for each in findings(f"{nodes}---\n{POD}", prefix="scheduler/")] == ["scheduler/sampling"]
    assert findings(nodes, prefix="scheduler/") == []
