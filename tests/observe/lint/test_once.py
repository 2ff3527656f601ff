# FEATURE: C3
"""One mistake is told once, where it can be mended."""

import pytest

from tests.observe.lint.test_rules import remarks
from tests.observe.lint.world import (
    GPU_CLASS,
    NODE,
    claim,
    device_slice,
    found,
    gpu_slice,
    marked,
    pod,
    request,
    template,
    together,
)

_SHARED = """  - name: g0
    allowMultipleAllocations: true
    capacity:
      speed: {value: 100G, requestPolicy: {default: 1G, validRange: {min: 1G}}}
      queues: {value: "64"}
"""


def asking(amounts: str = "") -> str:
    return request(f"        capacity: {{requests: {{{amounts}}}}}\n" if amounts else "")


@pytest.mark.parametrize(
    ("amounts", "told"),
    [
        (["", "speed: 2G"], "requests"),
        (["speed: 200G"], "a request that names no amount takes"),
        (["queues: 4"], ""),
    ],
)
def test_a_capacity_without_a_default_is_told_at_the_device(amounts: list[str], told: str) -> None:
    """Whoever can never get the device takes nothing of it."""
    claims = [claim(asking(each), name=f"c{number}") for number, each in enumerate(amounts)]
    said = [each for each in remarks(together(NODE, GPU_CLASS, gpu_slice(_SHARED), *claims)) if each[0] == "DRA111"]
    if told == "requests":
        told = "request r of ResourceClaim default/c0 and 1 other take"
    texts = [f"device g0 may be shared, but {told} all of queues, as the amount has no default"] if told else []
    assert [message for _, message, _ in said] == texts


_COUNTERS = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 2}
  sharedCounters:
  - {name: one, counters: {cores: {value: "4"}}}
  - {name: two, counters: {cores: {value: "4"}}}
"""


def partitions(**groups: str) -> str:
    devices = "".join(
        f"  - name: {name.replace('_', '-')}\n    consumesCounters:\n    - counterSet: {name.partition('_')[0]}\n"
        f"      compatibilityGroups: [{group}]\n      counters: {{cores: {{value: 2}}}}\n"
        for name, group in groups.items()
    )
    return together(NODE, _COUNTERS, gpu_slice(devices).replace("Count: 1", "Count: 2"))


@pytest.mark.parametrize(
    ("others", "odd", "right"),
    [({}, "b", "halfs"), ({"two_a": "halves", "two_b": "halves"}, "a", "halves")],
)
def test_a_misspelt_group_is_told_at_one_of_two_devices(others: dict[str, str], odd: str, right: str) -> None:
    """Where other counter sets of the pool know the group of one, the other is mistaken."""
    [(rule, message, remedy)] = remarks(partitions(one_a="halfs", one_b="halves", **others))
    assert rule == "DRA311"
    assert message.startswith(f"device one-{odd} shares no compatibility group of counter set one ")
    assert remedy == f"the others have {right}"


def test_a_device_that_is_listed_twice_is_told_in_a_sentence() -> None:
    one = gpu_slice("  - {name: g0}\n").replace("Count: 1", "Count: 2")
    [(rule, message, _)] = remarks(together(NODE, one, one.replace("s1", "s2")))
    assert rule == "DRA304"
    assert message == (
        "slice s1 of pool gpu.example.com/n1 lists g0 already: the pool is invalid, nothing is allocated from it"
    )


@pytest.mark.parametrize(
    ("second", "is_told"),
    [("nodeName: n2", True), ("nodeName: n1", False), ("allNodes: true", False), ("nodeSelector: %s", True)],
)
def test_devices_count_for_their_own_nodes(second: str, is_told: bool) -> None:
    hosts = "{nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [n2]}]}]}"
    devices = f"  - {{name: g0, nodeName: n1}}\n  - {{name: g1, {second.replace('%s', hosts)}}}\n"
    slice_ = gpu_slice(devices).replace("nodeName: n1\n  pool", "perDeviceNodeSelection: true\n  pool")
    text = together(NODE, NODE.replace("n1", "n2"), GPU_CLASS, slice_, claim(request("        count: 2\n")))
    assert [rule for rule, _ in found(text)] == (["DRA113"] if is_told else [])


@pytest.mark.parametrize(
    ("requirement", "message", "remedy"),
    [
        ("{key: zone, operator: In, values: [b]}", "none has zone=b", "the nodes have eu-west-1a"),
        ("{key: zone, operator: In, values: [eu-west-1]}", "none has zone=eu-west-1", "the nodes have eu-west-1a"),
        ("{key: zones, operator: Exists}", "none has the label zones", "did you mean zone?"),
    ],
)
def test_what_no_node_has_is_named(requirement: str, message: str, remedy: str) -> None:
    selector = f"nodeSelector: {{nodeSelectorTerms: [{{matchExpressions: [{requirement}]}}]}}"
    node = NODE.replace("hostname: n1", "hostname: n1, zone: eu-west-1a")
    said = remarks(together(node, gpu_slice().replace("nodeName: n1", selector)))
    assert said == [("DRA313", f"its node selector matches none of the 1 node of the input: {message}", remedy)]


def test_an_attribute_of_an_odd_type_is_told_at_the_device() -> None:
    """The selectors that fail at it are named there; where they fail for another reason they are told as well."""
    devices = "".join(f"  - {{name: g{n}, attributes: {{m: {{int: {n}}}}}}}\n" for n in range(3))
    odd = devices.replace("int: 1", "string: '1'")
    asked_for = claim(
        request("""        selectors:
        - cel: {expression: 'device.attributes["gpu.example.com"].m > 0'}
