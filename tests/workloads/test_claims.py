# FEATURE: A3, D2
import pytest

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.api.scheduling import PodGroup
from dractl.workloads.naming import claim_generate_name
from tests.workloads.world import claim, claims, expanded, pod, pods

TEMPLATE = """
---
kind: ResourceClaimTemplate
metadata: {name: gpu}
spec:
  metadata: {labels: {team: a}, annotations: {note: x}}
  spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
"""


def a_pod(entries: str, status: str = "", metadata: str = "", spec: str = "", name: str = "p") -> str:
    return f"""
---
kind: Pod
metadata: {{name: {name}, uid: {name}-uid{metadata}}}
spec: {{resourceClaims: [{entries}]{spec}}}
status: {{{status}}}
"""


def a_claim(name: str, entry: str = "", uid: str = "p-uid", owner: str = "p", more: str = "") -> str:
    return f"""
---
kind: ResourceClaim
metadata:
  name: {name}
  {more}
  annotations: {{resource.kubernetes.io/pod-claim-name: "{entry}"}}
  ownerReferences: [{{apiVersion: v1, kind: Pod, name: {owner}, uid: {uid}, controller: true}}]
"""


BY_TEMPLATE = "{name: one, resourceClaimTemplateName: gpu}"
TWO = f"{BY_TEMPLATE}, {{name: another, resourceClaimTemplateName: gpu}}"


def statuses(sourced_pod: Pod) -> dict[str, str | None]:
    return {each.name: each.resourceClaimName for each in sourced_pod.status.resourceClaimStatuses or ()}


def test_a_claim_is_made_as_the_controller_makes_it() -> None:
    result = expanded(a_pod(BY_TEMPLATE) + TEMPLATE)
    made = claim(result, "p-one")
    assert made.metadata.generateName == "p-one-"
    assert made.metadata.labels == {"team": "a"}
    assert made.metadata.annotations == {"note": "x", "resource.kubernetes.io/pod-claim-name": "one"}
    assert made.metadata.ownerReferences is not None
    (owner,) = made.metadata.ownerReferences
    assert (owner.apiVersion, owner.kind, owner.name, owner.uid) == ("v1", "Pod", "p", "p-uid")
    assert owner.controller is True
    assert owner.blockOwnerDeletion is None
    assert made.object.spec.devices.requests is not None
    assert made.place.path == ("spec",)
    assert made.place.origin.document == 1
    assert str(made.made_by) == "Pod ml/p"
    assert statuses(pod(result, "p").object) == {"one": "p-one"}
    assert result.waiting == {}


def test_claims_follow_the_entries_and_statuses_are_sorted() -> None:
    result = expanded(a_pod(TWO) + TEMPLATE)
    assert claims(result) == ["p-one", "p-another"]
    assert list(statuses(pod(result, "p").object)) == ["another", "one"]


def test_a_pod_without_a_uid_owns_its_claims_by_a_derived_one() -> None:
    result = expanded(a_pod(BY_TEMPLATE).replace(", uid: p-uid", "") + TEMPLATE)
    owner = claim(result, "p-one").metadata.controller
    assert owner is not None
    assert owner.uid


@pytest.mark.parametrize(
    ("name", "entry", "base"),
    [
        ("web", "gpu", "web-gpu-"),
        ("a" * 50, "b" * 5, "a" * 50 + "-" + "b" * 5 + "-"),
        ("a" * 51, "b" * 5, "a" * 50 + "-" + "b" * 4),
        ("a" * 100, "b" * 60, "a" * 35 + "-" + "b" * 21),
    ],
)
def test_long_names_are_cut_in_proportion(name: str, entry: str, base: str) -> None:
    assert claim_generate_name(name, entry) == base


def test_a_name_in_use_gets_an_index() -> None:
    others = (
        "---\n{kind: ResourceClaim, metadata: {name: p-one}}\n---\n{kind: ResourceClaim, metadata: {name: p-one-1}}"
    )
    assert claims(expanded(a_pod(BY_TEMPLATE) + TEMPLATE + others)) == ["p-one-2", "p-one", "p-one-1"]


def test_pods_that_are_being_deleted_get_none() -> None:
    deleted = ', deletionTimestamp: "2026-01-01T00:00:00Z"'
    assert claims(expanded(a_pod(BY_TEMPLATE, metadata=deleted) + TEMPLATE)) == []


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_finished_pods_get_none(phase: str) -> None:
    assert claims(expanded(a_pod(BY_TEMPLATE, f"phase: {phase}") + TEMPLATE)) == []


@pytest.mark.parametrize("spec", [", nodeName: n1", ", schedulerName: other"])
def test_pods_that_nobody_plans_get_theirs_all_the_same(spec: str) -> None:
    assert claims(expanded(a_pod(BY_TEMPLATE, spec=spec) + TEMPLATE)) == ["p-one"]


RECORDED = "resourceClaimStatuses: [{name: one, resourceClaimName: p-one-x}]"


