# FEATURE: A4
"""Dumps of one node that contradict each other, and whose dump is whose."""

import pytest

from dractl.topology import Dump
from tests.topology.reading import SMALL, fault, faults, load, machine, read, text
from tests.topology.trees import cpu, node, tarball

SYSFS = f"{SMALL}/small.sysfs.tar.gz"
LSCPU = f"{SMALL}/small.lscpu-p.txt"
NUMACTL = f"{SMALL}/small.numactl.txt"
BY_SYSFS = f"but {SYSFS} (sysfs tree) says"


def edited(path: str, *changes: tuple[str, str]) -> Dump:
    """A text of the fixtures with something else in it."""
    content = load(path).content
    assert isinstance(content, bytes)
    changed = content.decode()
    for before, after in changes:
        assert before in changed
        changed = changed.replace(before, after)
    return text(changed, "small/dump.txt", "small")


@pytest.mark.parametrize(
    ("path", "change", "message"),
    [
        (LSCPU, ("6,2,1,1,,2,2,2,2\n", ""), f"CPUs 0-5 are online, {BY_SYSFS} CPUs 0-6"),
        (LSCPU, ("6,2,1,1,", "9,2,1,1,"), f"CPUs 0-5,9 are online, {BY_SYSFS} CPUs 0-6"),
        (LSCPU, ("3,3,1,1", "3,3,1,0"), f"CPU 3 is on NUMA node 0, {BY_SYSFS} on NUMA node 1"),
        (LSCPU, ("3,3,1,1", "3,3,0,1"), f"CPU 0 shares its socket with CPUs 0-1,3-5, {BY_SYSFS} with CPUs 0-1,4-5"),
        (
            NUMACTL,
            ("  0: 10  21  17", "  0: 10  20  17"),
            f"the distances of NUMA node 0 are 10 20 17, {BY_SYSFS} 10 21 17",
        ),
        (NUMACTL, ("2 size: 4096 MB", "2 size: 9000 MB"), "NUMA node 2 has 9437184000 bytes of memory, but"),
        (NUMACTL, ("1 cpus: 2 3 6", "1 cpus: 2 3"), f"NUMA node 1 has 2 CPUs, {BY_SYSFS} 3"),
        (f"{SMALL}/small.nrt.yaml", ('capacity: "3"', 'capacity: "8"'), f"NUMA node 1 has 8 CPUs, {BY_SYSFS} 3"),
        (
            f"{SMALL}/small.nrt.yaml",
            ("- name: node-2\n  type", "- name: node-5\n  type"),
            f"the NUMA nodes are 0, 1, 5, {BY_SYSFS} 0, 1, 2",
        ),
    ],
)
def test_a_contradiction_names_both_dumps(path: str, change: tuple[str, str], message: str) -> None:
    wrong = faults(load(SYSFS), edited(path, change))[0]
    assert wrong.message.startswith(message)
    assert (wrong.file, wrong.subject) == ("small/dump.txt", "node small")
    assert wrong.remedy


def test_cores_that_differ() -> None:
    change = (("1,1,0,0,,1", "1,0,0,0,,1"), ("4,0,0,0,,0", "4,1,0,0,,0"))
    wrong = fault(load(SYSFS), edited(LSCPU, *change))
    assert wrong.message == f"CPU 0 shares its core with CPUs 0-1, {BY_SYSFS} with CPUs 0,4"


def test_siblings_and_core_ids_may_differ_where_the_tree_has_both() -> None:
    """As on machines whose modules share a front end: two core ids, one pair of siblings."""
    files = cpu(0, 0, 0, siblings="0-1") | cpu(1, 1, 0, siblings="0-1") | node(0, "0-1")
    reading = read(
        Dump("n1.tar.gz", tarball(files)), text("# CPU,Core,Socket,Node\n0,0,0,0\n1,0,0,0\n", "n1.lscpu.txt")
    )
    assert [finding.rule for finding in reading.findings] == ["topology/cores-by-id"]
    seen = reading.nodes["n1"].machine
    assert seen is not None
    assert len(seen.cores) == 2


def test_huge_pages_can_change_while_a_node_runs() -> None:
    reading = read(load(SYSFS), edited(f"{SMALL}/small.machineinfo.json", ('"num_pages": 16', '"num_pages": 20')))
    assert [finding.rule for finding in reading.findings] == ["topology/huge-pages-differ"]