""")
    )
    [(rule, message, _)] = remarks(together(NODE, GPU_CLASS, gpu_slice(odd), asked_for))
    assert rule == "DRA315"
    assert message == (
        "attribute m is of type string here, and of type int on gpu.example.com/n1/g0: "
        "the selector of ResourceClaim default/c ends with an error"
    )
    without = odd.replace("{name: g2, attributes: {m: {int: 2}}}", "{name: g2}")
    assert [each[0] for each in remarks(together(NODE, GPU_CLASS, gpu_slice(without), asked_for))] == [
        "DRA315",
        "DRA103",
    ]


_AS_CLAIM = "name: e\n    resourceClaimName: t # <- DRA201"
_AS_TEMPLATE = "name: e\n    resourceClaimTemplateName: c # <- DRA201"
_OF_NAMESPACE = "{metadata: {name: training}, apiVersion: v1, kind: Namespace}\n"


@pytest.mark.parametrize(
    "text",
    [
        together(GPU_CLASS, template("t"), pod("p", _AS_CLAIM)),
        together(GPU_CLASS, claim(request()).split("---\n")[0], pod("p", _AS_TEMPLATE)),
    ],
)
def test_a_template_named_as_a_claim_is_told_at_the_pod(text: str) -> None:
    assert found(text) == marked(text)
    assert any("it is a claim" in remedy for *_, remedy in remarks(text))


def test_who_misses_an_object_of_a_misspelt_namespace_is_not_told() -> None:
    used = pod("p", "{name: e, resourceClaimTemplateName: t}").replace("namespace: default", "namespace: training")
    text = together(_OF_NAMESPACE, GPU_CLASS, template("t").replace("namespace: default", "namespace: trainig"), used)
    assert [rule for rule, _ in found(text)] == ["DRA209"]


@pytest.mark.parametrize(
    ("written", "line"), [("value: yes-or-no # <-", "value"), ("value: present\n          effect: NoExecute", "effect")]
)
def test_the_field_that_keeps_a_toleration_from_a_taint(written: str, line: str) -> None:
    taint = "  - {name: g0, taints: [{key: a.b/c, value: present, effect: NoSchedule}]}\n"
    asked = request(f"        tolerations:\n        - key: a.b/c\n          operator: Equal\n          {written}\n")
    text = together(NODE, GPU_CLASS, gpu_slice(taint), claim(asked))
    [(rule, at)] = [each for each in found(text) if each[0] == "DRA115"]
    assert text.splitlines()[at - 1].strip().startswith(f"{line}:"), rule


def _half(name: str, device: str, *, pool: str = "n1", generation: int = 1, more: str = "") -> str:
    text = gpu_slice(f"  - {{name: {device}}}\n", name=name, pool=pool, more=more)
    return text.replace("Count: 1", "Count: 2").replace("generation: 1", f"generation: {generation}")


_ON_G1 = """apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: r}
spec: {deviceSelector: {driver: gpu.example.com, pool: n1-gpus, device: g1}, taint: {key: a.b/c, effect: NoSchedule}}
"""


@pytest.mark.parametrize(
    ("one", "other", "rule", "line"),
    [
        (_half("s1", "g0", pool="n1-gpus", generation=2), _half("s2", "g1", pool="n1-gpus"), "DRA303", "generation: 1"),
        (_half("s1", "g0", pool="n1-gpus"), _half("s2", "g1", pool="n1-gpsu"), "DRA301", "name: n1-gpsu"),
        (_half("s1", "g1", pool="n1-gpsu"), _half("s2", "g0", pool="n1-gpus"), "DRA301", "name: n1-gpsu"),
    ],
)
def test_a_pool_that_came_apart_is_told_once(one: str, other: str, rule: str, line: str) -> None:
    """Neither at both halves, nor at a taint rule for a device of the half that does not count."""
    other_pool = gpu_slice(name="s3", pool="n2-gpus").replace("nodeName: n1", "nodeName: n2")
    text = together(NODE, one, other, other_pool, _ON_G1)
    [(told, at)] = [each for each in found(text) if each[0] != "DRA313"]
    assert (told, text.splitlines()[at - 1].strip()) == (rule, line)


def test_a_pool_without_some_slices_is_told_where_no_other_has_them() -> None:
    """A pool of another node, generation or driver is none that is meant."""
    lacking = _half("s1", "g0", pool="n1-gpus")
    others = [
        _half("s2", "g1", pool="n1-gpsu").replace("nodeName: n1", "nodeName: n2"),
        _half("s2", "g1", pool="n1-gpsu", generation=2),
        _half("s2", "g1", pool="n1-gpsu").replace("driver: gpu.", "driver: nic."),
        _half("s2", "g1", pool="n2-gpus"),
    ]
    for other in others:
        assert [rule for rule, _ in found(together(NODE, lacking, other))].count("DRA301") == 2


def test_one_pool_name_on_two_nodes_is_not_told_at_a_taint_rule_too() -> None:
    second = gpu_slice(name="s2").replace("nodeName: n1", "nodeName: n2").replace("Count: 1", "Count: 2")
    rule = _ON_G1.replace("n1-gpus", "n2")
    text = together(NODE, NODE.replace("n1", "n2"), gpu_slice().replace("Count: 1", "Count: 2"), second, rule)
    assert [name for name, _ in found(text)] == ["DRA305"]


def test_a_counter_set_that_is_there_twice_is_told_once() -> None:
    """Devices that miss a set may mean one of the two, and a part that misses it shares none with its whole."""
    twice = _COUNTERS.replace("metadata: {name: counters}", "metadata: {name: more}").replace(
        "name: two", "name: three"
    )
    devices = "".join(
        f"  - {{name: {name}, consumesCounters: [{{counterSet: {of}, counters: {{cores: {{value: 2}}}}}}]}}\n"
        for name, of in (("one", "one"), ("one-half", "four"))
    )
    text = together(NODE, _COUNTERS, twice, gpu_slice(devices)).replace("Count: 1", "Count: 3")
    assert {rule for rule, _ in found(text.replace("Count: 2", "Count: 3"))} == {"DRA307"}
    single = together(NODE, _COUNTERS, gpu_slice(devices)).replace("Count: 1", "Count: 2")
    assert [rule for rule, _ in found(single)] == ["DRA306"]


def test_a_count_that_no_claim_can_hold_is_not_compared_with_nodes() -> None:
    text = together(NODE, GPU_CLASS, gpu_slice(), claim(request("        count: 33 # <- DRA112\n")))
    assert found(text) == marked(text)


def test_a_constraint_that_no_request_fulfils_is_told_once() -> None:
    nics = device_slice("nic.example.com", "  - {name: n0, attributes: {x/numa: {int: 1}}}\n", name="s2", pool="nics")
    requests = request(name="a") + request(name="b", device_class="nic")
    asked = claim(requests, "    constraints:\n    - matchAttribute: y/numa\n")
    [(rule, message, remedy)] = remarks(
        together(NODE, GPU_CLASS, GPU_CLASS.replace("gpu", "nic"), gpu_slice(), nics, asked)
    )
    assert rule == "DRA105"
    assert message == (
        "request a: no device of gpu.example.com that it may get has y/numa; "
        "request b: no device of nic.example.com that it may get has y/numa, only x/numa"
    )
    assert remedy.startswith("compare x/numa")


def test_a_class_that_was_meant_is_not_told_to_be_unused() -> None:
    """The request names another class, none of whose devices it selects."""
    nics = device_slice("nic.example.com", "  - {name: n0, attributes: {m: {int: 1}}}\n", name="s2", pool="nics")
    classes = together(GPU_CLASS, GPU_CLASS.replace("gpu", "nic"))
    selector = """        selectors: [{cel: {expression: 'device.attributes["nic.example.com"].m == %s'}}]\n"""

    def rules(value: str) -> list[str]:
        return [
            rule for rule, *_ in remarks(together(NODE, classes, gpu_slice(), nics, claim(request(selector % value))))
        ]

    assert rules("1") == ["DRA103"]
    assert rules("2") == ["DRA118", "DRA103"]


@pytest.mark.parametrize(
    ("limit", "asked"), [("example.com/gpu", "example.com/gpus"), ("example.com/gpus", "example.com/gpu")]
)
def test_a_request_and_a_limit_that_are_to_be_one_are_told_once(limit: str, asked: str) -> None:
    offering = GPU_CLASS + "  extendedResourceName: example.com/gpu\n"
    text = f"""apiVersion: v1
