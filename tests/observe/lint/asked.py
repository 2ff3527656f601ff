"""Rules about what is asked for: an input in which each finds something at the marked line, and one without."""

import re
from typing import Final

from tests.observe.lint.world import GPU_CLASS, NODE, claim, device_slice, gpu_slice, request, together

_WORLD: Final = together(NODE, GPU_CLASS, gpu_slice())
_NICS: Final = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: nic}
spec: {selectors: [{cel: {expression: 'device.driver == "nic.example.com"'}}]}
"""


def _selector(expression: str, mark: str = "") -> str:
    return f"        selectors:\n        - cel: {{expression: '{expression}'}}{mark}\n"


def _aligned(attribute: str, gpu: str, nic: str, mark: str = "") -> str:
    return together(
        NODE,
        GPU_CLASS,
        _NICS,
        gpu_slice(f"  - {{name: g0, attributes: {{{gpu}}}}}\n"),
        device_slice("nic.example.com", f"  - {{name: e0, attributes: {{{nic}}}}}\n", name="s2"),
        claim(
            request(name="g") + request(name="nic", device_class="nic"),
            f"    constraints:\n    - requests: [g, nic]\n      matchAttribute: {attribute}{mark}\n",
        ),
    )


def _config(driver: str, mark: str = "") -> str:
    config = f"    config:\n    - opaque:\n        driver: {driver}{mark}\n        parameters: {{a: b}}\n"
    return together(_WORLD, claim(request(), config))


def _capacity(name: str, mark: str = "") -> str:
    devices = "  - {name: g0, capacity: {gpu.example.com/memory: {value: 40Gi}}}\n"
    asked = request(f"        capacity:\n          requests:\n            {name}: 8Gi{mark}\n")
    return together(NODE, GPU_CLASS, gpu_slice(devices), claim(asked))


def _shared(policy: str, asked: str, mark: str = "") -> str:
    capacity = f"{{memory: {{value: 40Gi{policy}}}}}{mark}"
    devices = f"  - name: g0\n    allowMultipleAllocations: true\n    capacity: {capacity}\n"
    return together(NODE, GPU_CLASS, gpu_slice(devices), claim(request(asked)))


def _sized(memory: str) -> str:
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: p, namespace: default}}
spec:
  containers:
  - name: c
    image: i
    resources:
      requests:
        memory: {memory}
"""


def _alternatives(first: str, second: str) -> str:
    return together(_WORLD, claim(f"    - name: r\n      firstAvailable:\n      - {first}\n      - {second}\n"))


def _tolerating(toleration: str, taint: str = "{key: a, value: x, effect: NoSchedule}") -> str:
    devices = f"  - {{name: g0, taints: [{taint}]}}\n"
    asked = request(f"        tolerations:\n        - {toleration}\n")
    return together(NODE, GPU_CLASS, gpu_slice(devices), claim(asked))


_ANY: Final = "{name: any, deviceClassName: gpu}"
_ONE: Final = "{name: one, deviceClassName: gpu, selectors: [{cel: {expression: 'device.driver != \"x\"'}}]}"
_MANY: Final = "".join(f"  - {{name: g{number}}}\n" for number in range(40))


def _quota(*names: str) -> str:
    hard = "".join(f"    {name}: 4\n" for name in names)
    quota = f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q, namespace: default}}\nspec:\n  hard:\n{hard}"
    marked = re.sub(r"( # <- DRA\d+)(.*)", r"\2\1", quota)
    extended = GPU_CLASS + "  extendedResourceName: example.com/gpu\n"
    node = NODE.replace('pods: "110"', 'pods: "110", example.com/mig-2g.10gb: "1"')
    return together(node, extended, claim(request()), marked)


_SPARE: Final = GPU_CLASS.replace("gpu}", "spare}")

