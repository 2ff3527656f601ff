"""Rules about pools and devices."""

import re
from typing import Final

from tests.observe.lint.world import NODE, device_slice, gpu_slice, together

_DRIVER: Final = "gpu.example.com"
_COUNTERS: Final = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 2}
  sharedCounters:
  - {name: gpu-0, counters: {memory: {value: 40Gi}}}
"""
_SECOND_NODE: Final = NODE.replace("n1", "n2")


def _slices(first: str, second: str) -> str:
    return together(
        NODE,
        device_slice(_DRIVER, first, name="s1", count=2),
        device_slice(_DRIVER, second, name="s2", count=2),
    )


def _parts(*devices: str) -> str:
    """Devices that consume from one counter set; each is given by its name and the rest of its consumption."""
    return together(NODE, _COUNTERS, device_slice(_DRIVER, "".join(devices), name="devices", count=2))


def _part(name: str, memory: str = "20Gi", *, groups: str = "", mark: str = "", counter_set: str = "gpu-0") -> str:
    named = f"      compatibilityGroups: {groups}\n" if groups else ""
    return (
        f"  - name: {name}\n    consumesCounters:\n    - counterSet: {counter_set}{mark if 'set' in mark else ''}\n"
        f"{named}      counters:\n        memory: {{value: {memory}}}\n"
    )


def _two_pools(second_node: str, pool: str, mark: str = "") -> str:
    return together(
        NODE,
        _SECOND_NODE,
        device_slice(_DRIVER, "  - name: g0\n", name="s1", pool="shared", count=2),
        device_slice(_DRIVER, f"  - name: g0{mark}\n", name="s2", pool=pool, node=second_node, count=2),
    )


def _generations(newer: str, mark: str = "") -> str:
    old = device_slice(_DRIVER, "  - name: g0\n", name="s1").replace("generation: 1", f"generation: 1{mark}")
    new = device_slice(_DRIVER, "  - name: g0\n", name="s2", pool=newer).replace("generation: 1", "generation: 2")
    return together(NODE, old, new)


def _counted(*counts: str) -> str:
    """Slices of one pool, with the number that each declares."""
    slices = [
        device_slice(_DRIVER, f"  - name: g{number}\n", name=f"s{number}").replace("Count: 1", f"Count: {count}")
        for number, count in enumerate(counts)
    ]
    return together(NODE, *slices)


def _selected(zone: str, mark: str = "") -> str:
    selector = (
        "  nodeSelector:\n    nodeSelectorTerms:\n    - matchExpressions:\n"
        f"      - key: zone\n        operator: In\n        values: [{zone}]{mark}\n"
    )
    slice_ = gpu_slice().replace("  nodeName: n1\n", selector)
    return together(NODE.replace("hostname: n1", "hostname: n1, zone: a"), slice_)


_HELD: Final = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c%(n)d, namespace: default, uid: u%(n)d}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
status:
  allocation:
    devices:
      results: [{request: r, driver: gpu.example.com, pool: n1, device: part-%(n)d}]
    nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}
  reservedFor: [{resource: pods, name: p, uid: p-uid}]
"""


def _held(*numbers: int, mark: str = "") -> str:
    world = _parts(*(_part(f"part-{number}") for number in range(3)))
    return together(
        world.replace("40Gi}}}\n", f"40Gi}}}}}}{mark}\n"),
        *(_HELD % {"n": number} for number in numbers),
    )


_AFFINITY: Final = (
    "affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n"
    "        - matchFields:\n          - key: metadata.name\n            operator: In\n            values: [%s"
)


def _placed(where: str) -> str:
    name = re.sub(r"[^a-z]", "", where.lower())[-40:]
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: default}}
spec:
  {where}
  containers: [{{name: c, image: i}}]
