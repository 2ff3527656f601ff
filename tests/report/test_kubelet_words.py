# FEATURE: C1, K2
"""What is said to follow when a kubelet refuses a pod."""

import pytest

from dractl.api.core import Pod
from dractl.manifests import Source, survey
from dractl.report.kubelet_words import refusal_sentences
from dractl.solution.node_share import KubeletRefusal
from dractl.workloads.expand import expand

JOB = """apiVersion: batch/v1
kind: Job
metadata: {{name: j}}
spec:
  {spec}
  template: {{spec: {{restartPolicy: Never, containers: [{{name: c, image: i}}]}}}}
{status}
"""


def what_follows(text: str) -> str:
    objects = expand(survey([Source("world.yaml", text.encode())]).objects).objects
    pod = objects.of(Pod)[0].object
    *_, last = refusal_sentences(pod, KubeletRefusal("n1", "OutOfcpu", "too little"), objects)
    return last.removeprefix("the pod has failed then, and ")


@pytest.mark.parametrize(
    ("spec", "status", "says"),
    [
        ("backoffLimit: 0", "", "with it Job j, which makes no other one (backoffLimit 0)"),
        ("backoffLimit: 1", "", "Job j makes at most 1 other in all, which may fail too (backoffLimit 1)"),
        ("backoffLimit: 2", "", "Job j makes at most 2 others in all, which may fail too (backoffLimit 2)"),
        ("backoffLimit: 2", "status: {failed: 2}", "with it Job j, which makes no other one (backoffLimit 2)"),
        ("", "", "Job j makes at most 6 others in all, which may fail too (backoffLimit is 6 by default)"),
        (
            "{completionMode: Indexed, completions: 1, backoffLimitPerIndex: 0}",
            "",
            "Job j makes no other of its index (backoffLimitPerIndex 0)",
        ),
    ],
)
def test_a_job_makes_no_more_pods_than_its_limit_allows(spec: str, status: str, says: str) -> None:
    fields = spec.strip("{}").replace(", ", "\n  ")
    assert what_follows(JOB.format(spec=fields, status=status)) == says


def test_other_controllers_never_stop() -> None:
    text = JOB.format(spec="selector: {matchLabels: {a: b}}", status="").replace("batch/v1", "apps/v1")
    text = text.replace("kind: Job", "kind: ReplicaSet").replace("{spec:", "{metadata: {labels: {a: b}}, spec:")
    text = text.replace("restartPolicy: Never, ", "")
    assert what_follows(text) == "ReplicaSet j makes another one, which may fail again and again"


def test_a_pod_of_its_own_is_not_made_anew() -> None:
    text = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n"
    assert what_follows(text) == "nobody makes it anew"
