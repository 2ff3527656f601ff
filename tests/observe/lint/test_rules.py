# FEATURE: C3
"""Every rule: an input in which it finds something, at its line and nothing else, and one in which nothing is found."""

import json
import re

import pytest

from dractl.observe.lint import RULES, find_page
from dractl.observe.lint.rule import Rule
from tests.cli.running import ROOT, dractl
from tests.observe.lint import asked, published, roles, used
from tests.observe.lint.kubelets import CASES as KUBELETS
from tests.observe.lint.world import GPU_CLASS, NODE, claim, device_slice, found, gpu_slice, marked, request, together

_OF_GPU = 'device.attributes["gpu.example.com"]'
CASES = {**asked.CASES, **used.CASES, **published.CASES, **roles.CASES}


@pytest.mark.parametrize("rule", CASES)
def test_finds_what_it_is_for(rule: str) -> None:
    bad, _ = CASES[rule]
    assert rule in {name for name, _ in marked(bad)}
    assert found(bad) == marked(bad)


@pytest.mark.parametrize("rule", CASES)
def test_is_found_as_severe_as_it_is_listed(rule: str) -> None:
    """Unless the page says when it is a remark."""
    bad, _ = CASES[rule]
    results = json.loads(dractl("lint", "-", "-o", "json", stdin=bad.encode()).out)["findings"]
    page = find_page(rule)
    assert page is not None
    assert page.severity is not None
    severities = {each["severity"] for each in results if each["rule"] == rule}
    assert severities == {page.severity.name.lower()} or "remark" in page.text


@pytest.mark.parametrize("rule", CASES)
def test_is_silent_where_all_is_well(rule: str) -> None:
    _, good = CASES[rule]
    assert found(good) == []


@pytest.mark.parametrize("text", published.DISAGREEING)
def test_slices_that_declare_the_wrong_number(text: str) -> None:
    assert found(text) == marked(text)


def test_every_rule_has_a_case() -> None:
    assert {*CASES, *KUBELETS, "DRA901"} == {rule.id for rule in RULES}


def test_every_other_finding_has_a_family() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "dractl").rglob("*.py")]
    families = {family for text in sources for family in re.findall(r'Finding\(\s*f?"([a-z-]+)/', text)}
    assert {"reading", "containers"} <= families
    assert [family for family in sorted(families) if find_page(f"{family}/any") is None] == []


