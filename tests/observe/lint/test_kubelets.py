# FEATURE: C3
"""Rules that look at kubelets and machines."""

import json
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from dractl.cluster.node_machine import NodeMachine
from dractl.machine.machine import Machine
from dractl.manifests import Source, survey
from dractl.planner.admission import admit
from dractl.planner.linting import lint
from dractl.planner.settings import Settings
from tests.cli.running import dractl
from tests.observe.lint.kubelets import CASES, CLASHING, STATIC, TWO_NODES, known
from tests.observe.lint.world import NODE, together


def messages(text: str, machines: Mapping[str, NodeMachine]) -> dict[str, str]:
    admission = admit(survey([Source("world.yaml", text.encode())]).objects, Settings())
    findings = lint(admission.objects, admission.gates, machines).findings
    return {finding.rule: finding.message for finding in findings if finding.rule.startswith("DRA")}


@pytest.mark.parametrize("rule", CASES)
def test_finds_what_it_is_for_and_nothing_else(rule: str) -> None:
    text, bad, good = CASES[rule]
    assert list(messages(text, bad)) == [rule]
    assert messages(text, good) == {}


DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  replicas: %d
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: c, image: i, resources: {limits: {cpu: 10, memory: 1Gi}}}]}
"""


@pytest.mark.parametrize("replicas", [0, 1])
def test_a_template_with_limits_alone_makes_guaranteed_pods(replicas: int) -> None:
    _, bad, good = CASES["DRA504"]
    text = together(NODE, DEPLOYMENT % replicas)
    assert list(messages(text, bad)) == ["DRA504"]
    assert messages(text, good) == {}


LIMIT_RANGE = """apiVersion: v1
kind: LimitRange
metadata: {name: l}
spec: {limits: [{type: Container, default: {cpu: %d, memory: 1Gi}}]}
"""


@pytest.mark.parametrize("replicas", [0, 1])
@pytest.mark.parametrize(("cpus", "expected"), [(10, ["DRA504"]), (4, [])])
def test_what_a_limit_range_gives_to_containers_counts(replicas: int, cpus: int, expected: list[str]) -> None:
    _, bad, _ = CASES["DRA504"]
    deployment = (DEPLOYMENT % replicas).replace(", resources: {limits: {cpu: 10, memory: 1Gi}}", "")
    assert list(messages(together(NODE, deployment), bad)) == []
    assert list(messages(together(NODE, deployment, LIMIT_RANGE % cpus), bad)) == expected


def test_what_a_limit_range_refuses_is_refused_in_a_plan_and_told_by_lint() -> None:
    least = (LIMIT_RANGE % 4).replace("default:", "min:").replace("cpu: 4", "cpu: 20")
    text = together(NODE, DEPLOYMENT % 1, least).encode()
    refused = [
        dractl(command, "-", "-o", "json", stdin=text).out.count("limits/refused") for command in ("lint", "plan")
    ]
    assert refused == [1, 1]


def test_options_that_exclude_each_other_need_no_machine() -> None:
    found = messages(NODE, known(CLASHING, None))
    assert "full-pcpus-only and distribute-cpus-across-cores can not be used at the same time" in found["DRA502"]


ONE_GIB = "memoryManagerPolicy: Static\nreservedMemory: [{numaNode: 1, limits: {memory: 1Gi}}]"


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ("cpuManagerPolicy: statick", 3),
        ("cpuManagerPolicy: none\nmemoryManagerPolicy: static", 4),
        ("cpuManagerPolicy: static\nreservedSystemCPUs: 0-", 4),
        ("topologyManagerPolicy: single-numa", 3),
        ("topologyManagerPolicy: restricted\ntopologyManagerScope: Pod", 4),
        ("kubeReserved: {gpu: '1'}", 3),
        ("evictionHard: {memory.available: much}", 3),
        (
            f"systemReserved: {{memory: 1Gi}}\n{ONE_GIB}",
            5,
        ),
    ],
)
def test_what_no_machine_takes_is_found_without_any_node(fields: str, line: int) -> None:
    text = f"apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n{fields}\n"
    ran = dractl("lint", "-", "-o", "json", stdin=text.encode())
    assert [(each["rule"], each["at"]["line"]) for each in json.loads(ran.out)["findings"]] == [("DRA502", line)]


@pytest.mark.parametrize(
    "fields",
    [
        "cpuManagerPolicy: static\nreservedSystemCPUs: 0,64-67",
        ONE_GIB,
        f"evictionHard: {{memory.available: 5%}}\n{ONE_GIB}",
        f"systemReserved: {{memory: 924Mi}}\n{ONE_GIB}",
    ],
)
def test_a_file_may_be_one_of_several(fields: str) -> None:
    text = f"apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n{fields}\n"
    assert dractl("lint", "-", stdin=text.encode()).out == "No findings.\n"


def told(fields: str, *more: str) -> list[tuple[str, int, str]]:
    """Rule, line and remedy of everything that lint finds in a configuration, whatever machine it is for."""
    text = together(f"apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n{fields}\n", *more)
    results = json.loads(dractl("lint", "-", "-o", "json", stdin=text.encode()).out)["findings"]
    return [(each["rule"], each["at"]["line"], each.get("remedy") or "") for each in results]


def test_all_that_is_wrong_is_told_each_at_its_line() -> None:
    """The scope is not looked at without a policy, but wrong all the same."""
    assert told("cpuManagerPolicy: statics\ntopologyManagerScope: pods\nmemoryManagerPolicy: static") == [
        ("DRA502", 3, "did you mean static?"),
        ("DRA505", 4, "did you mean pod?"),
        ("DRA502", 5, "did you mean Static?"),
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("topologyManagerPolicyOptions:\n  prefer-closest-numa-nodes: 'true'\n  max-nodes: '9'", [4, 5]),
        (
            "topologyManagerPolicy: single-numa-node\ntopologyManagerPolicyOptions: {prefer-closest-numa-nodes: 'on'}",
            [4],
        ),
        ("reservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}]", [3]),
        ("topologyManagerScope: container\ntopologyManagerPolicy: none", []),
        ("topologyManagerPolicy: restricted\ntopologyManagerPolicyOptions: {prefer-closest-numa-nodes: 'true'}", []),
    ],
)
def test_what_does_nothing_under_the_policy(fields: str, expected: list[int]) -> None:
    assert [line for rule, line, _ in told(fields) if rule == "DRA505"] == expected


@pytest.mark.parametrize(
    ("fields", "reserves_all"),
    [
        ("reservedSystemCPUs: 0-7", True),
        ("reservedSystemCPUs: 0-6", False),
        ("reservedSystemCPUs: 0-8", False),
        ("kubeReserved: {cpu: '4'}\nsystemReserved: {cpu: 4000m}", True),
        ("kubeReserved: {cpu: 7999m}", False),
    ],
)
def test_cpus_are_counted_by_the_node_where_no_dump_is_given(fields: str, reserves_all: bool) -> None:
    node = NODE.replace("status: {", "status: {capacity: {cpu: 8}, ")
    assert [rule for rule, _, _ in told(fields, node)] == (["DRA506"] if reserves_all else [])
    assert told(fields) == []


def test_a_machine_of_which_little_is_known_does_not_hide_what_is_wrong_anywhere() -> None:
    without_memory = Machine(tuple(replace(node, memory=None) for node in TWO_NODES.nodes))
    written = replace(STATIC, memoryManagerPolicy="Static", topologyManagerPolicy="single")
    assert "unknown policy" in messages(NODE, known(written, without_memory))["DRA502"]


def test_a_gate_that_is_a_slip_of_the_pen() -> None:
    assert told("featureGates: {CPUManagerPolicyAlphaOption: true}") == [
        ("DRA502", 3, "did you mean CPUManagerPolicyAlphaOptions?")
    ]
    assert told("featureGates: {SomeOtherGate: true, CPUManagerPolicyGammaOptions: true}") == []


@pytest.mark.parametrize("fields", ["cpuManagerPolicy: static", "memoryManagerPolicy: Static"])
def test_a_reservation_that_must_be_elsewhere(fields: str) -> None:
    assert [(rule, line) for rule, line, _ in told(fields)] == [("DRA507", 3)]


def test_a_configuration_is_looked_at_once_for_all_its_nodes() -> None:
    text, bad, _ = CASES["DRA502"]
    both = {"n1": bad["n1"], "n2": bad["n1"]}
    said = messages(text, both)
    assert list(said) == ["DRA502"]
    assert said["DRA502"].startswith("the kubelets of n1 and n2 do not start: ")


_SET_ASIDE = "memoryManagerPolicy: Static\nkubeReserved: {memory: 1Gi}"


def test_a_file_that_says_how_much_is_to_be_reserved_is_judged_once() -> None:
    assert [(rule, line) for rule, line, _ in told(_SET_ASIDE)] == [("DRA502", 3)]


@pytest.mark.parametrize("entry", ["memory.avail", "memory.avialable", "memory.availabel"])
def test_the_misspelt_entry_that_makes_a_reservation_wrong(entry: str) -> None:
    reserved = "reservedMemory: [{numaNode: 0, limits: {memory: 1324Mi}}]"
    evicts = "evictionHard:\n  nodefs.available: 10%\n  memory.available: 300Mi"
    assert told(f"{_SET_ASIDE}\n{reserved}\n{evicts}") == []
    assert told(f"{_SET_ASIDE}\n{reserved}\n{evicts}".replace("memory.available", entry)) == [
        ("DRA502", 8, "did you mean memory.available?")
    ]
