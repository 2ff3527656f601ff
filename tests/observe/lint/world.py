"""Inputs for rules: small pieces of YAML put together, with a mark at each line that a rule has to point at."""

import re
from collections.abc import Mapping

from dractl.cluster.node_machine import NodeMachine
from dractl.manifests import Locator, Source, survey
from dractl.planner.admission import admit
from dractl.planner.linting import lint
from dractl.planner.settings import Settings

FILE = "world.yaml"
_MARK = re.compile(r"# <- (DRA\d{3})")

NODE = """apiVersion: v1
kind: Node
metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}
"""
GPU_CLASS = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec:
  selectors:
  - cel: {expression: 'device.driver == "gpu.example.com"'}
"""


def together(*pieces: str) -> str:
    return "---\n".join(pieces)


def dumped(text: str) -> str:
    """The objects as they are read from a cluster."""
    return text.replace("metadata: {", "metadata: {uid: u, ")


def gpu_slice(
    devices: str = "  - {name: g0}\n  - {name: g1}\n", *, name: str = "s1", pool: str = "n1", more: str = ""
) -> str:
    return device_slice("gpu.example.com", devices, name=name, pool=pool, more=more)


def device_slice(
    driver: str, devices: str, *, name: str, pool: str = "n1", node: str = "n1", count: int = 1, more: str = ""
) -> str:
    return f"""apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}}}
spec:
  driver: {driver}
  nodeName: {node}
  pool:
    name: {pool}
    generation: 1
    resourceSliceCount: {count}
{more}  devices:
{devices}"""


def claim(requests: str, more: str = "", *, name: str = "c") -> str:
    """A claim, and a pod that uses it."""
    return together(
        f"""apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}, namespace: default}}
spec:
  devices:
    requests:
{requests}{more}""",
        pod(f"{name}-user", f"{{name: e, resourceClaimName: {name}}}"),
    )


def request(fields: str = "", *, name: str = "r", device_class: str = "gpu") -> str:
    """A request; further fields stand in lines of their own below `exactly`."""
    return f"    - name: {name}\n      exactly:\n        deviceClassName: {device_class}\n{fields}"


def pod(name: str, entry: str, more: str = "") -> str:
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: default}}
spec:
{more}  containers: [{{name: c, image: i, resources: {{claims: [{{name: e}}]}}}}]
  resourceClaims:
  - {entry}
"""


def template(name: str) -> str:
    return f"""apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: {name}, namespace: default}}
spec: {{spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu}}}}]}}}}}}
"""


def marked(text: str) -> list[tuple[str, int]]:
    """The rules that have to be found, each with its line."""
    lines = text.split("\n")
    return [(rule, number) for number, line in enumerate(lines, 1) for rule in _MARK.findall(line)]


def found(text: str, machines: Mapping[str, NodeMachine] | None = None) -> list[tuple[str, int]]:
    """The rules that find something, each with its line. What the API server would refuse has no place here."""
    source = Source(FILE, text.encode())
    reading = survey([source])
    assert not reading.faults, reading.faults
    admission = admit(reading.objects, Settings())
    assert not admission.faults, admission.faults
    skipped = frozenset(each.ref for each in reading.skipped)
    locate = Locator([source]).locate
    pairs = []
    for finding in lint(admission.objects, admission.gates, machines or {}, skipped).findings:
        if finding.rule.startswith("DRA") and finding.place is not None:
            position = locate(finding.place)
            pairs.append((finding.rule, position.line if position is not None else 0))
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]))
