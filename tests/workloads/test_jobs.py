# FEATURE: A3
import pytest

from dractl.api.workload import Job
from dractl.workloads.job import INDEX_KEY, gaps_between, index_ranges
from tests.workloads.world import expanded, pod, pods, rules


def job(spec: str = "", status: str = "", name: str = "train") -> str:
    return f"kind: Job\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\nstatus: {{{status}}}\n"


def worker(name: str, phase: str = "Running", index: int | None = None, more: str = "") -> str:
    mark = "" if index is None else f'annotations: {{{INDEX_KEY}: "{index}"}}'
    return f"""
---
kind: Pod
metadata:
  name: {name}
  {mark}
  {more}
  ownerReferences: [{{apiVersion: batch/v1, kind: Job, name: train, controller: true}}]
status: {{phase: {phase}}}
"""


@pytest.mark.parametrize(
    ("spec", "status", "now", "later"),
    [
        ("", "", 1, 0),
        ("completions: 3", "", 1, 2),
        ("parallelism: 3", "", 3, 0),
        ("parallelism: 3", "succeeded: 1", 0, 0),
        ("parallelism: 0, completions: 2", "", 0, 2),
        ("parallelism: 4, completions: 10", "", 4, 6),
        ("parallelism: 4, completions: 10", "succeeded: 7", 3, 0),
        ("parallelism: 4, completions: 3", "", 3, 0),
        ("parallelism: 4, completions: 10", "succeeded: 12", 0, 0),
        ("", "conditions: [{type: Complete, status: 'True'}]", 0, 0),
        ("", "conditions: [{type: Failed, status: 'True'}]", 0, 0),
        ("", "conditions: [{type: Complete, status: 'False'}]", 1, 0),
    ],
)
def test_how_many_pods_run_now_and_how_many_follow(spec: str, status: str, now: int, later: int) -> None:
    result = expanded(job(spec, status))
    assert pods(result) == [f"train-{index}" for index in range(now)]
    assert [finding.message.split()[0] for finding in result.findings] == ([str(later)] if later else [])


def test_pods_bear_the_labels_of_their_job() -> None:
    made = pod(expanded(job()), "train-0")
    labels = made.metadata.labels or {}
    assert labels["job-name"] == labels["batch.kubernetes.io/job-name"] == "train"
    assert made.metadata.controller is not None
    assert labels["controller-uid"] == labels["batch.kubernetes.io/controller-uid"] == made.metadata.controller.uid


@pytest.mark.parametrize(
    ("existing", "new"),
    [
        (worker("w1"), 3),
        (worker("w1", "Failed"), 4),
        (worker("w1", "Succeeded"), 4),
        (worker("w1") + worker("w2") + worker("w3") + worker("w4") + worker("w5"), 0),
    ],
)
def test_running_pods_count(existing: str, new: int) -> None:
    result = expanded(job("parallelism: 4, completions: 10") + existing)
    assert len([name for name in pods(result) if name.startswith("train-")]) == new


@pytest.mark.parametrize(("policy", "new"), [("TerminatingOrFailed", 1), ("Failed", 0)])
def test_whether_terminating_pods_are_replaced_at_once(policy: str, new: int) -> None:
    existing = worker("w1", more='deletionTimestamp: "2026-01-01T00:00:00Z"')
    assert len(pods(expanded(job(f"podReplacementPolicy: {policy}") + existing))) == 1 + new


@pytest.mark.parametrize(
    ("status", "existing", "made"),
    [
        ("", "", ["train-0-0", "train-1-0"]),
        ("completedIndexes: '0,2'", "", ["train-1-0", "train-3-0"]),
        ("completedIndexes: 0-2", "", ["train-3-0", "train-4-0"]),
        ("completedIndexes: '0', failedIndexes: '1'", "", ["train-2-0", "train-3-0"]),
        ("", worker("w", index=0), ["train-1-0"]),
        ("", worker("w", "Failed", index=0), ["train-0-0", "train-1-0"]),
        ("", worker("w", "Succeeded", index=1), ["train-0-0", "train-2-0"]),
        ("completedIndexes: 0-4", "", []),
    ],
)
def test_indexed_jobs_take_the_lowest_open_indexes(status: str, existing: str, made: list[str]) -> None:
    result = expanded(job("completionMode: Indexed, parallelism: 2, completions: 5", status) + existing)
    assert [name for name in pods(result) if name != "w"] == made