def test_ids_and_names_are_there_once() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES) == len({rule.name for rule in RULES})
    assert [rule.id for rule in RULES] == sorted(rule.id for rule in RULES)
    assert all(re.fullmatch(r"DRA\d{3}", rule.id) for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_page(rule: Rule) -> None:
    page = find_page(rule.id)
    assert page is not None
    assert len(page.title) < 90
    assert "\n" not in page.title
    for part in ("Why", "Example", "Instead"):
        assert re.search(rf"^{part}: ?", page.text, re.MULTILINE), f"{page.id} has no {part}"


def test_one_slip_of_the_pen_is_told_once() -> None:
    """A misspelt counter makes the pool invalid, and a misspelt template is not used either."""
    bad, _ = published.CASES["DRA306"]
    asked_for_two = asked.CASES["DRA113"][1]
    assert found(asked_for_two) == []
    broken = asked_for_two.replace(
        "- {name: g0}", "- {name: g0, consumesCounters: [{counterSet: a, counters: {b: {value: 1}}}]}"
    )
    assert [rule for rule, _ in found(broken)] == ["DRA306"]
    assert [rule for rule, _ in found(bad)] == ["DRA306"]


def test_requests_that_lack_the_same_attribute_are_told_together() -> None:
    requests = request(name="a") + request(name="b")
    text = together(NODE, GPU_CLASS, gpu_slice(), claim(requests, "    constraints: [{matchAttribute: a.b/c}]\n"))
    assert [rule for rule, _ in found(text)] == ["DRA105"]


@pytest.mark.parametrize(
    ("rule", "fields", "message"),
    [
        ("DRA102", '== "b"', "requests a and c: none of the 1 device of class gpu matches"),
        (
            "DRA103",
            '== "b" && device.attributes["gpu.example.com"].b',
            "the selector of requests a and c ends with an error",
        ),
    ],
)
def test_what_several_requests_of_a_claim_have_in_common_is_told_once(rule: str, fields: str, message: str) -> None:
    bad = f"        selectors:\n        - cel: {{expression: '{_OF_GPU}.model {fields}'}}\n"
    requests = request(bad, name="a") + request(name="b") + request(bad, name="c")
    model = "a" if rule == "DRA102" else "b"
    devices = f"  - {{name: g0, attributes: {{model: {{string: {model}}}}}}}\n"
    [(found_rule, told, _)] = remarks(together(NODE, GPU_CLASS, gpu_slice(devices), claim(requests)))
    assert found_rule == rule
    assert told.startswith(message)


def test_a_class_that_several_requests_lack_is_told_once() -> None:
    requests = request(name="a", device_class="gpus") + request(name="b", device_class="gpus")
    [(rule, message, remedy)] = remarks(together(GPU_CLASS, claim(requests)))
    assert rule == "DRA107"
    assert message == "requests a and b: there is no device class gpus in the input"
    assert remedy == "did you mean gpu?"


@pytest.mark.parametrize(
    ("announced", "node", "message"),
    [
        (
            'vendor.example/gpu: "2"',
            "n1",
            "a device plugin announces vendor.example/gpu, for which class gpu has devices here: ",
        ),
        ('vendor.example/gpu: "0"', "n1", ""),
        ('vendor.example/gpu: "2"', "n2", ""),
        ('vendor.example/nic: "2"', "n1", ""),
        (
            'example.com/gpu: "2"',
            "n1",
            "a device plugin announces example.com/gpu and driver gpu.example.com publishes ",
        ),
    ],
)
def test_a_device_plugin_and_a_class_for_one_extended_resource(announced: str, node: str, message: str) -> None:
    serving = GPU_CLASS + "  extendedResourceName: vendor.example/gpu\n"
    plugin = NODE.replace('pods: "110"', f'pods: "110", {announced}')
    devices = device_slice("gpu.example.com", "  - {name: g0}\n", name="s1", node=node)
    told = [text for rule, text, _ in remarks(together(plugin, serving, devices, claim(request()))) if rule == "DRA316"]
    assert len(told) == bool(message)
    assert all(text.startswith(message) for text in told)


def test_a_misspelt_standard_attribute_is_told_once() -> None:
    published_as = "      resource.kubernetes.io/%s: {string: a}\n"
    devices = "  - name: g0\n    attributes:\n" + published_as
    constrained = "    constraints: [{matchAttribute: resource.kubernetes.io/%s}]\n"
    for there, asked_for in (("pcieRoot", "pcieroot"), ("pcieroot", "pcieRoot")):
        text = together(NODE, GPU_CLASS, gpu_slice(devices % there), claim(request(), constrained % asked_for))
        assert [rule for rule, _, _ in remarks(text)] == ["DRA314"]


@pytest.mark.parametrize(
    ("driver", "selectors", "remedies"),
    [
        ("gpu.example.com", 'device.driver == "gpu.example.com"', []),
        ("gpu.exmaple.com", 'device.driver == "gpu.example.com"', ["did you mean gpu.example.com?"]),
        ("nic.example.com", 'device.driver == "gpu.example.com"', [""]),
        ("other.vendor.example", 'device.driver == "gpu.example.com"', [""]),
        ("other.vendor.example", 'device.driver.endsWith(".example.com")', []),
        ("gpu.exmaple.com", 'device.driver == "absent.example.com"', []),
    ],
)
def test_the_driver_of_a_configuration_of_a_class(driver: str, selectors: str, remedies: list[str]) -> None:
    device_class = GPU_CLASS.replace('device.driver == "gpu.example.com"', selectors)
    config = f"  config: [{{opaque: {{driver: {driver}, parameters: {{a: b}}}}}}]\n"
    slices = [gpu_slice(), device_slice("nic.example.com", "  - {name: n0}\n", name="s2")]
    told = remarks(together(NODE, device_class + config, *slices, claim(request())))
    assert [remedy for rule, _, remedy in told if rule == "DRA109"] == remedies


def test_a_version_that_is_none_is_told_where_it_is_written() -> None:
    """The selectors that come to the device fail as well, until it is mended."""
    devices = "  - {name: g0, attributes: {serial: {version: 1.x}}}\n"
    text = together(NODE, GPU_CLASS, gpu_slice(devices), claim(request()))
    results = json.loads(dractl("lint", "-", "-o", "json", stdin=text.encode()).out)["findings"]
    assert [(each["rule"], each["at"]["line"]) for each in results] == [("validation/refused", 24)]


def remarks(text: str) -> list[tuple[str, str, str]]:
    """Rule, message and remedy of what the rules find, through the command."""
    results = json.loads(dractl("lint", "-", "-o", "json", stdin=text.encode()).out)["findings"]
    return [(each["rule"], each["message"], each.get("remedy") or "") for each in results]


def selected(
    expression: str, devices: str = "  - {name: g0, attributes: {size: {int: 1}, model: {string: a}}}\n"
) -> str:
    selector = f"        selectors:\n        - cel: {{expression: '{expression}'}}\n"
    return together(NODE, GPU_CLASS, gpu_slice(devices), claim(request(selector)))


@pytest.mark.parametrize(
    ("expression", "error", "remedy"),
    [
        (f"{_OF_GPU}.model", "the result is of type string, not bool", "compare it with a value"),
        (f"{_OF_GPU}.size > 1 / 0", "division by zero", ""),
        (f"{_OF_GPU}.model > 4", "no such overload", "gpu.example.com/model is of type string there: compare with val"),
        (f'{_OF_GPU}.modell == "a"', "no such key: modell", "did you mean gpu.example.com/model?"),
    ],
)
def test_the_remedy_of_an_error_is_about_that_error(expression: str, error: str, remedy: str) -> None:
    [(rule, message, said)] = remarks(selected(expression))
    assert rule == "DRA103"
    assert message.startswith(f"the selector ends with an error on gpu.example.com/n1/g0: {error}; ")
    assert (remedy in said) if remedy else said == ""


@pytest.mark.parametrize("expression", ["false", 'device.driver == "other.example.com"'])
def test_a_selector_that_can_never_be_true_is_told_once(expression: str) -> None:
    [(rule, message, _)] = remarks(selected(expression))
    assert rule == "DRA104"
    assert message.startswith("the selector ")


@pytest.mark.parametrize(
    ("expression", "message", "remedy"),
    [
        (
            'device.driver == "gpu.example.com" && device.driver == "nic.example.com"',
            "the selector asks for driver gpu.example.com and for driver nic.example.com at once: no device has both",
            "write || instead of && if either will do",
        ),
        (
            f"{_OF_GPU}.size > 5 && {_OF_GPU}.size < 3",
            f"the selector asks for {_OF_GPU}.size > 5 and for {_OF_GPU}.size < 3 at once: no device has both",
            "",
        ),
        (
            'device.driver == "nic.example.com" && true',
            "the selector asks for driver nic.example.com, and class gpu for driver gpu.example.com: "
            "no device has both",
            "name the class of the driver that is meant",
        ),
    ],
)
def test_a_selector_that_contradicts_itself_or_its_class(expression: str, message: str, remedy: str) -> None:
    text = together(selected(expression), device_slice("nic.example.com", "  - {name: n0}\n", name="s2"))
    assert remarks(text) == [("DRA104", message, remedy)]


def test_two_selectors_of_a_request_that_contradict_each_other() -> None:
    selectors = (
        f"        selectors:\n        - cel: {{expression: '{_OF_GPU}.size == 1'}}\n"
        f"        - cel: {{expression: '{_OF_GPU}.size == 2'}}\n"
    )
    devices = "  - {name: g0, attributes: {size: {int: 1}}}\n"
    [(rule, message, _)] = remarks(together(NODE, GPU_CLASS, gpu_slice(devices), claim(request(selectors))))
    assert rule == "DRA104"
    assert (
        message
        == f"the selector asks for {_OF_GPU}.size == 2, and selector 0 for {_OF_GPU}.size == 1: no device has both"
    )


def test_a_driver_of_another_class_is_known() -> None:
    """A selector that is false for the class, though not in itself: the other driver does publish devices."""
    expression = 'device.driver == "nic.example.com" || device.driver.startsWith("nic")'
    text = together(selected(expression), device_slice("nic.example.com", "  - {name: n0}\n", name="s2"))
    [(rule, _, remedy)] = remarks(text)
    assert rule == "DRA102"
    assert remedy == "driver nic.example.com has no device of class gpu, only gpu.example.com has"


def test_a_class_that_can_never_match_is_told_once() -> None:
    text = together(
        NODE, GPU_CLASS.replace('device.driver == "gpu.example.com"', "1 == 2"), gpu_slice(), claim(request())
    )
    assert [rule for rule, _, _ in remarks(text)] == ["DRA104"]


def test_a_toleration_whose_key_is_nearly_that_of_a_taint() -> None:
    devices = "  - {name: g0, taints: [{key: example.com/degraded, value: ecc, effect: NoExecute}]}\n"
    key = "{key: %s, operator: Exists, effect: NoExecute}"
    tolerating = f"        tolerations:\n        - {key}\n"
    text = together(NODE, GPU_CLASS, gpu_slice(devices), claim(request(tolerating)))
    [(rule, message, remedy)] = remarks(text % "example.com/degrade")
    assert rule == "DRA115"
    assert message == "the toleration tolerates no taint: there is none with the key example.com/degrade"
    assert remedy == "did you mean example.com/degraded?"
    assert remarks(text % "example.com/planned-for-later") == []
    assert remarks(text % "example.com/degraded") == []


def test_one_device_of_an_old_generation_does_not_count() -> None:
    bad, _ = published.CASES["DRA303"]
    assert ": its 1 device " in (message := remarks(bad)[0][1])
    assert message.endswith(("vanishes from node n2", "does not count"))


@pytest.mark.parametrize(("asked_for", "is_meant"), [("example.com/nics", True), ("example.com/other-things", False)])
def test_a_class_whose_extended_resource_is_nearly_requested(asked_for: str, is_meant: bool) -> None:
    spare = GPU_CLASS.replace("gpu}", "spare}") + "  extendedResourceName: example.com/nic\n"
    user = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
        f"spec: {{containers: [{{name: c, image: i, resources: {{limits: {{{asked_for}: 1}}}}}}]}}\n"
    )
    found_here = remarks(together(NODE, GPU_CLASS, spare, gpu_slice(), claim(request()), user))
    misspelt = ("DRA208", "nothing in the input offers example.com/nics", "did you mean example.com/nic?")
    assert found_here == [misspelt if is_meant else ("DRA118", "nothing asks for this class", "")]


