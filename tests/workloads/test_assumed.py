# FEATURE: A3
import pytest

from dractl.api.core import Node
from dractl.finding import Severity
from dractl.workloads import Expansion
from tests.workloads.world import expanded


def nodes(result: Expansion) -> list[str]:
    return [node.ref.name for node in result.objects.of(Node)]


ALLOCATED = """
kind: ResourceClaim
metadata: {name: c}
status:
  allocation:
    nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{kind: ResourceSlice, metadata: {name: s}, spec: {nodeName: n1}}", ["n1"]),
        (
            "{kind: ResourceSlice, metadata: {name: s}, spec: {devices: [{name: d, nodeName: n2}, {nodeName: n1}]}}",
            ["n2", "n1"],
        ),
        ("{kind: ResourceSlice, metadata: {name: s}, spec: {allNodes: true}}", []),
        ("{kind: Job, metadata: {name: j}, spec: {template: {spec: {nodeName: n1}}}}", ["n1"]),
        (
            "{kind: CronJob, metadata: {name: j}, spec: {jobTemplate: {spec: {template: {spec: {nodeName: n1}}}}}}",
            ["n1"],
        ),
        (ALLOCATED, ["n1"]),
        ("{kind: Pod, metadata: {name: p}, spec: {nodeName: n1}}", ["n1"]),
        ("{kind: Pod, metadata: {name: p}, spec: {nodeName: n1}, status: {phase: Failed}}", []),
        ("{kind: Pod, metadata: {name: p}, spec: {nodeName: n1}}\n---\n{kind: Node, metadata: {name: n1}}", ["n1"]),
    ],
)
def test_which_nodes_there_are(text: str, names: list[str]) -> None:
    assert nodes(expanded(text)) == names


def test_an_assumed_node_has_a_hostname_and_says_what_it_was_assumed_for() -> None:
    (node,) = expanded("{kind: ResourceSlice, metadata: {name: s}, spec: {nodeName: n1}}").objects.of(Node)
    assert node.metadata.labels == {"kubernetes.io/hostname": "n1"}
    assert node.object.status.allocatable is None
    assert str(node.made_by) == "ResourceSlice s"
    assert node.place.path == ("spec", "nodeName")


def many(count: int) -> str:
    documents = [f"{{kind: ResourceSlice, metadata: {{name: s{n}}}, spec: {{nodeName: n{n}}}}}" for n in range(count)]
    return "\n---\n".join(documents)


def test_assumed_nodes_are_said_once() -> None:
    (finding,) = expanded(many(7)).findings
    assert finding.severity is Severity.INFO
    assert "n0, n1, n2, n3, n4 and 2 more" in finding.message


def test_beside_described_nodes_it_is_a_warning() -> None:
    (finding,) = expanded(many(1) + "\n---\n{kind: Node, metadata: {name: other}}").findings
    assert finding.severity is Severity.WARNING
