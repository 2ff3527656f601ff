# FEATURE: K1, K2, K3, K4, K5, K6, P1, P2
"""Small worlds with machines: what the kubelet does with the pods that the scheduler gives it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ROOT, Ran, dractl

FOLDER = ROOT / "fixtures/cases"


def plan(case: str, *options: str, changed: str = "") -> Ran:
    """Plan a case with its dumps; `changed` is its text where it is not the file's."""
    dumps = [str(path) for path in sorted(FOLDER.glob(f"machines/{case}.*"))]
    assert dumps
    if changed:
        return dractl("plan", "-", *dumps, *options, stdin=changed.encode())
    return dractl("plan", str(FOLDER / f"{case}.yaml"), *dumps, *options)


def text(case: str) -> str:
    return (FOLDER / f"{case}.yaml").read_text(encoding="utf-8")


def pods(case: str, side: str = "prediction", changed: str = "") -> dict[str, Any]:
    answer = json.loads(plan(case, "-o", "json", "--optimum", changed=changed).out)[side]
    return {pod["name"]: pod for pod in answer["pods"]}


def blocks(pod: dict[str, Any]) -> list[tuple[str, str]]:
    """The NUMA nodes of a pod's memory by resource."""
    memory = [block for container in pod["nodeShare"]["containers"] for block in container["memory"]]
    return [(block["resource"], block["numaNodes"]) for block in memory]


def test_20_one_order_fails() -> None:
    found = pods("20-numa-memory-single-vs-cross")
    assert found["pod1"]["nodeShare"]["cpus"] == "1"
    assert blocks(found["pod1"]) == [("memory", "0")]
    assert found["pod2"]["outcome"] == "does not fit"
    assert found["pod2"]["refusal"]["reason"] == "UnexpectedAdmissionError"
    assert plan("20-numa-memory-single-vs-cross").code == 1


def test_20_the_optimum_finds_the_other_order() -> None:
    found = pods("20-numa-memory-single-vs-cross", "optimum")
    assert {name: pod["outcome"] for name, pod in found.items()} == {"pod1": "placed", "pod2": "placed"}
    assert (found["pod2"]["nodeShare"]["cpus"], found["pod1"]["nodeShare"]["cpus"]) == ("3-4", "1")
    assert blocks(found["pod2"]) == blocks(found["pod1"]) == [("memory", "0-1")]
    page = plan("20-numa-memory-single-vs-cross").out
    assert "It would fit on n1 if it came there before default/pod1: the optimum places both pods." in page
    assert "Create it first, or give it a higher priority." in page
    assert "the scheduler counts CPUs and memory of a node as a whole" in page


def test_22_whole_cores() -> None:
    ran = plan("22-smt-alignment")
    assert ran.code == 1
    reason = "SMTAlignmentError, SMT Alignment Error: requested 1 cpus not multiple cpus per core = 2"
    assert f"the kubelet there refuses it: {reason}" in ran.out
    found = pods("22-smt-alignment")
    assert found["p1"]["outcome"] == "does not fit"
    assert found["p2"]["nodeShare"]["cpus"] == "1,5"
    optimum = json.loads(plan("22-smt-alignment", "-o", "json").out)["optimum"]
    assert (optimum["placed"], optimum["proven"]) == (1, True)


def test_22_half_a_cpu_is_not_pinned() -> None:
    found = pods("22-smt-alignment", changed=text("22-smt-alignment").replace("cpu: '1'", "cpu: 500m"))
    assert found["p1"]["outcome"] == "placed"
    assert (found["p1"]["nodeShare"]["cpus"], found["p1"]["nodeShare"]["numaNodes"]) == ("", "")


def test_38_a_reserved_cpu_is_handed_out() -> None:
    found = pods("38-hybrid-cpu-reserved-thread")
    assert (found["two"]["nodeShare"]["cpus"], found["one"]["nodeShare"]["cpus"]) == ("0-1", "4")
    ran = plan("38-hybrid-cpu-reserved-thread")
    assert ran.code == 0
    assert "Pod default/two: CPU 0 of reservedSystemCPUs is handed out" in ran.out
    assert "the kubelet of n1 does not start again: not all reserved cpus" in ran.out


