# FEATURE: C1
"""`-o tree`: who is where, at a glance."""

import pytest

from tests.cli.running import QUICKSTART, ROOT, dractl

EXPECTED = """node-a
├── ml/train-0
│   └── gpus/pair  gpu-0 gpu-1
└── ml/notebook
    └── gpu/half  gpu-2-half-0
node-b
├── ml/serve-0
│   └── accelerator/accelerator/card  card-0
└── ml/serve-1
    └── accelerator/accelerator/half  gpu-0-half-0
on no node
├── ml/train-1  does not fit
└── ml/render  does not fit

"""


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_by_node() -> None:
    tree, table = dractl("plan", QUICKSTART, "-o", "tree"), dractl("plan", QUICKSTART)
    assert tree.out.startswith(EXPECTED)
    assert tree.out.split("\n\n", 1)[1] == table.out.split("\n\n", 1)[1]
    assert tree.code == table.code


def test_by_numa_node_where_machines_are_known() -> None:
    case = "fixtures/cases/22-smt-alignment.yaml"
    machine = "fixtures/cases/machines/22-smt-alignment.machineinfo.json"
    out = dractl("plan", case, machine, "-o", "tree").out
    assert out.startswith("n1\n└── NUMA 0\n    └── default/p2  CPUs 1,5\non no node\n└── default/p1  does not fit\n\n")


def test_a_namespace_filters_it() -> None:
    assert dractl("plan", QUICKSTART, "-o", "tree", "-n", "other").out.startswith("No pod of namespace other")
