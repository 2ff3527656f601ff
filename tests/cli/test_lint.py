# FEATURE: C3, C2
"""`dractl lint`: one list of everything that is wrong, and what comes of it."""

import json
from pathlib import Path

import jsonschema
import pytest

from dractl.observe.lint import RULES
from tests.cli.running import QUICKSTART, ROOT, Ran, dractl

SCHEMA = json.loads((ROOT / "dractl/report/schema/lint-v1.json").read_text(encoding="utf-8"))
CASES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "fixtures/cases").glob("*.yaml"))
BROKEN = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - name: r
      exactly: {deviceClassName: gpu, cuont: 2, tolerations: [{}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  nodeName: n1
  containers: [{name: c, image: i, resources: {claims: [{name: d}]}}]
  resourceClaims: [{name: d, resourceClaimName: c}]
---
a: [
"""


def lint(text: str, *options: str) -> Ran:
    return dractl("lint", "-", *options, stdin=text.encode())


def rules(ran: Ran) -> list[tuple[str, int]]:
    findings = json.loads(ran.out)["findings"]
    return [(finding["rule"], finding["at"]["line"] if finding["at"] else 0) for finding in findings]


@pytest.mark.parametrize(
    ("case", "says", "line"),
    [
        ("06-pool-count-disagrees", "disagree about resourceSliceCount (slice-a says 1, slice-b says 2)", 37),
        ("08-slice-count-zero", "spec.pool.resourceSliceCount: must be greater than 0", 39),
        ("11-empty-taint-selector", "the empty selector matches every device of the cluster (3 devices", 203),
        ("24-dra-cpu-with-static-policy", "cpuManagerPolicy static beside driver dra.cpu on n1", 21),
    ],
)
def test_what_the_headers_of_the_cases_ask_for(case: str, says: str, line: int) -> None:
    path = f"fixtures/cases/{case}.yaml"
    ran = dractl("lint", path)
    assert (ran.code, ran.err) == (1, "")
    assert says in ran.out
    assert ran.out.startswith(f"error: {path}:{line}: ")
    assert ran.out.splitlines()[-1].startswith("1 error")


@pytest.mark.parametrize("path", [QUICKSTART, *CASES])
def test_json_follows_its_schema(path: str) -> None:
    jsonschema.validate(json.loads(dractl("lint", path, "-o", "json").out), SCHEMA)


def test_mistakes_do_not_end_the_run() -> None:
    """An unknown field, broken YAML and what rules find, each at its line; exit code 2 for the first two."""
    ran = lint(BROKEN, "-o", "json")
    assert ran.code == 2
    assert [each for each in rules(ran) if each[0] != "workloads/assumed-nodes"] == [
        ("reading/unreadable", 8),
        ("DRA117", 8),
        ("DRA206", 14),
        ("reading/unreadable", 19),
    ]


def test_what_would_be_refused_is_told_once() -> None:
    text = BROKEN.split("---\n")[0].replace("cuont: 2, tolerations: [{}]", "count: -1")
    ran = lint(text, "-o", "json")
    assert ran.code == 2
    assert [rule for rule, _ in rules(ran)] == ["validation/refused"]


def test_nothing_is_wrong() -> None:
    ran = lint("apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\n")
    assert (ran.code, ran.out, ran.err) == (0, "No findings.\n", "")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 0),
        (["--fail-on", "warning"], 1),
        (["--fail-on", "info"], 1),
        (["--fail-on", "never"], 0),
        (["--fail-on", "warning", "--exit-zero"], 0),
    ],
)
def test_the_exit_code_follows_the_severity(options: list[str], code: int) -> None:
    """The quickstart has one warning: a claim that matches no device."""
    assert dractl("lint", QUICKSTART, *options).code == code


def test_charts_and_other_peoples_files_are_passed_by(tmp_path: Path) -> None:
    """What lies in a repository beside manifests, and what Helm has to render first."""
    chart = tmp_path / "chart"
    (chart / "templates" / "gpu").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: a\nversion: 0.1.0\n")
    (chart / "values-prod.yaml").write_text("kind: DaemonSet\n")
    (chart / "templates" / "gpu" / "a.yaml").write_text("metadata:\n  name: {{ .Release.Name }}\n")
    (chart / "templates" / "plain.yaml").write_text(BROKEN.split("---")[0])
    (tmp_path / "package.json").write_text('{"name": "a", "version": "1"}')
    ran = dractl("lint", "-R", str(tmp_path))
    assert "chart/templates/plain.yaml:8: " in ran.out
    assert ran.out.endswith("; 2 documents that are no objects and 2 files for Helm or kustomize skipped.\n")
    (chart / "templates" / "plain.yaml").unlink()
    ran = dractl("lint", "-R", str(tmp_path))
    said = "No findings; 2 documents that are no objects and 2 files for Helm or kustomize skipped.\n"
    assert (ran.code, ran.out) == (0, said)
    assert dractl("plan", "-R", str(tmp_path)).code == 2
    (chart / "Chart.yaml").unlink()
    assert dractl("lint", "-R", str(tmp_path)).code == 2


def test_patches_of_kustomizations_are_no_objects(tmp_path: Path) -> None:
    base, overlay = tmp_path / "base", tmp_path / "overlays" / "prod"
    base.mkdir()
    overlay.mkdir(parents=True)
    (base / "kustomization.yaml").write_text("resources: [claim.yaml]\n")
    (base / "claim.yaml").write_text(BROKEN.split("---")[0].replace("cuont: 2, tolerations: [{}]", "count: 2"))
    (overlay / "kustomization.yaml").write_text(
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../../base]\n"
        "patches: [{path: claim.yaml}, {path: list.yaml, target: {kind: Pod}}, {patch: 'a: b\n'}]\n"
    )
    (overlay / "claim.yaml").write_text("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\n")
    (overlay / "list.yaml").write_text("[{op: remove, path: /spec}]\n")
    (tmp_path / ".settings.yaml").write_text("kind: 1\n")
    ran = dractl("lint", "-R", str(tmp_path))
    skipped = "1 Kustomization, 1 document that is no object, 2 files for Helm or kustomize and 1 other file skipped"
    assert (ran.code, ran.out) == (0, f"No findings; {skipped}.\n")
    assert dractl("lint", str(overlay / "claim.yaml")).out == "No findings; 1 file for Helm or kustomize skipped.\n"


def test_examples_may_have_the_same_names(tmp_path: Path) -> None:
    """Both are looked at; a plan needs to know which of the two there is."""
    for number in (1, 2):
        text = BROKEN.split("---")[0].replace("cuont: 2, tolerations: [{}]", f"count: -{number}")
        (tmp_path / f"{number}.yaml").write_text(text)
    ran = dractl("lint", str(tmp_path), "-o", "json")
    assert [rule for rule, _ in rules(ran)] == ["validation/refused", "reading/same-name", "validation/refused"]
    (tmp_path / "1.yaml").write_text(text.replace("-2", "1"))
    (tmp_path / "2.yaml").write_text(text.replace("-2", "2"))
    assert dractl("lint", str(tmp_path)).code == 0
    assert "another object of this name stands at" in dractl("plan", str(tmp_path)).err


def test_bad_input_stays_bad_input() -> None:
    assert lint(BROKEN, "--exit-zero").code == 2
    ran = dractl("lint", "nowhere.yaml")
    assert (ran.code, ran.out) == (2, "")


def test_findings_come_file_by_file_and_line_by_line(tmp_path: Path) -> None:
    second, first = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text(BROKEN.split("---\n")[0].replace("cuont: 2, ", ""))
    second.write_text(BROKEN.split("---\n")[1])
    found = json.loads(dractl("lint", str(first), str(second), "-o", "json").out)["findings"]
    assert [(Path(each["at"]["file"]).name, each["rule"]) for each in found] == [
        ("b.yaml", "DRA117"),
        ("a.yaml", "DRA206"),
    ]


NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n---\n"
WORKLOADS = """apiVersion: apps/v1
kind: DaemonSet
metadata: {name: driver}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      nodeSelector: {gpu: present}
      containers: [{name: c, image: i}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec:
  completions: 3
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i}]
"""


def test_what_a_plan_does_not_look_at_is_no_finding() -> None:
    """A cluster has RuntimeClasses and volumes that manifests only name."""
    pod = """apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  runtimeClassName: nvidia
  containers: [{name: c, image: i}]
  volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
"""
    scheduler = """---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {score: {enabled: [{name: OwnPlugin}]}}}]
