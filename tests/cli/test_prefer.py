# FEATURE: K9
"""`dractl plan --prefer aligned`, as a user sees it."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from tests.cli.running import ROOT, Ran, dractl

SCHEMA = json.loads((ROOT / "dractl/report/schema/plan-v1.json").read_text(encoding="utf-8"))
LSCPU = "# CPU,Core,Socket,Node\n" + "".join(f"{cpu},{cpu},{cpu // 8},{cpu // 8}\n" for cpu in range(16))
NODE = """apiVersion: v1
kind: Node
metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}
status: {allocatable: {cpu: '15', memory: 14Gi, pods: '110'}}
---
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cpuManagerPolicy: static
topologyManagerPolicy: single-numa-node
reservedSystemCPUs: '0'
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
"""
SLICE = """---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: n1-gpu}
spec:
  driver: gpu.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices:
"""
POD = """---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}, namespace: ml}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu}}}}]}}}}
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: ml}}
spec:
  resourceClaims: [{{name: gpu, resourceClaimName: {name}}}]
  containers:
  - name: c
    image: i
    resources:
      claims: [{{name: gpu}}]
      requests: {{cpu: '{cpus}', memory: 1Gi}}
      limits: {{cpu: '{cpus}', memory: 1Gi}}
"""


def world(numa_nodes: str, **pods: int) -> str:
    """A machine of two NUMA nodes with a device for each digit, on that NUMA node, and pods with a device each."""
    devices = [
        f"  - {{name: gpu-{number}, attributes: {{resource.kubernetes.io/numaNode: {{int: {numa}}}}}}}\n"
        for number, numa in enumerate(numa_nodes)
    ]
    return NODE + SLICE + "".join(devices) + "".join(POD.format(name=name, cpus=cpus) for name, cpus in pods.items())


@pytest.fixture
def lscpu(tmp_path: Path) -> str:
    path = tmp_path / "n1.lscpu"
    path.write_text(LSCPU)
    return f"n1={path}"


def plan(text: str, lscpu: str, *options: str) -> Ran:
    return dractl("plan", "-", "--topology", lscpu, *options, stdin=text.encode())


def test_other_devices(lscpu: str) -> None:
    ran = plan(world("0011", a=5, b=5, c=2), lscpu, "--prefer", "aligned")
    assert ran.code == 0, ran.err
    assert re.sub(r"<stdin>:\d+", "<stdin>:LINE", ran.out).startswith("""POD   NODE  CLAIM  REQUEST  DEVICES  CPUS  NUMA
ml/a  n1    gpu    r        gpu-0    1-5   0
ml/b  n1    gpu    r        gpu-1    8-12  1
ml/c  n1    gpu    r        gpu-2    6-7   0

ml/b is crossed  <stdin>:LINE
  because it is not on one NUMA node of n1: 5 CPUs on node 1; gpu-1 on node 0.
  It would be aligned if it took gpu-2.
  Let its request select devices by resource.kubernetes.io/numaNode: they have to be on NUMA node 1.
  The scheduler will not find this by itself.

ml/c is crossed  <stdin>:LINE
  because it is not on one NUMA node of n1: 2 CPUs on node 0; gpu-2 on node 1.
  It would be aligned if it took gpu-1.
  Let its request select devices by resource.kubernetes.io/numaNode: they have to be on NUMA node 0.
  The scheduler will not find this by itself.

Where the optimum differs:
POD   NODE  CLAIM  REQUEST  DEVICES  CPUS  NUMA
ml/b  n1    gpu    r        gpu-2    8-12  1
ml/c  n1    gpu    r        gpu-1    6-7   0

Prediction  3 of 3 pods placed; 1 of 3 pods aligned
Optimum     3 of 3 pods placed, proven; 3 of 3 pods aligned, proven
            2 pods aligned that the prediction leaves crossed: ml/b and ml/c
""")


def test_another_order(lscpu: str) -> None:
    """The only device is where CPUs are handed out last."""
    plain = POD.format(name="other", cpus=5).split("---\n")[2]
    text = world("1", a=5) + "---\n" + "".join(line for line in plain.splitlines(keepends=True) if "laim" not in line)
    ran = plan(text, lscpu, "--prefer", "aligned")
    assert ran.code == 0, ran.err
    assert "It would be aligned if it came there after ml/other." in ran.out
    assert "Create ml/other first, or give it a higher priority." in ran.out
    assert "Optimum     2 of 2 pods placed, proven; 1 of 1 pod aligned, proven" in ran.out


def test_as_data(lscpu: str) -> None:
    found = json.loads(plan(world("0011", a=5, b=5, c=2), lscpu, "--prefer", "aligned", "-o", "json").out)
    jsonschema.validate(found, SCHEMA, cls=jsonschema.Draft202012Validator)
    alignment = found["optimum"]["alignment"]
    assert alignment["prediction"] == {"aligned": 1, "of": 3}
    assert alignment["optimum"] == {"aligned": 3, "of": 3}
    assert alignment["proven"] is True
    assert [gain["pod"] for gain in alignment["gained"]] == ["ml/b", "ml/c"]
    assert "alignment" not in json.loads(plan(world("0011", a=5), lscpu, "--optimum", "-o", "json").out)["optimum"]


def test_as_markdown(lscpu: str) -> None:
    ran = plan(world("0011", a=5, b=5, c=2), lscpu, "--prefer", "aligned", "-o", "markdown")
    assert "### ml/b: crossed\n" in ran.out
    assert "**2 pods aligned that the prediction leaves crossed: ml/b and ml/c**" in ran.out


def test_where_nothing_is_gained_nothing_is_advised(lscpu: str) -> None:
    ran = plan(world("00", a=5, b=2), lscpu, "--prefer", "aligned")
    assert "Optimum     2 of 2 pods placed, proven; 2 of 2 pods aligned, proven\n" in ran.out
    assert "crossed" not in ran.out
    assert "Where the optimum differs" not in ran.out


def test_without_machines_there_is_nothing_to_align() -> None:
    ran = dractl("plan", "-", "--prefer", "aligned", stdin=world("01", a=5).encode())
    assert ran.code == 0
    assert "nothing to align: no pod has devices whose NUMA node is known beside CPUs or memory of its own" in ran.out


def test_what_else_could_be_preferred() -> None:
    ran = dractl("plan", "-", "--prefer", "packed", stdin=world("01", a=5).encode())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: --prefer packed: there is no such preference\n  write --prefer aligned\n"