kind: Pod
metadata: {{name: p}}
spec:
  containers:
  - name: c
    image: i
    resources:
      limits: {{{limit}: 1}}
      requests: {{{asked}: 1}}
"""
    said = remarks(together(NODE, gpu_slice(), offering, text))
    assert [(rule, remedy) for rule, _, remedy in said] == [
        ("validation/refused", f"write one name in both: the limits have {limit}")
    ]
    alone = text.replace(f"{{{limit}: 1}}", "{}").replace(asked, "example.com/gpus")
    assert {rule for rule, *_ in remarks(together(NODE, gpu_slice(), offering, alone))} == {
        "validation/refused",
        "DRA208",
    }


def test_seconds_of_a_toleration_that_has_the_wrong_effect_are_not_told_too() -> None:
    taint = "  - {name: g0, taints: [{key: a.b/c, effect: NoExecute}]}\n"
    asked = request(
        "        tolerations: [{key: a.b/c, operator: Exists, effect: NoSchedule, tolerationSeconds: 60}]\n"
    )
    assert [rule for rule, _ in found(together(NODE, GPU_CLASS, gpu_slice(taint), claim(asked)))] == ["DRA115"]
    other = taint.replace("a.b/c", "x/y")
    assert [rule for rule, _ in found(together(NODE, GPU_CLASS, gpu_slice(other), claim(asked)))] == ["DRA120"]
