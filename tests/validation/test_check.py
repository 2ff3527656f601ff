"""What the API server refuses: a fault in a manifest, a finding in a dump (spec/validation.md §5 to §7)."""

# FEATURE: A7

from typing import Any

import pytest

from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.errors import Origin, Place
from dractl.finding import Severity
from dractl.manifests import Source, read
from dractl.validation import check
from dractl.validation.formats import fully_qualified_name_problem

CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: claim}}
spec:
  devices:
    requests:
    - name: r
{request}
    constraints:
{constraint}
"""
EXACTLY = "      exactly: {deviceClassName: gpu.example.com}"
MATCH = "    - matchAttribute: resource.kubernetes.io/pcieRoot"


def problems(text: str) -> list[tuple[str, str]]:
    faults, findings = check(read([Source("test.yaml", text.encode())]).objects)
    assert findings == []
    return [(fault.field, fault.message) for fault in faults]


def claim_problems(request: str = EXACTLY, constraint: str = MATCH) -> list[tuple[str, str]]:
    return problems(CLAIM.format(request=request, constraint=constraint))


def test_a_sound_claim() -> None:
    assert claim_problems() == []


@pytest.mark.parametrize(
    ("request_text", "field", "message"),
    [
        ("", "spec.devices.requests[0]", "neither `exactly` nor `firstAvailable` is set"),
        ("      firstAvailable: []", "spec.devices.requests[0]", "neither `exactly` nor `firstAvailable` is set"),
        (
            "      exactly: {deviceClassName: c}\n      firstAvailable: [{name: a, deviceClassName: c}]",
            "spec.devices.requests[0]",
            "`exactly` and `firstAvailable` are both set",
        ),
        (
            "      exactly: {count: 2}",
            "spec.devices.requests[0].exactly.deviceClassName",
            "a request names the DeviceClass that its devices are of",
        ),
        (
            "      firstAvailable: [{name: a, deviceClassName: c}, {name: b}]",
            "spec.devices.requests[0].firstAvailable[1].deviceClassName",
            "a request names the DeviceClass that its devices are of",
        ),
        (
            "      exactly: {deviceClassName: c, selectors: [{}]}",
            "spec.devices.requests[0].exactly.selectors[0].cel",
            "`cel` is missing: it is the only kind of selector",
        ),
    ],
)
def test_requests(request_text: str, field: str, message: str) -> None:
    assert claim_problems(request=request_text) == [(field, message)]


@pytest.mark.parametrize("expression", ["device.driver ==", "device.nothing == 1", "1 + 1", ""])
def test_expressions_must_compile(expression: str) -> None:
    request = f"      exactly: {{deviceClassName: c, selectors: [{{cel: {{expression: '{expression}'}}}}]}}"
    ((field, message),) = claim_problems(request=request)
    assert field == "spec.devices.requests[0].exactly.selectors[0].cel.expression"
    assert message.startswith("the expression does not compile: ")


def test_expressions_of_classes_must_compile() -> None:
    spec = "spec: {selectors: [{cel: {expression: 'true'}}, {cel: {expression: 'device.'}}]}"
    ((field, _),) = problems(f"apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: c}}\n{spec}\n")
    assert field == "spec.selectors[1].cel.expression"


@pytest.mark.parametrize(
    ("constraint", "field", "message"),
    [
        ("    - requests: [r]", "", "neither `matchAttribute` nor `distinctAttribute` is set"),
        ("    - matchAttribute: pcieRoot", ".matchAttribute", '"pcieRoot" is not a qualified name'),
        ("    - distinctAttribute: pcieRoot", ".distinctAttribute", '"pcieRoot" is not a qualified name'),
    ],
)
def test_constraints(constraint: str, field: str, message: str) -> None:
    assert claim_problems(constraint=constraint) == [(f"spec.devices.constraints[0]{field}", message)]


def test_places_and_remedies_are_told() -> None:
    text = CLAIM.format(request=EXACTLY, constraint="    - matchAttribute: pcieRoot")
    ((fault,), _) = check(read([Source("test.yaml", text.encode())]).objects)
    path = ("spec", "devices", "constraints", 0, "matchAttribute")
    assert fault.place == Place(Origin("test.yaml", 0, 1), path)
    assert fault.subject == "ResourceClaim default/claim"
    assert fault.remedy == "write it as DOMAIN/NAME, for example resource.kubernetes.io/pcieRoot"


def test_templates_are_checked_at_their_own_paths() -> None:
    spec = "{devices: {requests: [{name: r}]}}"
    text = f"apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {{name: t}}\nspec: {{spec: {spec}}}"
    assert [field for field, _ in problems(text)] == ["spec.spec.devices.requests[0]"]


SLICE = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: s{more}}}
spec: {{driver: d, nodeName: node-1, pool: {{name: p, generation: 1, resourceSliceCount: {count}}}}}
"""


@pytest.mark.parametrize("count", ["0", "-1", "null"])
def test_slices_say_how_many_there_are(count: str) -> None:
    assert problems(SLICE.format(more="", count=count)) == [("spec.pool.resourceSliceCount", "must be greater than 0")]


@pytest.mark.parametrize("mark", [", uid: u", ", resourceVersion: '1'"])
def test_a_dump_is_taken_as_it_stands_and_the_rule_is_a_finding(mark: str) -> None:
    faults, findings = check(read([Source("test.yaml", SLICE.format(more=mark, count="0").encode())]).objects)
    assert faults == []
    assert [(finding.severity, finding.message) for finding in findings] == [
        (Severity.ERROR, "spec.pool.resourceSliceCount: must be greater than 0")
    ]


def test_generated_objects_are_not_checked() -> None:
    (found,) = read([Source("test.yaml", SLICE.format(more="", count="0").encode())]).objects
    made: Sourced[Any] = Sourced(found.object, found.ref, found.place, found.version, ObjectRef("Pod", "default", "p"))
    assert check(ObjectSet([made])) == ([], [])


@pytest.mark.parametrize(
    ("name", "is_sound"),
    [
        ("resource.kubernetes.io/pcieRoot", True),
        ("a/b", True),
        ("a/b/c", True),
        ("pcieRoot", False),
        ("", False),
        ("/a", False),
        ("a/", False),
        ("Example.com/a", False),
        ("a/1b", False),
        ("a/b-c", False),
        ("a" * 63 + "/a", True),
        ("a" * 64 + "/a", False),
        ("a/" + "b" * 32, True),
        ("a/" + "b" * 33, False),
    ],
)
def test_qualified_names(name: str, is_sound: bool) -> None:
    assert (fully_qualified_name_problem(name) is None) == is_sound
