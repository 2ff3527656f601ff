# FEATURE: C3
"""What could not be read is there all the same: no rule says of it, or of what it names, that it is nowhere."""

import json

import pytest

from dractl.observe.lint import RULES
from dractl.observe.lint.rule import Rule
from tests.cli.running import dractl
from tests.observe.lint.world import (
    GPU_CLASS,
    NODE,
    claim,
    device_slice,
    dumped,
    gpu_slice,
    pod,
    request,
    template,
    together,
)

UNREADABLE = "reading/unreadable"
REFUSED = "validation/refused"
USES_A = pod("p", "{name: e, resourceClaimTemplateName: a}")
WRONG_NUMBER = ("deviceClassName: gpu", 'deviceClassName: gpu, count: "2"')


def rules(*pieces: str) -> list[str]:
    ran = dractl("lint", "-", "-o", "json", stdin=together(*pieces).encode())
    return [
        finding["rule"] for finding in json.loads(ran.out)["findings"] if finding["rule"] != "workloads/assumed-nodes"
    ]


def broken(text: str, before: str = "name: c, image: i", after: str = "name: c, image: [i]") -> str:
    assert before in text
    return text.replace(before, after, 1)


def test_a_template_that_cannot_be_read_is_there() -> None:
    others = (dumped(template("b")), pod("q", "{name: e, resourceClaimTemplateName: b}"))
    assert rules(NODE, gpu_slice(), USES_A, *others) == ["DRA201"]
    assert rules(NODE, gpu_slice(), broken(template("a"), *WRONG_NUMBER), USES_A, *others) == [UNREADABLE]
    of_no_namespace = broken(template("a"), "/v1\n", "/v1alpha3\n").replace(", namespace: default", "")
    assert rules(NODE, gpu_slice(), of_no_namespace, USES_A, *others) == [UNREADABLE]


def test_another_template_that_cannot_be_read_says_nothing_of_this_one() -> None:
    others = (dumped(template("b")), pod("q", "{name: e, resourceClaimTemplateName: b}"))
    assert rules(NODE, gpu_slice(), broken(template("c"), *WRONG_NUMBER), USES_A, *others) == [UNREADABLE, "DRA201"]


def test_a_document_that_cannot_be_read_may_hold_anything() -> None:
    others = (dumped(template("b")), pod("q", "{name: e, resourceClaimTemplateName: b}"))
    assert rules(NODE, gpu_slice(), USES_A, *others, "kind: [") == [UNREADABLE]


def test_a_class_that_cannot_be_read_is_there() -> None:
    spare = GPU_CLASS.replace("name: gpu", "name: gpus")
    unread = broken(spare, "{name: gpus}", "{name: gpus, labels: {a: 1}}")
    asking = claim(request(device_class="gpus"))
    assert rules(NODE, GPU_CLASS, gpu_slice(), asking, claim(request(), name="d")) == ["DRA107"]
    assert rules(NODE, GPU_CLASS, gpu_slice(), unread, asking, claim(request(), name="d")) == [UNREADABLE]


@pytest.mark.parametrize(
    "user",
    [
        broken(USES_A),
        broken(USES_A, "resourceClaims:", "resourceClaim:"),
        broken(USES_A, "kind: Pod\n", "kind: Pod\nspecc: {}\n"),
    ],
)
def test_what_a_pod_names_that_cannot_be_read_is_used(user: str) -> None:
    other = (template("b"), pod("q", "{name: e, resourceClaimTemplateName: b}"))
    unused = pod("p", "{name: e, resourceClaimTemplateName: b}")
    assert rules(NODE, GPU_CLASS, gpu_slice(), template("a"), *other, unused) == ["DRA202"]
    assert {"DRA202", "DRA203"}.isdisjoint(rules(NODE, GPU_CLASS, gpu_slice(), template("a"), *other, user))


def test_what_another_object_of_the_same_name_names_is_used() -> None:
    other = (template("b"), pod("p", "{name: e, resourceClaimTemplateName: b}"))
    assert rules(NODE, GPU_CLASS, gpu_slice(), template("a"), *other, USES_A) == [UNREADABLE]


def test_a_class_that_an_unreadable_claim_asks_for_is_used() -> None:
    spare = GPU_CLASS.replace("gpu}", "spare}")
    asking = claim(request('        count: "2"\n', device_class="spare"), name="d")
    assert "DRA118" in rules(NODE, GPU_CLASS, spare, gpu_slice(), claim(request()))
    assert rules(NODE, GPU_CLASS, spare, gpu_slice(), claim(request()), asking) == [UNREADABLE]