"""
    assert lint(NODE + pod + scheduler).out == "No findings.\n"
    planned = dractl("plan", "-", stdin=(NODE + pod + scheduler).encode())
    assert planned.out.count("(scheduler/ignored)") == 3


def test_what_a_plan_makes_of_workloads_is_no_finding() -> None:
    """But a DaemonSet that no node of the input takes may be a mistake."""
    assert lint(WORKLOADS).out == "No findings.\n"
    assert rules(lint(NODE + WORKLOADS, "-o", "json")) == [("workloads/no-node", 11)]


def test_a_workload_that_no_node_takes_is_told_once() -> None:
    labelled = NODE.replace("{name: n1}", "{name: n1, labels: {gpu: presents}}")
    assert rules(lint(labelled + WORKLOADS, "-o", "json")) == [("DRA210", 13)]


def test_nodes_are_not_called_assumed_where_one_could_not_be_read() -> None:
    node = NODE.replace("{name: n1}", "{name: n2, labels: {zone: 1}}")
    text = NODE + node + BROKEN.split("---\n")[1].replace("nodeName: n1", "nodeName: n2")
    assert [rule for rule, _ in rules(lint(text, "-o", "json"))] == ["reading/unreadable"]


def test_the_rules_and_their_pages() -> None:
    ran = dractl("lint", "--rules")
    assert (ran.code, ran.err) == (0, "")
    assert all(f"{rule.id}  " in ran.out for rule in RULES)
    assert "containers/…" in ran.out
    page = dractl("lint", "--rule", "dra103")
    assert page.out.startswith("DRA103 selector-raises (error)\n\nA selector ends with an error on some devices.\n\n")
    assert dractl("lint", "--rule", "selector-raises").out == page.out
    assert dractl("lint", "--rule", "reading/not-served").out.startswith("reading/not-served\n\n")
    assert dractl("lint", "--rule", "DRA000").code == 2


def test_every_rule_that_is_documented_elsewhere_exists() -> None:
    text = (ROOT / "man/dractl-lint.1").read_text() + (ROOT / "man/dractl.1").read_text()
    named = {
        word.strip(",.)(")
        for word in text.split()
        if word.strip(",.)(").startswith("DRA") and word.strip(",.)(")[3:].isdigit()
    }
    assert named <= {rule.id for rule in RULES}


@pytest.mark.parametrize(
    ("ids", "request_", "rule"),
    [
        ("validation/refused", "{deviceClassName: gpu, count: -1}", "validation/refused"),
        ("Reading/Unreadable", "{deviceClassName: gpu, counts: 1}", "reading/unreadable"),
    ],
)
def test_bad_input_cannot_be_suppressed(ids: str, request_: str, rule: str) -> None:
    text = f"""apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: c, annotations: {{dractl.dev/ignore: "{ids}"}}}}
