# FEATURE: A3
import pytest

from dractl.finding import Severity
from tests.workloads.world import expanded, pod, rules

CLASSES = """
---
{kind: PriorityClass, metadata: {name: high}, value: 1000, preemptionPolicy: Never}
---
{kind: PriorityClass, metadata: {name: low}, value: -5}
"""
DEFAULTS = """
---
{kind: PriorityClass, metadata: {name: usual}, value: 10, globalDefault: true}
---
{kind: PriorityClass, metadata: {name: usual-too}, value: 7, globalDefault: true}
"""


@pytest.mark.parametrize(
    ("spec", "more", "priority"),
    [
        ("priorityClassName: high", "", 1000),
        ("priorityClassName: low", DEFAULTS, -5),
        ("priorityClassName: system-cluster-critical", "", 2_000_000_000),
        ("priorityClassName: system-node-critical", "", 2_000_001_000),
        ("", "", None),
        ("", DEFAULTS, 7),
        ("priority: 3, priorityClassName: high", "", 3),
        ("priorityClassName: unknown", DEFAULTS, None),
    ],
)
def test_where_a_priority_comes_from(spec: str, more: str, priority: int | None) -> None:
    result = expanded(f"kind: Pod\nmetadata: {{name: p}}\nspec: {{{spec}}}\n" + CLASSES + more)
    assert pod(result, "p").object.spec.priority == priority


def test_the_class_gives_its_name_and_its_preemption_policy() -> None:
    result = expanded("kind: Pod\nmetadata: {name: p}\nspec: {priorityClassName: high}\n" + CLASSES)
    assert pod(result, "p").object.spec.preemptionPolicy == "Never"
    result = expanded("kind: Pod\nmetadata: {name: p}\n" + DEFAULTS)
    assert pod(result, "p").object.spec.priorityClassName == "usual-too"


def test_an_unknown_class_is_one_warning_with_the_number_of_pods() -> None:
    spec = "spec: {replicas: 2, template: {spec: {priorityClassName: gone}}}"
    other = "---\nkind: Pod\nmetadata: {name: p, uid: u}\nspec: {priorityClassName: gone}"
    result = expanded(f"kind: Deployment\nmetadata: {{name: d}}\n{spec}\n{other}")
    (finding,) = result.findings
    assert finding.rule == "workloads/unknown-priority-class"
    assert finding.severity is Severity.WARNING
    assert finding.message == "PriorityClass gone is not in the input: the priority of 3 pods is taken as 0"
    assert finding.subject == "Deployment ml/d"
    assert finding.place is not None
    assert finding.place.path == ("spec", "template", "spec", "priorityClassName")
    assert finding.remedy == "add PriorityClass gone to the input"


def test_what_an_unknown_class_may_mean_is_said() -> None:
    spec = "kind: Pod\nmetadata: {name: p}\nspec: {priorityClassName: %s}\n"
    remedies = [expanded(spec % name + CLASSES).findings[0].remedy for name in ("hihg", "system-node-critcal")]
    assert remedies == ["did you mean high?", "did you mean system-node-critical?"]


def test_pods_of_other_schedulers_are_named_once_for_each_workload() -> None:
    spec = "spec: {replicas: 2, template: {spec: {schedulerName: volcano}}}"
    running = "---\nkind: Pod\nmetadata: {name: p}\nspec: {schedulerName: volcano, nodeName: n}"
    result = expanded(
        f"kind: Deployment\nmetadata: {{name: d}}\n{spec}\n{running}\n---\nkind: Node\nmetadata: {{name: n}}"
    )
    assert rules(result) == ["other-scheduler"]
    assert result.findings[0].subject == "Deployment ml/d"
