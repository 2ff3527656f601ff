"""What becomes of a violation: a fault in a manifest, a finding in a dump, nothing where its cause is told already."""

# FEATURE: A7

from typing import Any

import pytest

from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.errors import Origin, Place
from dractl.finding import Severity
from dractl.gates import resolve
from dractl.manifests import Locator, Source, read, survey
from dractl.validation import check
from tests.validation.objects import DEFAULT_GATES

SLICE = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: s{more}}}
spec: {{driver: d, nodeName: node-1, pool: {{name: p, generation: 1, resourceSliceCount: 0}}}}
"""
ADMIN = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: ops}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, adminAccess: true}}]}}
"""
NAMESPACE = """---
apiVersion: v1
kind: Namespace
metadata: {{name: ops, labels: {{{labels}}}}}
"""


def sources(text: str) -> list[Source]:
    return [Source("test.yaml", text.encode())]


def test_places_subjects_and_remedies_are_told() -> None:
    ((fault,), findings) = check(read(sources(SLICE.format(more=""))).objects, DEFAULT_GATES)
    assert findings == []
    assert fault.place == Place(Origin("test.yaml", 0, 1), ("spec", "pool", "resourceSliceCount"))
    assert (fault.subject, fault.field) == ("ResourceSlice s", "spec.pool.resourceSliceCount")
    assert (fault.message, fault.remedy) == (
        "must be greater than 0",
        "write how many slices the pool has in this generation",
    )


@pytest.mark.parametrize("mark", [", uid: u", ", resourceVersion: '1'"])
def test_a_dump_is_taken_as_it_stands_and_the_rule_is_a_finding(mark: str) -> None:
    faults, findings = check(read(sources(SLICE.format(more=mark))).objects, DEFAULT_GATES)
    assert faults == []
    assert [(finding.severity, finding.message) for finding in findings] == [
        (Severity.ERROR, "spec.pool.resourceSliceCount: must be greater than 0")
    ]


@pytest.mark.parametrize("mark", ["x7k2p, generateName: s", ", creationTimestamp: 2026-01-01T00:00:00Z"])
def test_what_a_trimmed_dump_lacks_is_a_warning(mark: str) -> None:
    faults, findings = check(read(sources(SLICE.format(more=mark))).objects, DEFAULT_GATES)
    assert faults == []
    assert [finding.severity for finding in findings] == [Severity.WARNING]


def test_an_object_that_dractl_named_is_a_manifest() -> None:
    text = SLICE.format(more="").replace("name: s", "generateName: s-", 1)
    (fault,), _ = check(read(sources(text)).objects, DEFAULT_GATES)
    assert fault.subject == "ResourceSlice s-0"


def test_generated_objects_are_not_checked() -> None:
    (found,) = read(sources(SLICE.format(more=""))).objects
    made: Sourced[Any] = Sourced(found.object, found.ref, found.place, found.version, ObjectRef("Pod", "default", "p"))
    assert check(ObjectSet([made]), DEFAULT_GATES) == ([], [])


def test_gates_do_not_matter_to_what_a_cluster_holds() -> None:
    text = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: c%s}