spec: {{devices: {{requests: [{{name: r, exactly: {request_}}}]}}}}
"""
    ran = lint(text, "-o", "json")
    assert ran.code == 2
    assert rules(ran) == [("DRA901", 3), (rule, 4)]
    answer = json.loads(ran.out)
    assert answer["suppressed"] == 0
    assert answer["findings"][0]["message"] == f"{ids} cannot be suppressed: it makes the input bad"


def test_kubelet_configurations_of_several_pools_of_nodes(tmp_path: Path) -> None:
    """Each is looked at by itself, in one file or in two; a plan has to know whose each is."""
    kubelet = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
    gpus, others = (
        kubelet + 'cpuManagerPolicy: statics\nreservedSystemCPUs: "0"\n',
        kubelet + "cpuManagerPolicy: nome\n",
    )
    both = tmp_path / "kubelets.yaml"
    both.write_text(f"{gpus}---\n{others}")
    ran = dractl("lint", str(both), "-o", "json")
    found = json.loads(ran.out)["findings"]
    assert [(each["rule"], each["at"]["line"]) for each in found] == [("DRA502", 3), ("DRA502", 8)]
    (tmp_path / "gpus.yaml").write_text(gpus.replace("statics", "static"))
    (tmp_path / "others.yaml").write_text(others.replace("nome", "none"))
    both.unlink()
    assert dractl("lint", str(tmp_path)).out == "No findings.\n"
    ran = dractl("plan", str(tmp_path))
    assert ran.code == 2
    assert f"error: {tmp_path}/others.yaml:1:1: KubeletConfiguration: a second kubelet configuration" in ran.err
    assert f"differs from that at {tmp_path}/gpus.yaml:1" in ran.err
    assert "--kubelet-config NODE=FILE" in ran.err