def test_kernel_ids_of_sockets_have_to_be_equal() -> None:
    changed = edited(f"{SMALL}/small.machineinfo.json", ('"socket_id": 1', '"socket_id": 7'))
    wrong = fault(load(SYSFS), changed)
    assert (wrong.file, wrong.message) == (
        SYSFS,
        "CPU 2 is in socket 1, but small/dump.txt (cAdvisor MachineInfo) says in socket 7",
    )


# --- whose dump ------------------------------------------------------------------------------------------------------

ONE = "# CPU,Core,Socket,Node\n0,0,0,0\n"
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: %s}\nstatus: {capacity: {cpu: '%d'}}\n"


@pytest.mark.parametrize(
    ("name", "node_name"),
    [
        ("worker-1.lscpu.txt", "worker-1"),
        ("dumps/worker-1.lscpu-p.txt", "worker-1"),
        ("worker-1/lscpu.txt", "worker-1"),
        ("nodes/worker-1/lscpu-p-physical.txt", "worker-1"),
        ("worker1.internal.lscpu.txt", "worker1.internal"),
        ("worker-1.txt", "worker-1"),
        ("gpu-machine.txt", "gpu-machine"),
    ],
)
def test_a_name_from_the_file(name: str, node_name: str) -> None:
    assert list(read(text(ONE, name)).nodes) == [node_name]


def test_what_the_user_says_counts_most() -> None:
    assert list(read(text(ONE, "worker-1.lscpu.txt", "other")).nodes) == ["other"]


def test_the_dumps_own_name_counts_before_the_files() -> None:
    content = load(f"{SMALL}/small.v2.xml").content
    assert isinstance(content, bytes)
    assert list(read(Dump("somewhere.xml", content)).nodes) == ["small"]
    nowhere = content.replace(b'"HostName" value="small"', b'"HostName" value="localhost.localdomain"')
    assert list(read(Dump("somewhere.xml", nowhere)).nodes) == ["somewhere"]


def test_a_node_object_in_the_same_folder() -> None:
    reading = read(
        text(ONE, "a/lscpu.txt"), text(NODE % ("worker1.internal", 1), "a/node.yaml"), text(ONE, "b/lscpu.txt")
    )
    assert sorted(reading.nodes) == ["b", "worker1.internal"]


def test_nodes_that_the_input_knows() -> None:
    assert list(read(text(ONE, "x.txt"), known={"n1": None}).nodes) == ["n1"]
    assert list(read(text(ONE, "n2.txt"), known={"n1": None, "n2": None}).nodes) == ["n2"]
    content = load(f"{SMALL}/small.v2.xml").content
    assert isinstance(content, bytes)
    known = {"small.example.com": None, "other": None}
    assert list(read(Dump("x.xml", content), known=known).nodes) == ["small.example.com"]


def test_a_dump_that_nobody_names() -> None:
    wrong = fault(text(ONE, "<stdin>"))
    assert (wrong.message, wrong.remedy) == (
        "nothing says which node this is a dump of",
        "say it: --topology NODE=<stdin>",
    )


def test_a_node_that_has_other_cpus_than_its_dump() -> None:
    reading = read(text(ONE, "n1/lscpu.txt"), text(NODE % ("n1", 4), "n1/node.yaml"))
    assert [finding.rule for finding in reading.findings] == ["topology/node-capacity"]
    assert reading.findings[0].message == "the Node has 4 CPUs, but its dump describes 1"


def test_files_that_merely_lie_in_a_folder_may_be_anything() -> None:
    other = Dump("n1/notes.txt", b"- remember: [the milk", is_asked_for=False)
    reading = read(text(ONE, "n1/lscpu.txt"), other)
    assert reading.skipped == ("file that is no dump",)
    assert fault(Dump("n1/notes.txt", b"- remember: [the milk")).message == "no dump that dractl knows, and no YAML"


def test_a_partial_dump_completes_but_does_not_contradict() -> None:
    content = load(f"{SMALL}/small.v2.xml").content
    assert isinstance(content, bytes)
    inside = content.decode().replace('"LinuxCgroup" value="/"', '"LinuxCgroup" value="/job"')
    inside = inside.replace('<object type="PU" os_index="5" cpuset="0x00000020" complete_cpuset="0x00000020"/>', "")
    seen = machine(text(inside, "small.xml"), load(LSCPU))
    assert len(seen.cpus) == 7
    assert len(seen.pci_devices) == 5


def test_further_cpus_on_other_nodes_are_counted() -> None:
    wrong = faults(load(SYSFS), edited(LSCPU, ("6,2,1,1", "6,2,1,0"), ("2,2,1,1", "2,2,1,0")))[0]
    assert f"CPU 2 is on NUMA node 0, {BY_SYSFS} on NUMA node 1 (and 1 more)" in wrong.message
