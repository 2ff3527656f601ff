"""Kinds, lists, names, namespaces and versions."""

# FEATURE: A1
# FEATURE: A2

import json
from typing import Any

import pytest

from dractl.api import core, resource, scheduling, workload
from dractl.api.objects import Sourced
from dractl.errors import BadInput
from dractl.finding import Severity
from dractl.manifests import Reading, Source, read, survey


def read_text(text: str, **options: Any) -> Reading:
    return read([Source("test.yaml", text.encode())], **options)


def pod(name: str, **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, **metadata}}


def test_lists_are_taken_apart_and_places_lead_into_them() -> None:
    inner = {"apiVersion": "v1", "kind": "List", "items": [pod("b"), None, pod("c")]}
    reading = read_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [pod("a"), inner]}))
    assert [(str(found.ref), found.place.path) for found in reading.objects] == [
        ("Pod default/a", ("items", 0)),
        ("Pod default/b", ("items", 1, "items", 0)),
        ("Pod default/c", ("items", 1, "items", 2)),
    ]


def test_items_of_a_typed_list_may_lack_kind_and_version() -> None:
    items = [{"metadata": {"name": "a"}, "spec": {"driver": "gpu.example.com"}}]
    text = json.dumps({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSliceList", "items": items})
    (found,) = read_text(text).objects.of(resource.ResourceSlice)
    assert found.object.spec.driver == "gpu.example.com"


@pytest.mark.parametrize("items", ["null", "[]"])
def test_empty_lists_are_fine(items: str) -> None:
    reading = read_text(f"apiVersion: v1\nkind: List\nitems: {items}\n")
    assert (len(reading.objects), reading.skipped) == (0, ())


def test_kinds_that_are_not_needed_are_skipped_and_named() -> None:
    text = "\n---\n".join(
        f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a}}\nanything: 1"
        for version, kind in [("v1", "ConfigMap"), ("kubeflow.org/v2beta1", "MPIJob"), ("batch.volcano.sh/v1", "Job")]
    )
    assert [skipped.kind for skipped in read_text(text).skipped] == ["ConfigMap", "MPIJob", "Job.batch.volcano.sh"]


def test_namespaces() -> None:
    text = "\n---\n".join(
        [
            "apiVersion: v1\nkind: Pod\nmetadata: {name: a}",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: b, namespace: ml}",
            "apiVersion: v1\nkind: Node\nmetadata: {name: c, namespace: ml}",
        ]
    )
    objects = list(read_text(text, default_namespace="mine").objects)
    assert [found.metadata.namespace for found in objects] == ["mine", "ml", ""]
    assert [found.ref.namespace for found in objects] == ["mine", "ml", ""]


def test_generated_names_take_the_smallest_free_index() -> None:
    pods = [pod("", generateName="a-"), pod("a-1"), pod("", generateName="a-"), pod("", generateName="b-")]
    reading = read_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": pods}))
    assert [found.ref.name for found in reading.objects] == ["a-0", "a-1", "a-2", "b-0"]
    assert [found.metadata.name for found in reading.objects] == ["a-0", "a-1", "a-2", "b-0"]


def test_an_object_that_two_files_bring_alike_is_taken_once() -> None:
    reading = read([Source(name, json.dumps(pod("a")).encode()) for name in ("one.json", "two.json")])
    assert len(reading.objects) == 1
    (finding,) = reading.findings
    assert (finding.rule, finding.message) == ("reading/repeated", "says the same as at one.json:1: taken once")


def test_two_objects_of_one_name_are_a_fault_that_names_both_places() -> None:
    other = pod("a")
    other["spec"] = {"nodeName": "n1"}
    sources = [Source("one.json", json.dumps(pod("a")).encode()), Source("two.json", json.dumps(other).encode())]
    with pytest.raises(BadInput) as caught:
        read(sources)
    (fault,) = caught.value.faults
    assert fault.file == "two.json"
    assert "one.json:1" in fault.message


