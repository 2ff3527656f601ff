# FEATURE: O6, D22
"""`dractl taint`: who is evicted, when, why, and where to next."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.running import ROOT, Ran, dractl
from tests.observe.taint_worlds import CLUSTER, CONTROLLED, NOW, bystanders, held, node, pod, rule, slice_of, world

SCHEMA = json.loads((ROOT / "dractl/report/schema/taint-v1.json").read_text(encoding="utf-8"))
CASE = "fixtures/cases/11-empty-taint-selector.yaml"
SECONDS = "[{key: example.com/fw, operator: Exists, effect: NoExecute, tolerationSeconds: 300}]"


def taint(text: str, *options: str) -> Ran:
    return dractl("taint", "-", "--now", NOW, *options, stdin=text.encode())


def report(text: str, *options: str) -> dict[str, Any]:
    ran = taint(text, "-o", "json", *options)
    found: dict[str, Any] = json.loads(ran.out)
    jsonschema.validate(found, SCHEMA, cls=jsonschema.Draft202012Validator)
    return found


def rules_of(found: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in found["findings"]}


def next_of(found: dict[str, Any]) -> dict[str, Any]:
    return {each["name"]: each["next"] for each in found["evictions"]}


def test_the_schema_itself_is_sound() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_pod_goes_to_another_node() -> None:
    ran = taint(world(*CLUSTER, rule()))
    assert ran.code == 0
    assert "fw: EvictionInProgress=True, PodsPendingEviction: 1 pod needs to be evicted in 1 namespace.\n" in ran.out
    [line] = [each for each in ran.out.splitlines() if each.startswith("ml/train-0")]
    assert "at once" in line
    assert "claim c-0: gpu-0 has example.com/fw:NoExecute (rule fw)" in line
    assert line.endswith("node-b: gpu-0")
    assert "1 pod would be evicted (4 run now), in 1 namespace, up to priority 0.\n" in ran.out
    assert "Made anew, the pod would find a lasting place.\n" in ran.out


def test_a_pod_that_finds_no_place_is_explained() -> None:
    ran = taint(world(*CLUSTER, rule(selector="{driver: gpu.example.com}")))
    assert ran.code == 1
    assert "Made anew, the pod would find no lasting place.\n" in ran.out
    assert "ml/train-0 does not fit" in ran.out
    tainted = "have the taint example.com/fw:NoExecute of DeviceTaintRule fw, which the request does not tolerate"
    assert tainted in ran.out


def test_where_the_scheduler_comes_back_to_the_same_taint() -> None:
    """tolerationSeconds satisfy the scheduler for ever, and protect from eviction for a while."""
    documents = (*CLUSTER[:5], held("c", "p", "gpu-1", tolerations=SECONDS), pod("p", "c", more=CONTROLLED))
    ran = taint(world(*documents, *bystanders(3), rule()))
    assert ran.code == 1
    assert "in 5m (2026-01-31T12:05:00Z)" in ran.out
    assert "tolerated until 2026-01-31T12:05:00Z" in ran.out
    assert "back to node-a: gpu-0, and evicted again at once" in ran.out
    found = report(world(*documents, *bystanders(3), rule()))
    assert next_of(found)["p"]["evictedAgainAt"] == "2026-01-31T12:05:00Z"


def test_a_taint_whose_time_lies_ahead_is_not_called_tolerated() -> None:
    documents = (*CLUSTER[:5], held("c", "p", "gpu-1"), pod("p", "c"), *bystanders(3))
    ran = taint(world(*documents, rule(more=", timeAdded: 2026-01-31T13:00:00Z")))
    assert "has example.com/fw:NoExecute (rule fw), whose timeAdded is 2026-01-31T13:00:00Z" in ran.out
    assert "tolerated until" not in ran.out
    assert "Made anew, the pod would find a lasting place.\n" in ran.out
    assert "ml/p has no controller: once evicted, nobody makes it anew." in ran.out


def test_a_claim_that_a_group_keeps_does_not_change_its_devices() -> None:
    group = "apiVersion: scheduling.k8s.io/v1beta1\nkind: PodGroup\nmetadata: {name: g, namespace: ml, uid: g-uid}\n"
    group += "spec: {schedulingPolicy: {basic: {}}}\n"
    claim = held("c", "p", "gpu-0").replace(
        "{resource: pods, name: p, uid: p-uid}",
        "{apiGroup: scheduling.k8s.io, resource: podgroups, name: g, uid: g-uid}",
    )
    member = pod("p", "c").replace("spec:\n", "spec:\n  schedulingGroup: {podGroupName: g}\n")
    found = report(world(*CLUSTER[:5], group, claim, member, *bystanders(3), rule()))
    place = next_of(found)["p"]
    assert place["node"] == "node-a"
    assert [device["device"] for device in place["devices"]] == ["gpu-0"]
    assert place["evictedAgainAt"] == NOW


def test_pods_that_need_no_place() -> None:
    going = pod("going", "c-1", more=", deletionTimestamp: '2026-01-31T11:59:00Z', deletionGracePeriodSeconds: 60")
    done = pod("done", "c-2", status="phase: Succeeded")
    devices = slice_of("node-a", "[{name: gpu-0}, {name: gpu-1}, {name: gpu-2}]")
    more = (held("c-1", "going", "gpu-1"), held("c-2", "done", "gpu-2"), going, done)
    found = report(world(*CLUSTER[:3], devices, *CLUSTER[4:], *more, rule()))
    flags = {each["name"]: (each["isBeingDeleted"], each["hasFinished"]) for each in found["evictions"]}
    assert flags == {"done": (False, True), "going": (True, False), "train-0": (False, False)}
    assert next_of(found)["done"] is None
    assert next_of(found)["going"] is None
    assert found["rules"][0]["condition"]["message"] == "2 pods need to be evicted in 1 namespace."


def test_extended_resource_claims_are_made_anew() -> None:
    owner = "\n  ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: p-uid, controller: true}]\nspec:"
    special = held("special", "p", "gpu-0").replace("\nspec:", owner, 1)
    asking = """apiVersion: v1