def test_devices_that_cannot_be_read_may_be_what_a_class_means() -> None:
    nics = device_slice("nic.example.com", "  - {name: n0, attributes: {model: a}}\n", name="s2", pool="nics")
    gpus = dumped(gpu_slice())
    nic_class = GPU_CLASS.replace("gpu", "nic")
    asking = claim(request(device_class="nic"), name="d")
    assert rules(NODE, GPU_CLASS, nic_class, gpus, claim(request()), asking) == ["DRA101"]
    assert rules(NODE, GPU_CLASS, nic_class, gpus, nics, claim(request()), asking) == [UNREADABLE]


def test_a_suppression_of_a_rule_that_cannot_tell_is_not_in_vain() -> None:
    ignoring = template("a").replace("{name: a", "{annotations: {dractl.dev/ignore: DRA202}, name: a")
    assert rules(NODE, GPU_CLASS, gpu_slice(), ignoring, USES_A) == ["DRA901"]
    assert rules(NODE, GPU_CLASS, gpu_slice(), ignoring, broken(USES_A)) == [UNREADABLE]


_OF_NO_NODE = device_slice("timing.example.com", "  - {name: gm}\n", name="s2", pool="t").replace(
    "nodeName: n1", "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: role, operator: in, values: [a]}]}]}"
)


@pytest.mark.parametrize(
    ("rule", "world"),
    [
        ("DRA113", (gpu_slice(), claim(request("        count: 3\n")))),
        ("DRA101", (dumped(gpu_slice()), GPU_CLASS.replace("gpu", "nic"), claim(request(device_class="nic")))),
        ("DRA105", (gpu_slice(), claim(request(), "    constraints: [{matchAttribute: a.b/c}]\n"))),
    ],
)
def test_devices_that_would_be_refused_say_nothing_of_what_is_nowhere(rule: str, world: tuple[str, ...]) -> None:
    """When the slice is mended it may hold anything."""
    classes = (GPU_CLASS,) if rule != "DRA101" else ()
    assert rules(NODE, *classes, *world) == [rule]
    assert rules(NODE, *classes, *world, _OF_NO_NODE) == [REFUSED]


def test_a_selector_that_fails_may_mean_what_a_refused_slice_has() -> None:
    """That it fails on devices that are read is told all the same, but not that no other has the attribute."""
    selector = """'device.attributes["timing.example.com"].a > 0'"""
    asking = claim(request(f"        selectors: [{{cel: {{expression: {selector}}}}}]\n"))

    def advice(*more: str) -> str:
        ran = dractl("lint", "-", "-o", "json", stdin=together(NODE, GPU_CLASS, gpu_slice(), asking, *more).encode())
        [told] = [each["remedy"] for each in json.loads(ran.out)["findings"] if each["rule"] == "DRA103"]
        return str(told)

    assert advice() == "no device here publishes attribute timing.example.com/a"
    assert advice(_OF_NO_NODE).startswith("test that the attribute is there")


def test_a_taint_rule_that_would_be_refused_may_be_what_a_toleration_means() -> None:
    rule = """apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: r}
spec: {deviceSelector: {driver: gpu.example.com}, taint: {key: a.b/c, value: fan, effect: NoSchedule}}
"""
    tolerant = claim(request("        tolerations: [{key: a.b/c, operator: Equal, value: fans, effect: NoSchedule}]\n"))
    assert rules(NODE, GPU_CLASS, gpu_slice(), rule, tolerant) == ["DRA115"]
    assert rules(NODE, GPU_CLASS, gpu_slice(), rule.replace("fan,", "fan!,"), tolerant) == [REFUSED]


def test_a_class_whose_name_would_be_refused_may_be_the_one_that_is_missed() -> None:
    assert rules(NODE, GPU_CLASS.replace("{name: gpu}", "{name: GPU}"), gpu_slice(), claim(request())) == [REFUSED]


@pytest.mark.parametrize("name", ["front_haul", "r"])
def test_who_misses_a_request_may_mean_one_whose_name_would_be_refused(name: str) -> None:
    """That is told once: not at the constraint, and not at the container."""
    asked = claim(
        request() + request(name="fronthaul"),
        "    constraints: [{requests: [fronthaul], matchAttribute: resource.kubernetes.io/numaNode}]\n",
    )
    user = asked.replace("claims: [{name: e}]", "claims: [{name: e, request: fronthaul}]")
    assert user != asked
    assert rules(NODE, GPU_CLASS, user) == []
    assert rules(NODE, GPU_CLASS, user.replace("name: fronthaul", f"name: {name}")) == [REFUSED]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_page_says_when_a_rule_is_silent(rule: Rule) -> None:
    last = rule.page.rsplit("\n\n", 1)[-1]
    assert ("Without a ResourceSlice" in last) == rule.needs_slices
    assert ("Silent if" in last) == bool(rule.needs_all)
    assert all(kind in last for kind in rule.needs_all)