def test_faults_of_all_files_come_in_the_order_of_the_files() -> None:
    sources = [Source("b.yaml", b"kind: Pod"), Source("a.yaml", b"a: ["), Source("c.yaml", b"a: 1\nb: \xff")]
    reading = survey([*sources, Source("d.json", json.dumps(pod("sound")).encode())])
    assert [fault.file for fault in reading.faults] == ["b.yaml", "a.yaml", "c.yaml"]
    assert [found.ref.name for found in reading.objects] == ["sound"]


NULLS = """
apiVersion: v1
kind: Pod
metadata:
  name: nulls
  labels: {a: null}
  annotations: null
  finalizers: [null]
spec:
  restartPolicy: null
  tolerations: [null]
  containers:
  - name: main
    resources: {requests: {cpu: null, memory: 1.5, example.com/a: 010}}
"""


def test_nulls_are_absent_and_empty_in_lists_and_maps() -> None:
    (found,) = read_text(NULLS).objects.of(core.Pod)
    assert found.object.metadata.labels == {"a": ""}
    assert found.object.metadata.annotations is None
    assert found.object.metadata.finalizers == [""]
    assert found.object.spec.restartPolicy == "Always"
    assert found.object.spec.tolerations is not None
    assert found.object.spec.tolerations[0].key == ""
    assert found.object.spec.containers is not None
    requests = found.object.spec.containers[0].resources.requests
    assert requests is not None
    assert {name: str(amount) for name, amount in requests.items()} == {
        "cpu": "0",
        "memory": "1500m",
        "example.com/a": "8",
    }


@pytest.mark.parametrize(("written", "count"), [("3", 3), ("3.0", 3), ("3.", 3), ("3e0", 3), ("300e-2", 3), ("0o3", 3)])
def test_integers_from_yaml_may_be_integral_floats(written: str, count: int) -> None:
    text = f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a}}\nspec: {{replicas: {written}}}\n"
    (found,) = read_text(text).objects.of(workload.Deployment)
    assert found.object.spec.replicas == count


@pytest.mark.parametrize("written", ["3.0", "3e0", "3.5", '"3"', "true", "2147483648", "[3]", "{}"])
def test_integers_from_json_are_digits(written: str) -> None:
    text = (
        f'{{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {{"name": "a"}}, "spec": {{"replicas": {written}'
    )
    text += "}}"
    reading = survey([Source("test.json", text.encode())])
    assert [fault.field for fault in reading.faults] == ["spec.replicas"]


def test_fractions_in_opaque_parameters_stay_numbers() -> None:
    config = [{"opaque": {"driver": "a.example.com", "parameters": {"share": 0.5, "list": [1e3, {"x": 2.5}]}}}]
    claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "a"}}
    text = json.dumps({**claim, "spec": {"devices": {"config": config}}})
    (found,) = read_text(text).objects.of(resource.ResourceClaim)
    assert found.object.spec.devices.config is not None
    opaque = found.object.spec.devices.config[0].opaque
    assert opaque is not None
    assert opaque.parameters == {"share": 0.5, "list": [1000.0, {"x": 2.5}]}
    assert type(opaque.parameters["share"]) is float


@pytest.mark.parametrize(
    ("version", "kind", "is_served"),
    [
        ("resource.k8s.io/v1", "ResourceClaim", True),
        ("resource.k8s.io/v1", "DeviceTaintRule", True),
        ("resource.k8s.io/v1beta2", "ResourceClaim", False),
        ("resource.k8s.io/v1beta1", "DeviceClass", False),
        ("resource.k8s.io/v1alpha3", "DeviceTaintRule", False),
        ("resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest", False),
        ("scheduling.k8s.io/v1", "PriorityClass", True),
        ("scheduling.k8s.io/v1beta1", "PodGroup", False),
        ("scheduling.k8s.io/v1alpha3", "Workload", False),
    ],
)
def test_what_a_default_cluster_does_not_serve_is_named(version: str, kind: str, is_served: bool) -> None:
    reading = read_text(f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a}}\n")
    (found,) = reading.objects
    assert found.version == version
    if is_served:
        assert reading.findings == ()
        return
    (finding,) = reading.findings
    has_newer = version.startswith("resource.k8s.io/") and kind != "ResourcePoolStatusRequest"
    assert finding.severity is (Severity.WARNING if has_newer else Severity.INFO)
    assert ("write resource.k8s.io/v1" if has_newer else f"--runtime-config={version}=true") in finding.remedy


