# FEATURE: O1, O2, O3
"""`dractl pools`: the table for people, requests answered, and why a cluster would not answer."""

import json
from pathlib import Path

import pytest

from tests.cli.running import QUICKSTART, ROOT, Ran, dractl
from tests.observe.taint_worlds import CLUSTER, NOW, held, pod, rule, slice_of, world

REQUEST = """apiVersion: resource.k8s.io/v1alpha3
kind: ResourcePoolStatusRequest
metadata: {name: ask}
spec: {driver: gpu.example.com}
"""


def pools(text: str, *options: str) -> Ran:
    return dractl("pools", "-", "--now", NOW, *options, stdin=text.encode())


def cells(ran: Ran, start: str) -> list[str]:
    return next(line for line in ran.out.splitlines() if line.startswith(start)).split(maxsplit=7)


def test_a_line_for_each_pool_and_node() -> None:
    ran = pools(world(*CLUSTER, rule("NoSchedule", "{device: gpu-1}")))
    assert (ran.code, ran.err) == (0, "")
    assert cells(ran, "POOL") == ["POOL", "NODE", "DEVICES", "HELD", "TAINTED", "BLOCKED", "FREE", "HELD BY"]
    line = cells(ran, "gpu.example.com/node-a")
    assert line == ["gpu.example.com/node-a", "node-a", "2", "1", "1", "0", "0", "gpu-0 (ml/train-0)"]
    assert cells(ran, "gpu.example.com/node-b")[1:] == ["node-b", "2", "0", "1", "0", "1", "–"]


def test_a_pool_over_several_nodes_is_counted_node_by_node() -> None:
    pieces = [slice_of(name, "[{name: " + name + "}]", pool="all", count=2) for name in ("node-a", "node-b")]
    ran = pools(world(*pieces))
    lines = [line.split()[:3] for line in ran.out.splitlines() if line.startswith("gpu.example.com/all")]
    assert lines == [["gpu.example.com/all", "node-a", "1"], ["gpu.example.com/all", "node-b", "1"]]


def test_held_partitions_block_others() -> None:
    counters = "sharedCounters: [{name: s, counters: {memory: {value: 2Gi}}}]"

    def part(name: str, amount: str) -> str:
        use = f"consumesCounters: [{{counterSet: s, counters: {{memory: {{value: {amount}}}}}}}]"
        return f"{{name: {name}, attributes: {{kind: {{string: {amount}}}}}, {use}}}"

    devices = f"[{part('whole', '2Gi')}, {part('half-0', '1Gi')}, {part('half-1', '1Gi')}]"
    sets = slice_of("node-a", "[]", count=2, extra=counters).replace("devices: []", "")
    listed = slice_of("node-a", devices, count=2).replace("node-a-gpus", "node-a-parts")
    text = world(sets, listed, held("c", "p", "half-0"), pod("p", "c"))
    ran = pools(text, "--driver", "gpu.example.com", "--default-partition-type-attribute", "gpu.example.com/kind")
    assert cells(ran, "gpu.example.com/node-a")[2:] == ["3", "1", "0", "1", "1", "half-0 (ml/p)"]
    assert "gpu.example.com/node-a  gpu.example.com/kind  1Gi        2      1\n" in ran.out
    assert "gpu.example.com/node-a  gpu.example.com/kind  2Gi        1      0\n" in ran.out


def test_capacity_that_is_shared() -> None:
    devices = "[{name: nic, allowMultipleAllocations: true, capacity: {bandwidth: {value: 10Gi}}}]"
    share = "device: nic, shareID: 11111111-1111-4111-8111-111111111111, consumedCapacity: {bandwidth: 4Gi},"
    text = world(slice_of("node-a", devices), held("c", "p", "nic").replace("device: nic,", share), pod("p", "c"))
    ran = pools(text)
    assert cells(ran, "POOL                    UNSHARED")[1:6] == [
        "UNSHARED",
        "SHARED",
        "CAPACITY",
        "TOTAL",
        "CONSUMED",
    ]
    assert "0         1       bandwidth  10Gi   4Gi       6Gi\n" in ran.out


def test_devices_that_no_slice_publishes_have_a_line() -> None:
    ran = pools(world(*CLUSTER[:5], held("c", "p", "gone"), pod("p", "c")))
    line = next(each for each in ran.out.splitlines() if "not published" in each)
    assert line.endswith("gone (ml/p)") or "node-a/gone (ml/p)" in line


def test_the_readme_shows_what_is_printed() -> None:
    ran = dractl("pools", QUICKSTART)
    assert f"$ dractl pools {QUICKSTART}\n{ran.out}```\n" in (ROOT / "README.md").read_text(encoding="utf-8")