CASES: Final[dict[str, tuple[str, str]]] = {
    "DRA101": (
        together(_WORLD.replace("example.com\"'}\n", "exmaple.com\"'} # <- DRA101\n"), claim(request())),
        together(_WORLD, claim(request())),
    ),
    "DRA102": (
        together(
            NODE,
            GPU_CLASS,
            gpu_slice("  - {name: g0, attributes: {model: {string: a1000}}}\n"),
            claim(request(_selector('device.attributes["gpu.example.com"].model == "A1000"', " # <- DRA102"))),
        ),
        together(
            NODE,
            GPU_CLASS,
            gpu_slice("  - {name: g0, attributes: {model: {string: a1000}}}\n"),
            claim(request(_selector('device.attributes["gpu.example.com"].model == "a1000"'))),
        ),
    ),
    "DRA103": (
        together(
            NODE,
            GPU_CLASS,
            gpu_slice("  - {name: g0, attributes: {mig: {bool: true}}}\n  - {name: g1}\n"),
            claim(request(_selector('device.attributes["gpu.example.com"].mig', " # <- DRA103"))),
        ),
        together(
            NODE,
            GPU_CLASS,
            gpu_slice("  - {name: g0, attributes: {mig: {bool: true}}}\n  - {name: g1}\n"),
            claim(request(_selector('device.attributes["gpu.example.com"].?mig.orValue(false)'))),
        ),
    ),
    "DRA104": (
        together(GPU_CLASS, claim(request(_selector('device.driver == "other.example.com"', " # <- DRA104")))),
        together(GPU_CLASS, claim(request(_selector('device.driver == "gpu.example.com"')))),
    ),
    "DRA105": (
        _aligned(
            "resource.kubernetes.io/pcieRoot",
            "resource.kubernetes.io/pcieRoot: {string: a}",
            "root: {string: a}",
            " # <- DRA105",
        ),
        _aligned("resource.kubernetes.io/pcieRoot", *["resource.kubernetes.io/pcieRoot: {string: a}"] * 2),
    ),
    "DRA106": (
        _aligned("example.com/numa", "example.com/numa: {int: 0}", "example.com/numa: {string: '0'}", " # <- DRA106"),
        _aligned("example.com/numa", "example.com/numa: {int: 0}", "example.com/numa: {int: 0}"),
    ),
    "DRA107": (
        together(GPU_CLASS, claim(request(device_class="gpus # <- DRA107"))),
        together(GPU_CLASS, claim(request(device_class="of-another-file"))),
    ),
    "DRA108": (
        together(
            GPU_CLASS + "  extendedResourceName: example.com/gpu\n",
            GPU_CLASS.replace("gpu}", "old}") + "  extendedResourceName: example.com/gpu # <- DRA108\n",
        ),
        together(
            GPU_CLASS + "  extendedResourceName: example.com/gpu\n",
            GPU_CLASS.replace("gpu}", "old}") + "  extendedResourceName: example.com/old\n",
        ),
    ),
    "DRA109": (_config("gpu.exmaple.com", " # <- DRA109"), _config("gpu.example.com")),
    "DRA110": (_capacity("memory", " # <- DRA110"), _capacity("gpu.example.com/memory")),
    "DRA111": (_shared("", "", " # <- DRA111"), _shared("", "        capacity: {requests: {memory: 1Gi}}\n")),
    "DRA112": (
        together(
            NODE,
            GPU_CLASS,
            gpu_slice(_MANY),
            claim(request("        count: 20\n", name="a") + request("        count: 20 # <- DRA112\n", name="b")),
        ),
        together(
            NODE,
            GPU_CLASS,
            gpu_slice(_MANY),
            claim(request("        count: 20\n", name="a") + request("        count: 12\n", name="b")),
        ),
    ),
    "DRA113": (
        together(_WORLD, claim(request("        count: 3 # <- DRA113\n"))),
        together(_WORLD, claim(request("        count: 2\n"))),
    ),
    "DRA114": (_alternatives(_ANY, f"{_ONE} # <- DRA114"), _alternatives(_ONE, _ANY)),
    "DRA115": (
        _tolerating("{key: a, value: other, effect: NoSchedule} # <- DRA115"),
        _tolerating("{key: a, value: x, effect: NoSchedule}"),
    ),
    "DRA116": (
        _tolerating("{key: a, operator: Exists} # <- DRA116", "{key: a, effect: NoExecute}"),
        _tolerating("{key: a, operator: Exists, effect: NoExecute}", "{key: a, effect: NoExecute}"),
    ),
    "DRA117": (_tolerating("{} # <- DRA117"), _tolerating("{operator: Exists, effect: NoSchedule}")),
    "DRA118": (
        together(_WORLD, _SPARE.replace("v1\nkind", "v1 # <- DRA118\nkind"), claim(request())),
        together(_WORLD, _SPARE, claim(request()), claim(request(device_class="spare"), name="d")),
    ),
    "DRA119": (
        _quota(
            *(
                f"{name} # <- DRA119"
                for name in (
                    "gpu.deviceclass.resource.k8s.io/device",
                    "gpu.deviceclass.resource.kubernetes.io/devices",
                    "gpus.deviceclass.resource.k8s.io/devices",
                    "count/resourceclaim.resource.k8s.io",
                    "count/resourceclaims",
                    "count/resourceclaims.resource.k8.io",
                    "requests.example.com/gpus",
                    "limits.example.com/gpu",
                    "example.com/gpu",
                )
            )
        ),
        _quota(
            "gpu.deviceclass.resource.k8s.io/devices",
            "of-another-file.deviceclass.resource.k8s.io/devices",
            "count/resourceclaims.resource.k8s.io",
            "count/widgets.example.com",
            "count/configmaps",
            "requests.example.com/gpu",
            "requests.deviceclass.resource.kubernetes.io/gpu",
            "requests.example.com/of-another-file",
            "requests.example.com/mig-1g.5gb",
            "gold.storageclass.storage.k8s.io/requests.storage",
            "example.com/anything",
            "requests.cpu",
            "pods",
        ),
    ),
    "DRA120": (
        _tolerating(
            "key: a\n          value: x\n          effect: NoSchedule\n          tolerationSeconds: 9 # <- DRA120"
        ),
        _tolerating(
            "{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 9}", "{key: a, effect: NoExecute}"
        ),
    ),
    "DRA122": (_sized("12m # <- DRA122"), _sized("12Mi")),
    "DRA121": (
        together(
            GPU_CLASS,
            claim(
                request(),
                "    constraints:\n    - matchAttribute: a.b/c\n      distinctAttribute: a.b/d # <- DRA121\n",
            ),
        ),
        together(
            GPU_CLASS,
            claim(
                request(),
                "    constraints:\n    - matchAttribute: a.b/c\n    - distinctAttribute: a.b/d\n",
            ),
        ),
    ),
}