@pytest.mark.parametrize(
    ("name", "more", "remedy"),
    [
        ("platform", "", None),
        ("trianing", "", "did you mean training?"),
        ("system-node-critcal", "", "did you mean system-node-critical?"),
        ("training", "", None),
        ("platform", ", uid: u", "the input has training"),
    ],
)
def test_classes_of_priorities_come_with_the_cluster(name: str, more: str, remedy: str | None) -> None:
    """Without those of a cluster only a slip of the pen is told, once for each object that makes pods."""
    text = f"""apiVersion: apps/v1
kind: Deployment
metadata: {{name: d}}
spec:
  replicas: 3
  selector: {{matchLabels: {{a: b}}}}
  template:
    metadata: {{labels: {{a: b}}}}
    spec:
      priorityClassName: {name}
      containers: [{{name: c, image: i}}]
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {{name: training{more}}}
value: 1000
"""
    expected = [] if remedy is None else [("DRA207", f"there is no PriorityClass {name} in the input", remedy)]
    assert remarks(text) == expected


def requesting(resource: str, *pieces: str) -> list[tuple[str, str]]:
    user = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
        f"spec: {{containers: [{{name: c, image: i, resources: {{limits: {{{resource}: 1}}}}}}]}}\n"
    )
    return [(rule, remedy) for rule, _, remedy in remarks(together(user, *pieces)) if rule == "DRA208"]


