# FEATURE: C3
"""Rules that look at kubelets and machines."""

import json
from collections.abc import Mapping

import pytest

from dractl.cluster.node_machine import NodeMachine
from dractl.manifests import Source, survey
from dractl.planner.admission import admit
from dractl.planner.linting import lint
from dractl.planner.settings import Settings
from tests.cli.running import dractl
from tests.observe.lint.kubelets import CASES, CLASHING, known
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


def test_options_that_exclude_each_other_need_no_machine() -> None:
    found = messages(NODE, known(CLASHING, None))
    assert "full-pcpus-only and distribute-cpus-across-cores can not be used at the same time" in found["DRA502"]


ONE_GIB = "memoryManagerPolicy: Static\nreservedMemory: [{numaNode: 1, limits: {memory: 1Gi}}]"


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ("cpuManagerPolicy: statick", 3),
        ("cpuManagerPolicy: static\nmemoryManagerPolicy: static", 4),
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
        "cpuManagerPolicy: static",
        "cpuManagerPolicy: static\nreservedSystemCPUs: 0,64-67",
        ONE_GIB,
        f"evictionHard: {{memory.available: 5%}}\n{ONE_GIB}",
        f"systemReserved: {{memory: 924Mi}}\n{ONE_GIB}",
    ],
)
def test_a_file_may_be_one_of_several(fields: str) -> None:
    text = f"apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n{fields}\n"
    assert dractl("lint", "-", stdin=text.encode()).out == "No findings.\n"


def test_a_configuration_is_looked_at_once_for_all_its_nodes() -> None:
    text, bad, _ = CASES["DRA502"]
    both = {"n1": bad["n1"], "n2": bad["n1"]}
    assert list(messages(text, both)) == ["DRA502"]