spec: {selectors: [{cel: {expression: device.allowMultipleAllocations}}]}
"""
    off = resolve(settings="DRAConsumableCapacity=false")
    (fault,), _ = check(read(sources(text % "")).objects, off)
    assert "allowMultipleAllocations" in fault.message
    assert check(read(sources(text % ", uid: u")).objects, off) == ([], [])


# --- admin access ----------------------------------------------------------------------------------------------------


def test_admin_access_in_an_unknown_namespace_is_a_remark() -> None:
    faults, (finding,) = check(read(sources(ADMIN)).objects, DEFAULT_GATES)
    assert faults == []
    assert (finding.severity, finding.rule) == (Severity.INFO, "validation/undecided")
    assert finding.place is not None
    assert finding.place.path == ("spec", "devices", "requests", 0, "exactly", "adminAccess")


@pytest.mark.parametrize("labels", ["", "resource.kubernetes.io/admin-access: 'yes'"])
def test_admin_access_in_a_namespace_without_the_label_is_a_fault(labels: str) -> None:
    (fault,), findings = check(read(sources(ADMIN + NAMESPACE.format(labels=labels))).objects, DEFAULT_GATES)
    assert findings == []
    assert fault.field == "spec.devices.requests[0].adminAccess"
    assert fault.remedy == 'label the namespace with `resource.kubernetes.io/admin-access: "true"`'


def test_admin_access_in_a_namespace_whose_label_has_another_value() -> None:
    labels = "resource.kubernetes.io/admin-access: 'True'"
    faults, _ = check(read(sources(ADMIN + NAMESPACE.format(labels=labels))).objects, DEFAULT_GATES)
    (fault,) = faults
    assert fault.message.endswith('its value is "True", which is not "true"')


def test_admin_access_in_a_namespace_with_the_label() -> None:
    labels = "resource.kubernetes.io/admin-access: 'true'"
    assert check(read(sources(ADMIN + NAMESPACE.format(labels=labels))).objects, DEFAULT_GATES) == ([], [])


def test_templates_are_reported_below_spec_and_found_where_they_stand() -> None:
    claim = "{devices: {requests: [{name: r, exactly: {deviceClassName: gpu, adminAccess: true}}]}}"
    head = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: t, namespace: ops}"
    text = f"{head}\nspec: {{spec: {claim}}}\n{NAMESPACE.format(labels='')}"
    (fault,), _ = check(read(sources(text)).objects, DEFAULT_GATES)
    assert fault.field == "spec.devices.requests[0].adminAccess"
    assert fault.place is not None
    assert fault.place.path == ("spec", "spec", "devices", "requests", 0, "exactly", "adminAccess")


# --- one mistake, one fault ------------------------------------------------------------------------------------------


def told_and_refused(text: str) -> tuple[list[str], list[str]]:
    """What reading has found, and what checking has found besides."""
    reading = survey(sources(text))
    told = [fault.place for fault in reading.faults if fault.place is not None]
    faults, _ = check(reading.objects.with_more(reading.flawed), DEFAULT_GATES, told)
    return [fault.field for fault in reading.faults], [fault.field for fault in faults]


@pytest.mark.parametrize(
    ("request_text", "unknown"),
    [
        ("exactly: {deviceClasName: c}", "exactly.deviceClasName"),
        ("deviceClassName: c", "deviceClassName"),
        ("exactly: {count: 2}, deviceClassName: c", "deviceClassName"),
        ("firstAvailble: [{name: a, deviceClassName: c}]", "firstAvailble"),
    ],
)
def test_a_misspelt_field_is_not_missing_as_well(request_text: str, unknown: str) -> None:
    text = f"""
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: c}}
spec: {{devices: {{requests: [{{name: r, {request_text}}}]}}}}
"""
    assert told_and_refused(text) == ([f"spec.devices.requests[0].{unknown}"], [])


def test_an_object_with_an_unknown_field_is_checked_all_the_same() -> None:
    text = SLICE.format(more="").replace("driver: d", "driver: d, drvier: e")
    assert told_and_refused(text) == (["spec.drvier"], ["spec.pool.resourceSliceCount"])


def test_a_missing_name_is_told_once() -> None:
    text = SLICE.format(more="").replace("{name: s}", "{labels: {a: b}}")
    assert told_and_refused(text) == (["metadata"], ["spec.pool.resourceSliceCount"])


@pytest.mark.parametrize("policy", ["Always", ""])
def test_the_message_about_a_jobs_restart_policy_is_true_of_what_is_written(policy: str) -> None:
    written = f"restartPolicy: {policy}, " if policy else ""
    pod = f"{{{written}containers: [{{name: a, image: b}}]}}"
    text = (
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\n"
        f'spec: {{schedule: "0 3 * * *", jobTemplate: {{spec: {{template: {{spec: {pod}}}}}}}}}\n'
    )
    reading = survey([Source("c.yaml", text.encode())])
    [fault], _ = check(reading.objects, DEFAULT_GATES, [])
    assert fault.field == "spec.jobTemplate.spec.template.spec.restartPolicy"
    assert "cannot have the restart policy Always, which is also the default" in fault.message


POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n"
CRON_JOB = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec:\n  schedule: '@daily'\n"
CLAIM = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    requests:\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{CLAIM}    - name: a\n    exactly: {{deviceClassName: gpu}}\n", "spec.devices.exactly"),
        (f"{CLAIM}    - {{Name: a, exactly: {{deviceClassName: gpu}}}}\n", "spec.devices.requests[0].Name"),
        (
            f"{CRON_JOB}  template:\n    spec: {{restartPolicy: Never, containers: [{{name: c, image: i}}]}}\n",
            "spec.template",
        ),
        (
            f"{SLICE.format(more='').replace('resourceSliceCount', 'resourceSlicesCount')}",
            "spec.pool.resourceSlicesCount",
        ),
        (f"{POD.replace('metadata', 'metdata')}  containers: [{{name: c, image: i}}]\n", "metdata"),
    ],
    ids=["too far out", "in another case", "two levels too far out", "almost the same", "further up"],
)
def test_what_is_misplaced_is_not_missing_as_well(text: str, told: str) -> None:
    assert told_and_refused(text) == ([told], [])


def test_a_value_that_the_text_lacks_is_not_missing_as_well() -> None:
    found, refused = told_and_refused(f"{POD}  containers:\n  - {{name: c, image: i}}\n  - *d\n")
    assert (len(found), refused) == (1, [])


def test_a_reference_that_is_no_name_is_not_unknown_as_well() -> None:
    text = f"{CLAIM}    - {{name: a, exactly: {{deviceClassName: gpu}}}}\n    constraints:\n"
    text += "    - {requests: [A], matchAttribute: example.com/a}\n"
    assert told_and_refused(text) == ([], ["spec.devices.constraints[0].requests[0]"])


def test_keys_and_fields_that_exclude_each_other_are_found_where_they_stand() -> None:
    """The server reports both at the object that has them."""
    text = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: s
  labels:
    a: b
    c: no label
spec:
  driver: d
  nodeName: node-1
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices:
  - name: g
    attributes:
      one: {int: 1}
      two-b:
        int: 2
    capacity:
      mem: {value: 1}
      mem-b:
        value: 1
  allNodes: true
"""
    faults, _ = check(read(sources(text)).objects, DEFAULT_GATES)
    locate = Locator(sources(text)).locate
    found = {fault.field: locate(fault.place) for fault in faults if fault.place is not None}
    assert {field: position.line for field, position in found.items() if position is not None} == {
        "metadata.labels": 7,
        "spec.devices[0].attributes": 16,
        "spec.devices[0].capacity": 20,
        "spec": 22,
    }


USER = "  containers: [{name: c, image: i, resources: {claims: [{name: d}]}}]\n"
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {label: {a: b}}
    spec: {containers: [{name: c, image: i}]}
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{POD}  resourceclaims: [{{name: d, resourceClaimName: c}}]\n{USER}", "spec.resourceclaims"),
        (f"{POD}  resourceClaim: [{{name: d, resourceClaimName: c}}]\n{USER}", "spec.resourceClaim"),
        (DEPLOYMENT, "spec.template.metadata.label"),
    ],
)
def test_what_refers_to_a_misspelt_list_is_not_told_as_well(text: str, told: str) -> None:
    assert told_and_refused(text) == ([told], [])


def test_a_bad_label_of_a_template_is_found_where_it_stands() -> None:
    text = DEPLOYMENT.replace("{label: {a: b}}", "\n      labels:\n        a: b\n        c: no label")
    (fault,), _ = check(read(sources(text)).objects, DEFAULT_GATES)
    assert fault.place is not None
    assert fault.place.path == ("spec", "template", "metadata", "labels", "c")