# --- requests --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_the_object_with_its_status(form: str) -> None:
    ran = pools(world(*CLUSTER, REQUEST), "-o", form)
    assert ran.code == 0
    if form == "yaml":
        assert ran.out.startswith("apiVersion: resource.k8s.io/v1alpha3\nkind: ResourcePoolStatusRequest\n")
        return
    found = json.loads(ran.out)
    assert found["metadata"] == {"name": "ask"}
    assert found["spec"] == {"driver": "gpu.example.com", "limit": 100}
    assert found["status"]["poolCount"] == 2
    assert found["status"]["pools"][0] == {
        "driver": "gpu.example.com",
        "poolName": "node-a",
        "generation": 1,
        "nodeName": "node-a",
        "resourceSliceCount": 1,
        "totalDevices": 2,
        "allocatedDevices": 1,
        "availableDevices": 1,
        "unavailableDevices": 0,
    }
    [condition] = found["status"]["conditions"]
    assert condition["message"] == "Calculated status for 2 pools"
    assert condition["lastTransitionTime"] == NOW


def test_options_ask_without_an_object(tmp_path: Path) -> None:
    ran = pools(
        world(*CLUSTER, REQUEST),
        "--driver",
        "gpu.example.com",
        "--limit",
        "1",
        "-o",
        f"json={tmp_path / 'a'}",
        "-o",
        "table",
    )
    assert "command-line: 2 pools of driver gpu.example.com, 1 beyond the limit\n" in ran.out
    assert "node-b" not in ran.out
    assert json.loads((tmp_path / "a").read_text())["spec"] == {"driver": "gpu.example.com", "limit": 1}


def test_several_answers_are_a_list() -> None:
    found = json.loads(dractl("pools", QUICKSTART, "-o", "json").out)
    assert found["kind"] == "List"
    assert [item["spec"]["driver"] for item in found["items"]] == ["card.example.com", "gpu.example.com"]


def test_options_are_checked_like_a_file() -> None:
    ran = pools(world(*CLUSTER), "--driver", "gpu.example.com", "--limit", "0")
    assert (ran.code, ran.out) == (2, "")
    assert "spec.limit: 0 is out of range: from 1 to 1000" in ran.err
    assert "add --driver NAME" in pools(world(*CLUSTER), "--limit", "3").err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "a default 1.37 cluster leaves the request unanswered: DRAResourcePoolStatus is off there"),
        (["--feature-gates", "DRAResourcePoolStatus=false"], "nobody answers: DRAResourcePoolStatus is off"),
        (["--kubernetes-version", "1.35"], "nobody answers: Kubernetes 1.35 does not know the kind"),
    ],
)
def test_clusters_that_do_not_answer(options: list[str], words: str) -> None:
    assert words in pools(world(*CLUSTER, REQUEST), *options).out


def test_an_incomplete_pool_leaves_the_request_unanswered() -> None:
    ran = pools(world(slice_of("node-a", "[{name: a}]", count=2), REQUEST))
    assert "PoolIncomplete: pool gpu.example.com/node-a is incomplete: observed 1/2 slices at generation 1\n" in ran.out
    assert "leaves the request unanswered while a returned pool is incomplete (gpu.example.com/node-a)" in ran.out
    assert cells(ran, "gpu.example.com/node-a")[6:] == ["0", "(incomplete)  –"]


def test_generation_0_leaves_the_request_unanswered() -> None:
    text = slice_of("node-a", "[{name: a}]").replace("generation: 1", "generation: 0")
    assert "for it demands status.pools[0].generation (pools/unanswered)" in pools(world(text, REQUEST)).out


def test_a_status_is_set_once() -> None:
    answered = REQUEST + "status: {poolCount: 0}\n"
    text = world(*CLUSTER, answered.replace("name: ask", "name: ask, uid: u"))
    assert "has a status already" in pools(text).out


# --- cases -----------------------------------------------------------------------------------------------------------


def test_case_06() -> None:
    ran = dractl("pools", "fixtures/cases/06-pool-count-disagrees.yaml")
    assert cells(ran, "a.example.com/n1")[6].startswith("0")
    assert "0 or 2" in ran.out
    assert "disagree about resourceSliceCount (slice-a says 1, slice-b says 2)" in ran.out


def test_case_08() -> None:
    ran = dractl("pools", "fixtures/cases/08-slice-count-zero.yaml")
    assert ran.code == 1
    assert "pool a.example.com/n1 is incomplete on n1 and gives no devices (1 of 0 slices are there)\n" in ran.out
    assert "spec.pool.resourceSliceCount: must be greater than 0" in ran.out


def test_no_pool() -> None:
    assert pools(CLUSTER[0]).out == "No pool: the input holds no ResourceSlice.\n"
    assert "No pool matches.\n" in pools(world(*CLUSTER), "--driver", "nic.example.com").out


def test_a_request_for_nothing_that_is_there() -> None:
    ran = pools(world(*CLUSTER), "--driver", "gpu.exmaple.com")
    assert "the input has no pool of driver gpu.exmaple.com (pools/nothing-asked-for)" in ran.out
    assert "did you mean gpu.example.com?" in ran.out
    ran = pools(world(*CLUSTER), "--driver", "gpu.example.com", "--pool", "nodea")
    assert "driver gpu.example.com has no pool nodea in the input (pools/nothing-asked-for)" in ran.out