def test_what_is_not_served_is_named_once_for_each_kind_and_version() -> None:
    """Of dumps: they are as the cluster gave them out."""
    text = "\n---\n".join(
        f"apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {{name: c{n}, uid: u}}" for n in range(3)
    )
    (finding,) = read_text(text).findings
    assert finding.message == "a default cluster does not serve DeviceClass in resource.k8s.io/v1beta1 (and 2 more)"
    assert finding.severity is Severity.INFO


def test_every_manifest_in_an_old_version_is_named() -> None:
    text = "\n---\n".join(
        f"apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {{name: c{n}}}" for n in range(3)
    )
    findings = read_text(text).findings
    assert [finding.subject for finding in findings] == [f"DeviceClass c{n}" for n in range(3)]
    assert {finding.remedy for finding in findings} == {"write resource.k8s.io/v1"}


def test_pod_groups_are_read() -> None:
    text = """
    apiVersion: scheduling.k8s.io/v1beta1
    kind: PodGroup
    metadata: {name: group}
    spec:
      schedulingPolicy: {gang: {minCount: 3}}
      resourceClaims: [{name: gpus, resourceClaimTemplateName: gpus}]
    """
    (found,) = read_text(text).objects.of(scheduling.PodGroup)
    assert found.object.spec.schedulingPolicy.gang == scheduling.GangSchedulingPolicy(minCount=3)


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ('"apiversion": "v1", "kind": "Pod"', "apiversion: unknown field"),
        ('"apiVersion": "v1", "KIND": "Pod"', "KIND: unknown field"),
        ('"apiVersion": "v1", "kind": "Pod", "Kind": null', "Kind: unknown field"),
        ('"apiversion": "v2", "apiVersion": "v1", "kind": "Pod"', "apiversion: unknown field"),
        ('"apiVersion": "v1", "apiversion": "v2", "kind": "Pod"', "apiversion: Kubernetes 1.37 has no Pod in v2"),
        ('"apiVersion": "v1", "kind": "Pod", "Kind": 3', "Kind: must be text, but is the number 3"),
        ('"apiVersion": "v1", "kind": "Pod", "Kind": ""', "Kind: kind is missing"),
    ],
)
def test_the_kind_is_found_whatever_the_case_of_its_fields(written: str, problem: str) -> None:
    reading = survey([Source("test.yaml", f'{{{written}, "metadata": {{"name": "p"}}}}'.encode())])
    (fault,) = reading.faults
    assert f"{fault.field}: {fault.message}".startswith(problem)


def test_keys_of_yaml_are_looked_up_in_their_order_as_json() -> None:
    (fault,) = survey([Source("test.yaml", b"kind: Pod\nKIND: Node\napiVersion: v1\nmetadata: {name: p}\n")]).faults
    assert (fault.subject, fault.field) == ("Pod default/p", "KIND")


def test_a_namespace_that_several_files_bring_is_no_finding() -> None:
    text = b"apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
    reading = read([Source(name, text) for name in ("one.yaml", "two.yaml")])
    assert (len(reading.objects), reading.findings) == (1, ())


def test_what_was_meant_with_a_plain_value_of_the_wrong_type() -> None:
    """Good enough to find what else is wrong; where a map, a list or an amount is none, nothing is guessed."""
    head = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {l: %s}}\nspec: {hostNetwork: %s, containers: %s}\n"

    def partial_of(*values: object) -> tuple[Sourced[Any], ...]:
        return survey([Source("test.yaml", (head % values).encode())]).partial

    (partial,) = partial_of(1, '"true"', "[{name: true, image: i}]")
    pod = partial.object
    assert (pod.metadata.labels, pod.spec.hostNetwork, pod.spec.containers[0].name) == ({"l": "1"}, True, "true")
    assert partial_of("{}", "true", "[]") == ()
    assert partial_of("a", "true", "5") == ()
    assert partial_of("a", "true", "[{name: c, image: i, resources: {limits: {cpu: x}}}]") == ()