def test_an_indexed_pod_knows_its_index() -> None:
    made = pod(expanded(job("completionMode: Indexed, completions: 1")), "train-0-0")
    assert made.object.spec.hostname == "train-0"
    assert (made.metadata.labels or {})[INDEX_KEY] == "0"
    assert made.metadata.annotations == {INDEX_KEY: "0"}


def test_a_huge_indexed_job_is_not_counted_through() -> None:
    result = expanded(job("completionMode: Indexed, completions: 2000000000", "completedIndexes: 1-1999999997"))
    assert pods(result) == ["train-0-0"]
    assert result.findings[0].message.startswith("2 further pods")


@pytest.mark.parametrize(
    ("text", "open_ones"),
    [
        ("", [0, 1, 2, 3, 4]),
        ("1,3-5,7", [0, 2]),
        ("0-9", []),
        ("3-8", [0, 1, 2]),
        ("2,2,1-2", [0, 3, 4]),
        ("x,1-y,2", [0, 1, 3, 4]),
        ("7-9", [0, 1, 2, 3, 4]),
    ],
)
def test_what_a_list_of_indexes_leaves_open(text: str, open_ones: list[int]) -> None:
    assert [index for gap in gaps_between(index_ranges(text), 5) for index in gap] == open_ones


@pytest.mark.parametrize(
    ("spec", "rule"), [("suspend: true", "suspended"), ("managedBy: kueue.x-k8s.io/multikueue", "managed-elsewhere")]
)
def test_jobs_that_make_no_pods_are_named(spec: str, rule: str) -> None:
    result = expanded(job(spec))
    assert pods(result) == []
    assert rules(result) == [rule]


CRON_JOB = """
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    metadata: {labels: {a: b}}
    spec: {parallelism: 2, template: {spec: {containers: [{name: c}]}}}
"""


def test_a_cron_job_is_planned_as_its_next_run() -> None:
    result = expanded(CRON_JOB)
    (run,) = result.objects.of(Job)
    assert (run.ref.name, run.metadata.labels) == ("nightly-0", {"a": "b"})
    assert pods(result) == ["nightly-0-0", "nightly-0-1"]
    assert pod(result, "nightly-0-0").place.path == ("spec", "jobTemplate", "spec", "template")
    assert rules(result) == ["next-run"]


def test_a_suspended_cron_job_makes_nothing() -> None:
    result = expanded(CRON_JOB.replace("schedule", "suspend: true\n  schedule"))
    assert (pods(result), rules(result)) == ([], ["suspended"])


@pytest.mark.parametrize(("status", "runs"), [("", 1), ("conditions: [{type: Complete, status: 'True'}]", 2)])
def test_a_run_that_goes_on_is_the_run(status: str, runs: int) -> None:
    current = f"""
---
kind: Job
metadata:
  name: nightly-0
  ownerReferences: [{{apiVersion: batch/v1, kind: CronJob, name: nightly, controller: true}}]
status: {{{status}}}
"""
    assert len(expanded(CRON_JOB + current).objects.of(Job)) == runs


def test_generated_names_get_the_smallest_free_index() -> None:
    text = "kind: Job\nmetadata: {generateName: run-}\n---\nkind: Job\nmetadata: {generateName: run-}\n---\n"
    result = expanded(text + "{kind: Job, metadata: {name: run-0}}")
    assert [each.ref.name for each in result.objects.of(Job)] == ["run-1", "run-2", "run-0"]
    assert pods(result) == ["run-1-0", "run-2-0", "run-0-0"]