kind: Pod
metadata: {name: p, namespace: ml, uid: p-uid}
spec:
  nodeName: node-a
  containers: [{name: c, image: i, resources: {requests: {example.com/gpu: "1"}, limits: {example.com/gpu: "1"}}}]
status:
  phase: Running
  extendedResourceClaimStatus:
    resourceClaimName: special
    requestMappings: [{containerName: c, resourceName: example.com/gpu, requestName: container-0-request-0}]
"""
    device_class = CLUSTER[2].replace("spec: {", "spec: {extendedResourceName: example.com/gpu, ")
    text = world(*CLUSTER[:2], device_class, *CLUSTER[3:5], special, asking, *bystanders(2), rule())
    found = report(text)
    assert next_of(found)["p"]["outcome"] == "placed"
    assert next_of(found)["p"]["node"] == "node-b"


# --- effects and findings --------------------------------------------------------------------------------------------


def test_no_schedule_evicts_nobody() -> None:
    ran = taint(world(*CLUSTER, rule("NoSchedule")))
    assert ran.code == 0
    assert "OtherEffect: Eviction only happens for the NoExecute effect." in ran.out
    assert "No pod would be evicted.\n" in ran.out


def test_effect_none_only_looks() -> None:
    ran = taint(world(*CLUSTER, rule("None")))
    assert ran.code == 0
    assert "1 pod would be evicted in 1 namespace if the effect was NoExecute." in ran.out
    assert "no (effect None)" in ran.out
    assert "0 pods are evicted: effect None only looks.\n" in ran.out
    assert "With effect NoExecute 1 pod would be evicted (4 run now), in 1 namespace, up to priority 0." in ran.out
    assert "node-b: gpu-0" in ran.out


def test_a_rule_that_only_looks_keeps_nobody_away() -> None:
    """Where a pod that really is evicted goes next does not depend on a dry run; where another one would go does."""
    ran = taint(world(*CLUSTER, rule(), rule("None", "{pool: node-b}", name="dry")))
    assert ran.code == 0
    [line] = [each for each in ran.out.splitlines() if each.startswith("ml/train-0")]
    assert line.endswith("node-b: gpu-0")
    both = (*CLUSTER, held("c-1", "p", "gpu-1", node="node-b"), pod("p", "c-1", node="node-b"))
    found = next_of(report(world(*both, rule(), rule("None", "{pool: node-b}", name="dry"))))
    assert found["train-0"]["node"] == "node-b"
    assert found["p"]["outcome"] == "does not fit"


def test_pods_that_have_finished_are_deleted_and_do_not_run() -> None:
    ended = [pod(f"done-{each}", "c-0", status="phase: Succeeded") for each in range(3)]
    reserved = "".join(f", {{resource: pods, name: done-{each}, uid: done-{each}-uid}}" for each in range(3))
    documents = [each.replace("uid: train-0-uid}]", f"uid: train-0-uid}}{reserved}]") for each in CLUSTER]
    ran = taint(world(*documents, *ended, rule()))
    assert "4 pods would be evicted (4 run now), 3 of which have finished, in 1 namespace" in ran.out
    assert "taints/evicts-most" not in ran.out


def test_what_the_scheduler_leaves_open_is_not_called_certain() -> None:
    """Both nodes have the same score, and from one of them the pod would be evicted again."""
    documents = (*CLUSTER[:5], held("c", "p", "gpu-1", tolerations=SECONDS), pod("p", "c", more=CONTROLLED))
    ran = taint(world(*documents, rule()))
    assert ran.code == 3
    assert "back to node-a: gpu-0*, and evicted again at once" in ran.out
    assert "* not certain, node-a, node-b have the same score" in ran.out
    assert "Made anew, the pod may find a lasting place.\n" in ran.out
    assert "\\* not certain" in taint(world(*documents, rule()), "-o", "markdown").out


def test_a_place_that_may_be_lost_again_is_not_called_certain() -> None:
    """The scheduler may take either node, and only one of them lasts."""
    documents = (*CLUSTER[:5], held("c", "p", "gpu-1", tolerations=SECONDS, node="node-b"))
    ran = taint(world(*documents, pod("p", "c", more=CONTROLLED, node="node-b"), rule(selector="{pool: node-b}")))
    assert ran.code == 3
    assert "Made anew, the pod may find a lasting place.\n" in ran.out


def test_a_namespace_hides_what_is_said_of_pods_too() -> None:
    documents = (*CLUSTER[:5], held("c", "p", "gpu-1"), pod("p", "c"), rule())
    assert "ml/p has no controller" in taint(world(*documents)).out
    ran = taint(world(*documents), "-n", "web")
    assert "1 pod of other namespaces is not shown." in ran.out
    assert "ml/p" not in ran.out


def test_what_counts_without_rules() -> None:
    rules, all_taints = "DRADeviceTaintRules=false", "DRADeviceTaintRules=false,DRADeviceTaints=false"
    assert "No rule: only taints that drivers have published count." in taint(world(*CLUSTER)).out
    ran = taint(world(*CLUSTER, rule()), "--feature-gates", rules)
    assert "No rule counts: gate DRADeviceTaintRules is off." in ran.out
    assert "No taint counts: gate DRADeviceTaints is off." in taint(world(*CLUSTER), "--feature-gates", all_taints).out


def test_pods_that_leave_at_different_times() -> None:
    documents = (*CLUSTER, held("c", "p", "gpu-1", tolerations=SECONDS), pod("p", "c"))
    assert "Places are looked for as if all of them left at once.\n" in taint(world(*documents, rule())).out


@pytest.mark.parametrize(
    ("selector", "effect", "expected"),
    [
        ("{}", "NoExecute", {"taints/selects-all"}),
        ("{}", "None", {"taints/selects-all"}),
        ("null", "NoExecute", {"taints/selects-nothing"}),
        ("{pool: node-c}", "NoExecute", {"taints/selects-nothing"}),
        ("{pool: node-b}", "NoExecute", set()),
        ("{pool: node-a}", "NoExecute", set()),
    ],
)
def test_findings_about_rules(selector: str, effect: str, expected: set[str]) -> None:
    assert rules_of(report(world(*CLUSTER, rule(effect, selector)))) == expected


@pytest.mark.parametrize(("hit", "others", "expected"), [(3, 1, True), (2, 2, False), (3, 0, False), (1, 0, False)])
def test_more_than_half_of_what_runs(hit: int, others: int, expected: bool) -> None:
    """Of a few pods it means nothing."""
    users = [held(f"c-{number}", f"p-{number}", f"gpu-{number}") for number in range(hit)]
    users += [pod(f"p-{number}", f"c-{number}") for number in range(hit)]
    found = report(world(*CLUSTER[:5], *users, *bystanders(others), rule()))
    assert ("taints/evicts-most" in rules_of(found)) is expected


def test_that_most_pods_find_another_place_is_no_failure() -> None:
    users = [held(f"c-{number}", f"p-{number}", f"gpu-{number}") for number in range(4)]
    users += [pod(f"p-{number}", f"c-{number}", more=CONTROLLED) for number in range(4)]
    spare = slice_of("node-b", "[{name: gpu-0}, {name: gpu-1}, {name: gpu-2}, {name: gpu-3}]")
    text = world(*CLUSTER[:4], spare, *users)
    ran = taint(text, "--pool", "node-a")
    assert "warning: DeviceTaintRule command-line: evicts 4 of 4 running pods (taints/evicts-most)\n" in ran.out
    assert ran.code == 0
    assert "command line>" not in ran.out
    assert taint(text, "--pool", "node-a", "--fail-on", "warning").code == 1


# --- pods that the input lacks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tolerations", "effect", "said"),
    [
        ("[]", "NoExecute", "is evicted at once, for the allocation does not tolerate the taint of rule fw"),
        ("[]", "None", "would be evicted at once with effect NoExecute, for the allocation does not tolerate"),
        (SECONDS, "NoExecute", "is evicted at 2026-01-31T12:05:00Z, for the allocation tolerates the taint of rule fw"),
        ("[{operator: Exists, effect: NoExecute}]", "NoExecute", None),
        ("[]", "NoSchedule", None),
    ],
)
def test_a_pod_that_the_input_lacks(tolerations: str, effect: str, said: str | None) -> None:
    ran = taint(world(*CLUSTER[:5], held("c", "p", "gpu-0", tolerations=tolerations), rule(effect)))
    assert ran.code == 0
    if said is None:
        assert "No pod would be evicted.\n" in ran.out
        assert "taints/unread-pods" not in ran.out
    else:
        assert "No pod of the input would be evicted.\n1 pod that the input lacks holds devices" in ran.out
        assert f"ResourceClaim ml/c: is reserved for pod p, which the input lacks: if it runs, it {said}" in ran.out
        assert "add `kubectl get pods -n ml -o yaml` to the input" in ran.out


def test_a_pod_that_a_dump_of_its_namespace_lacks_is_gone() -> None:
    documents = (*CLUSTER[:5], held("c", "p", "gpu-0"), held("c-1", "q", "gpu-1"), pod("q", "c-1", more=CONTROLLED))
    assert "taints/unread-pods" not in rules_of(report(world(*documents, rule())))


def test_a_group_that_the_input_lacks() -> None:
    claim = held("c", "p", "gpu-0").replace(
        "{resource: pods, name: p, uid: p-uid}",
        "{apiGroup: scheduling.k8s.io, resource: podgroups, name: g, uid: g-uid}",
    )
    assert "is reserved for group g, which the input lacks" in taint(world(*CLUSTER[:5], claim, rule())).out


def test_a_misspelt_name_is_guessed() -> None:
    ran = taint(world(*CLUSTER, rule(selector="{pool: nodea}")))
    assert "no device of the input matches: pool nodea is not there (taints/selects-nothing)\n" in ran.out
    assert "did you mean node-a?" in ran.out


def test_without_the_gate_rules_taint_nothing() -> None:
    ran = taint(world(*CLUSTER, rule()), "--feature-gates", "DRADeviceTaintRules=false")
    assert ran.code == 0
    assert "No pod would be evicted." in ran.out
    assert "the rule taints no device, because DRADeviceTaintRules is off" in ran.out


def test_tolerations_without_effect_are_pointed_at() -> None:
    half = held("c", "p", "gpu-0", tolerations="[{key: example.com/fw, operator: Exists}]")
    ran = taint(world(*CLUSTER[:5], half, pod("p", "c"), *bystanders(3), rule()))
    assert "ml/p: a toleration of the claim names no effect." in ran.out
    assert "ml/p has no controller: once evicted, nobody makes it anew." in ran.out


# --- the command line ------------------------------------------------------------------------------------------------


def test_a_rule_from_options() -> None:
    found = report(
        world(*CLUSTER), "--driver", "gpu.example.com", "--pool", "node-a", "--device", "gpu-0", "--key", "a/b"
    )
    [only] = found["rules"]
    assert only["taint"] == {"key": "a/b", "effect": "NoExecute"}
    assert only["deviceSelector"] == {"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"}
    assert [each["name"] for each in found["evictions"]] == ["train-0"]


def test_options_are_checked_like_a_file() -> None:
    ran = taint(world(*CLUSTER), "--device", "gpu-0", "--effect", "Evict")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith('error: <command line>:13:17: DeviceTaintRule command-line: spec.taint.effect: "Evict"')


def test_options_never_select_everything() -> None:
    ran = taint(world(*CLUSTER), "--effect", "None")
    assert (ran.code, ran.out) == (2, "")
    assert "one that selects every device has to be written into a file" in ran.err


def test_a_class_is_no_selector() -> None:
    ran = taint(world(*CLUSTER, rule(selector="{deviceClassName: gpu}")))
    assert ran.code == 2
    assert "spec.deviceSelector.deviceClassName: unknown field" in ran.err


def test_markdown_is_a_page_for_a_ticket() -> None:
    text = world(*CLUSTER, rule(selector="{driver: gpu.example.com}"))
    ran = taint(text, "-o", "markdown")
    lines = ran.out.splitlines()
    assert lines[0] == "# Device taints: what would be evicted"
    assert "| Pod | Priority | Node | Evicted | Because | Next |" in lines
    assert "## Pods without another place" in lines
    assert ran.out == taint(text, "-o", "markdown").out


def test_a_namespace_filters_what_is_shown() -> None:
    found = report(world(*CLUSTER, rule()), "-n", "web")
    assert found["evictions"] == []
    assert found["rules"][0]["pods"] == [{"namespace": "ml", "name": "train-0"}]


def test_nothing_to_say() -> None:
    ran = taint(world(node("node-a")))
    assert ran.code == 0
    assert ran.out == "No rule: only taints that drivers have published count.\n\nNo pod would be evicted.\n"


# --- with machines ---------------------------------------------------------------------------------------------------

CONFIGURATION = """apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cpuManagerPolicy: static
reservedSystemCPUs: '0'
"""
LSCPU = "# CPU,Core,Socket,Node\n" + "".join(f"{cpu},{cpu},0,0\n" for cpu in range(8))


def with_cpus(text: str, cpus: int) -> str:
    """The evicted pod asks for so many CPUs, all for itself."""
    amounts = f"{{cpu: '{cpus}', memory: 1Gi}}"
    return text.replace(
        "{claims: [{name: gpu}]}", f"{{claims: [{{name: gpu}}], requests: {amounts}, limits: {amounts}}}"
    )


@pytest.fixture
def lscpu(tmp_path: Path) -> str:
    path = tmp_path / "machine.lscpu"
    path.write_text(LSCPU)
    return str(path)


def test_kubelets_have_a_say_in_where_pods_go_next(lscpu: str) -> None:
    text = with_cpus(world(*CLUSTER, rule(), CONFIGURATION), 3)
    [next_place] = next_of(report(text, "--topology", f"node-b={lscpu}")).values()
    assert (next_place["node"], next_place["cpus"], next_place["numaNodes"]) == ("node-b", "1-3", "0")
    assert "node-b: gpu-0, CPUs 1-3" in taint(text, "--topology", f"node-b={lscpu}").out
    refusing = text.replace("'0'\n", "'0'\ncpuManagerPolicyOptions: {full-pcpus-only: 'true'}\n")
    twins = LSCPU.replace(",1,0,0", ",0,0,0").replace(",3,0,0", ",2,0,0").replace(",5,0,0", ",4,0,0")
    Path(lscpu).write_text(twins.replace(",7,0,0", ",6,0,0"))
    ran = taint(refusing, "--topology", f"node-b={lscpu}")
    assert ran.code == 1
    assert "the kubelet there refuses it: SMTAlignmentError" in ran.out


def test_what_an_evicted_pod_held_is_free(tmp_path: Path, lscpu: str) -> None:
    """The pod alone has all CPUs of its node; it comes back to the other device, and gets them again."""
    state = tmp_path / "cpu_manager_state"
    entries = '{"train-0-uid":{"c":"1-7"}}'
    state.write_text(f'{{"policyName":"static","defaultCpuSet":"0","entries":{entries},"checksum":0}}')
    documents = [each for each in CLUSTER if "node-b" not in each]
    text = with_cpus(world(*documents, rule(selector="{pool: node-a, device: gpu-0}"), CONFIGURATION), 7)
    [next_place] = next_of(report(text, "--topology", f"node-a={lscpu}", "--topology", f"node-a={state}")).values()
    assert (next_place["node"], next_place["cpus"]) == ("node-a", "1-7")
    assert [device["device"] for device in next_place["devices"]] == ["gpu-1"]


# --- the case --------------------------------------------------------------------------------------------------------


def test_case_11() -> None:
    ran = dractl("taint", CASE, "--now", NOW)
    assert ran.code == 1
    assert "3 published, 3 allocated" in ran.out
    assert "3 pods need to be evicted in 3 different namespaces." in ran.out
    assert "3 pods would be evicted (3 run now), in 3 namespaces, up to priority 1000000.\n" in ran.out
    assert "the empty selector matches every device of the cluster" in ran.out


def test_case_11_with_effect_none() -> None:
    text = (ROOT / CASE).read_text(encoding="utf-8").replace("effect: NoExecute", "effect: None")
    ran = taint(text)
    assert ran.code == 0
    assert "0 pods are evicted: effect None only looks.\n" in ran.out
    assert (
        "With effect NoExecute 3 pods would be evicted (3 run now), in 3 namespaces, up to priority 1000000." in ran.out
    )
    assert "the empty selector matches every device of the cluster" in ran.out