"""


DISAGREEING: Final = (
    _counted("1 # <- DRA302", "2"),
    _counted("4", "4", "5 # <- DRA302"),
    _counted("3", "2 # <- DRA302", "2 # <- DRA302"),
    _counted("4 # <- DRA302", "5"),
)
"""The number there decides, then the majority, else the first slice is named."""

CASES: Final[dict[str, tuple[str, str]]] = {
    "DRA301": (
        together(NODE, gpu_slice().replace("Count: 1", "Count: 2 # <- DRA301")),
        together(NODE, gpu_slice()),
    ),
    "DRA302": (_counted("2", "3 # <- DRA302"), _counted("2", "2")),
    "DRA303": (_generations("n1", " # <- DRA303"), _generations("other")),
    "DRA304": (
        _slices("  - name: g0\n", "  - name: g0 # <- DRA304\n"),
        _slices("  - name: g0\n", "  - name: g1\n"),
    ),
    "DRA305": (
        _two_pools("n2", "shared", " # <- DRA305"),
        _two_pools("n2", "other").replace("resourceSliceCount: 2", "resourceSliceCount: 1"),
    ),
    "DRA306": (
        _parts(_part("g0", counter_set="gpu-1", mark=" # <- DRA306 set")),
        _parts(_part("g0")),
    ),
    "DRA307": (
        together(
            NODE,
            _COUNTERS.replace("Count: 2", "Count: 3"),
            _COUNTERS.replace("Count: 2", "Count: 3")
            .replace("counters}", "more}")
            .replace("40Gi}}}", "40Gi}}} # <- DRA307"),
            device_slice(_DRIVER, _part("g0"), name="devices", count=3),
        ),
        _parts(_part("g0")),
    ),
    "DRA308": (
        _parts(_part("g0", "80Gi").replace("80Gi}", "80Gi} # <- DRA308")),
        _parts(_part("g0", "40Gi")),
    ),
    "DRA309": (_held(0, 1, 2, mark=" # <- DRA309"), _held(0, 1)),
    "DRA310": (
        _parts(_part("a", groups="[x]"), _part("b").replace("counterSet: gpu-0", "counterSet: gpu-0 # <- DRA310")),
        _parts(_part("a", groups="[x]"), _part("b", groups="[x, other]")),
    ),
    "DRA311": (
        _parts(_part("a", groups="[x]"), _part("b", groups="[x]"), _part("c", groups="[other] # <- DRA311")),
        _parts(_part("a", groups="[x]"), _part("b", groups="[x]"), _part("c", groups="[x, other]")),
    ),
    "DRA312": (
        _parts("  - name: gpu-0\n", _part("gpu-0-half-0").replace("gpu-0-half-0", "gpu-0-half-0 # <- DRA312")),
        _parts(_part("gpu-0", "40Gi"), _part("gpu-0-half-0")),
    ),
    "DRA313": (_selected("b", " # <- DRA313"), _selected("a")),
    "DRA314": (
        together(
            NODE,
            gpu_slice(
                "  - name: g0\n    attributes:\n      resource.kubernetes.io/pcieroot: {string: a} # <- DRA314\n"
            ),
        ),
        together(
            NODE, gpu_slice("  - name: g0\n    attributes:\n      resource.kubernetes.io/pcieRoot: {string: a}\n")
        ),
    ),
    "DRA315": (
        together(
            NODE,
            gpu_slice(
                "  - {name: a, attributes: {m: {int: 1}}}\n  - {name: b, attributes: {m: {string: x}}} # <- DRA315\n"
            ),
        ),
        together(
            NODE, gpu_slice("  - {name: a, attributes: {m: {int: 1}}}\n  - {name: b, attributes: {m: {ints: [1]}}}\n")
        ),
    ),
    "DRA316": (
        together(NODE.replace('pods: "110"}}', 'pods: "110", example.com/gpu: "2"}} # <- DRA316'), gpu_slice()),
        together(NODE.replace('pods: "110"}}', 'pods: "110", example.com/fpga: "2"}}'), gpu_slice()),
    ),
    "DRA317": (
        together(NODE, gpu_slice(more="  skipNodeOperations: ['*'] # <- DRA317\n")),
        together(
            NODE.replace("status: {", "status: {declaredFeatures: [DRAOptionalNodeOperations], "),
            gpu_slice(more="  skipNodeOperations: ['*']\n"),
        ),
    ),
    "DRA318": (
        together(
            NODE.replace("n1", "worker-1"),
            device_slice(_DRIVER, "  - name: g0\n", name="s", node="worker1 # <- DRA318"),
            device_slice(
                "nic.example.com", "  - name: e0\n    nodeName: wroker-1 # <- DRA318\n", name="t", node=""
            ).replace("nodeName: \n", "perDeviceNodeSelection: true\n", 1),
            _placed("nodeName: worke-1 # <- DRA318"),
            _placed("nodeSelector:\n    kubernetes.io/hostname: Worker-1 # <- DRA318"),
            _placed(_AFFINITY % "workers-1]\n# <- DRA318").replace("]\n#", "] #"),
        ),
        together(
            NODE.replace("n1", "worker-1"),
            device_slice(_DRIVER, "  - name: g0\n", name="s", node="worker-1"),
            _placed("nodeName: worker-3"),
            _placed("nodeSelector: {kubernetes.io/hostname: other}"),
            _placed(_AFFINITY % "worker-1]"),
        ),
    ),
}