@pytest.mark.parametrize(
    ("status", "existing", "expected"),
    [
        ("resourceClaimStatuses: [{name: one}]", "", []),
        (RECORDED, a_claim("p-one-x", "one"), ["p-one-x"]),
        (RECORDED, "", ["p-one"]),
        (RECORDED, a_claim("p-one-x", "one", uid="other-uid", owner="q"), ["p-one", "p-one-x"]),
        (RECORDED.replace("p-one-x", "p-one"), "", ["p-one-1"]),
        ("", a_claim("p-one-x", "one"), ["p-one-x"]),
        ("", a_claim("p-one-x", "different"), ["p-one", "p-one-x"]),
        ("", a_claim("p-one-x", "one", uid="other-uid", owner="q"), ["p-one", "p-one-x"]),
    ],
)
def test_claims_that_are_there_already(status: str, existing: str, expected: list[str]) -> None:
    other = "\n---\n{kind: Pod, metadata: {name: q, uid: other-uid}}"
    result = expanded(a_pod(BY_TEMPLATE, status) + TEMPLATE + existing + other)
    assert claims(result) == expected
    recorded = statuses(pod(result, "p").object)["one"]
    assert recorded == (expected[0] if expected else None)


def test_a_missing_template_leaves_the_status_empty_though_earlier_claims_exist() -> None:
    two, three = (
        f"{{name: {name}, resourceClaimTemplateName: {of}}}" for name, of in (("two", "none"), ("three", "gpu"))
    )
    result = expanded(a_pod(f"{BY_TEMPLATE}, {two}, {three}") + TEMPLATE)
    assert claims(result) == ["p-one"]
    assert statuses(pod(result, "p").object) == {}
    assert result.waiting == {
        PodRef("ml", "p"): 'PodResourceClaim two: resource claim template "none": '
        'resourceclaimtemplate.resource.k8s.io "none" not found'
    }


def test_templates_of_other_namespaces_do_not_count() -> None:
    result = expanded(a_pod(BY_TEMPLATE) + TEMPLATE.replace("{name: gpu}", "{name: gpu, namespace: other}"))
    assert claims(result) == []
    assert PodRef("ml", "p") in result.waiting


def test_a_named_claim_that_is_missing_is_waited_for() -> None:
    result = expanded(a_pod(f"{{name: zero, resourceClaimName: shared}}, {BY_TEMPLATE}") + TEMPLATE)
    assert result.waiting == {PodRef("ml", "p"): 'could not find ResourceClaim "ml/shared"'}
    assert statuses(pod(result, "p").object) == {"one": "p-one"}


def test_an_entry_without_a_source_is_refused() -> None:
    (text,) = expanded(a_pod("{name: one}")).waiting.values()
    assert text == (
        'PodResourceClaim one: checking for claim before creating it: pod "ml/p", spec.resourceClaim "one": '
        "none of the supported fields are set"
    )


def test_an_orphan_is_recorded_beside_what_is_new() -> None:
    result = expanded(a_pod(TWO) + TEMPLATE + a_claim("p-one-x", "one"))
    assert statuses(pod(result, "p").object) == {"one": "p-one-x", "another": "p-another"}


GROUP = "\n---\n{kind: PodGroup, metadata: {name: g}, spec: {resourceClaims: [%s]}}"


GROUP_GATES = frozenset({"GenericWorkload", "DRAWorkloadResourceClaims"})
MEMBER = ", schedulingGroup: {podGroupName: g}"


@pytest.mark.parametrize(
    ("entry", "gates", "made"),
    [
        (BY_TEMPLATE, GROUP_GATES, ["g-one"]),
        (BY_TEMPLATE, frozenset({"GenericWorkload"}), ["p-one"]),
        (BY_TEMPLATE, frozenset(), ["p-one"]),
        ("{name: one, resourceClaimTemplateName: other}", GROUP_GATES, ["p-one"]),
        ("{name: two, resourceClaimTemplateName: gpu}", GROUP_GATES, ["p-one"]),
    ],
)
def test_a_claim_is_the_groups_if_all_names_agree(entry: str, gates: frozenset[str], made: list[str]) -> None:
    text = a_pod(BY_TEMPLATE, spec=MEMBER) + TEMPLATE + GROUP % entry
    assert claims(expanded(text, gates)) == made


def test_a_groups_claim_is_made_once_and_named_in_every_status() -> None:
    text = a_pod(BY_TEMPLATE, spec=MEMBER) + a_pod(BY_TEMPLATE, name="q", spec=MEMBER) + TEMPLATE + GROUP % BY_TEMPLATE
    result = expanded(text, GROUP_GATES)
    assert claims(result) == ["g-one"]
    assert [statuses(pod(result, name).object) for name in ("p", "q")] == [{"one": "g-one"}] * 2
    (group,) = result.objects.of(PodGroup)
    assert [each.resourceClaimName for each in group.object.status.resourceClaimStatuses or ()] == ["g-one"]


def test_a_stored_groups_claim_is_refused_while_the_gate_is_off() -> None:
    stored = GROUP.replace("{name: g}", "{name: g, uid: u}") % BY_TEMPLATE
    result = expanded(a_pod(BY_TEMPLATE, spec=MEMBER) + TEMPLATE + stored, frozenset({"GenericWorkload"}))
    assert list(result.waiting.values()) == [
        "PodResourceClaim one: claim one is a PodGroup claim but the DRAWorkloadResourceClaims feature is disabled"
    ]


def test_every_replica_has_its_own_claim() -> None:
    text = f"""
kind: ReplicaSet
metadata: {{name: web}}
spec: {{replicas: 2, template: {{spec: {{resourceClaims: [{BY_TEMPLATE}]}}}}}}
"""
    result = expanded(text + TEMPLATE)
    assert pods(result) == ["web-0", "web-1"]
    assert claims(result) == ["web-0-one", "web-1-one"]