def test_an_extended_resource_is_offered_by_nodes_too() -> None:
    node = NODE.replace("cpu:", "example.com/gpu: 1, example.com/mig-1g.5gb: 1, cpu:")
    assert requesting("example.com/gpu", node) == []
    assert requesting("example.com/gpus", node) == [("DRA208", "did you mean example.com/gpu?")]
    assert requesting("example.com/mig-1g.10gb", node) == []
    assert requesting("example.com/gpus") == []
    assert requesting("example.com/gpus", node, "apiVersion: v1\nkind: Node\nmetadata: {labels: 1}\n") == []


@pytest.mark.parametrize(
    ("name", "pieces", "remedy"),
    [
        ("gpu", (GPU_CLASS,), None),
        ("gpus", (GPU_CLASS,), "did you mean gpu?"),
        ("fpga", (GPU_CLASS,), None),
        ("fpga", (NODE, GPU_CLASS, gpu_slice()), None),
        ("fpga", (GPU_CLASS.replace("{name: gpu}", "{name: gpu, uid: u}"),), "the input has gpu"),
        ("fpga", (NODE, gpu_slice()), None),
    ],
)
def test_a_device_class_that_a_resource_names(name: str, pieces: tuple[str, ...], remedy: str | None) -> None:
    found_here = requesting(f"deviceclass.resource.kubernetes.io/{name}", *pieces)
    assert found_here == ([("DRA208", remedy)] if remedy else [])