def test_40_the_shared_pool_is_emptied() -> None:
    case = "40-strict-reservation-empties-pool"
    assert pods(case)["greedy"]["nodeShare"]["cpus"] == "1-3"
    page = plan(case).out
    assert "Pod default/greedy: it takes the last CPUs of the shared pool of n1" in page
    assert "does not start again: default cpuset cannot be empty" in page
    assert "leave at least one CPU" in page


def test_40_at_the_first_pod_it_is_told_what_becomes_of_others() -> None:
    page = plan("40-strict-reservation-empties-pool").out
    assert "from then on pods without CPUs of their own get no CPU set there, and may run on its CPUs" in page


def test_40_a_best_effort_pod_beside_an_empty_pool() -> None:
    """The whole chain: the pool is emptied, the pod runs on others' CPUs, and the kubelet does not start again."""
    variant = (FOLDER / "variants/40-best-effort-beside-empty-pool.yaml").read_text(encoding="utf-8")
    case = "40-strict-reservation-empties-pool"
    found = pods(case, changed=variant)
    assert (found["greedy"]["outcome"], found["greedy"]["nodeShare"]["cpus"]) == ("placed", "1-3")
    assert (found["chatty"]["outcome"], found["chatty"]["nodeShare"]["cpus"]) == ("placed", "")
    ran = plan(case, changed=variant)
    assert ran.code == 0
    assert "Pod default/greedy: it takes the last CPUs of the shared pool of n1" in ran.out
    assert (
        "Pod default/chatty: the shared pool of n1 is empty: the pod gets no CPU set, and may run on others' CPUs"
        in ran.out
    )
    assert (
        "Pod default/greedy: from then on the kubelet of n1 does not start again: default cpuset cannot be empty"
        in ran.out
    )
    assert "leave at least one CPU that no container has for itself" in ran.out
    [node] = json.loads(plan(case, "-o", "json", changed=variant).out)["nodes"]
    assert '"defaultCpuSet":""' in json.dumps(node["after"]).replace("\\", "").replace(" ", "")


def test_42_lower_ids_win() -> None:
    found = pods("42-most-devices-node-not-preferred")
    share = found["p"]["nodeShare"]
    assert (share["cpus"], share["numaNodes"], share["aligned"]) == ("1-7,9-11", "0-1", False)
    assert blocks(found["p"]) == [("memory", "0-1")]
    page = plan("42-most-devices-node-not-preferred").out
    assert "7 CPUs on node 0, 3 on node 1" in page
    assert "acc-1 and example.com/acc:acc-2 on node 1" in page
    assert "no later pod gets memory of one of them alone" in page


def test_44_the_kubelet_does_not_start() -> None:
    ran = plan("44-max-numa-nodes-not-a-number")
    assert ran.code == 1
    assert pods("44-max-numa-nodes-not-a-number")["p"]["outcome"] == "does not fit"
    assert "44-max-numa-nodes-not-a-number.yaml:24: node n1: the kubelet does not start" in ran.out
    assert 'unable to convert policy option to integer "max-allowable-numa-nodes"' in ran.out
    assert 'write max-allowable-numa-nodes: "9" or more' in ran.out


@pytest.mark.parametrize("case", sorted({path.name.split(".")[0] for path in FOLDER.glob("machines/*")}))
def test_same_answer_from_one_folder(case: str, tmp_path: Path) -> None:
    """The dumps lie beside the manifests, and name no node."""
    for path in (FOLDER / f"{case}.yaml", *FOLDER.glob(f"machines/{case}.*")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    together = dractl("plan", str(tmp_path), "-o", "name")
    assert together.code == plan(case).code
    assert together.out == plan(case, "-o", "name").out
