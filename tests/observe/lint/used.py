"""Rules about who uses what, and about taint rules."""

from typing import Final

from tests.observe.lint.world import GPU_CLASS, NODE, claim, gpu_slice, pod, request, template, together

_DEPLOYMENT: Final = """apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: default}
spec:
  replicas: %d
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers: [{name: c, image: i, resources: {claims: [{name: e}]}}]
      resourceClaims: [{name: e, resourceClaimName: c}]
"""
_CLAIM: Final = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim%s
metadata: {name: %s, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
"""
_PRIORITY_CLASS: Final = """apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: training%s}
value: 1000
"""


def _ranked(more: str) -> str:
    return together(template("t"), pod("p", "{name: e, resourceClaimTemplateName: t}", more))


def _rule(selector: str) -> str:
    return f"""apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {{name: t}}
spec:
{selector}  taint: {{key: example.com/a, effect: NoExecute}}
"""


_GROUP: Final = """apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: %s, namespace: default}
spec:
  schedulingPolicy:
    gang:
      minCount: %s
"""
_MEMBER: Final = """apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: default}
spec:
  containers: [{name: c, image: i}]
  schedulingGroup:
    podGroupName: %s
"""
_NAMESPACE: Final = "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n"
_PLAIN_POD: Final = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p%s\nspec: {containers: [{name: c, image: i}]}\n"
_WITH_RESOURCE: Final = GPU_CLASS + "  extendedResourceName: example.com/gpu\n"
_REQUESTING: Final = """apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec:
  containers:
    - name: c
      image: i
      resources:
        limits:%s
"""
_LABELLED: Final = NODE.replace("hostname: n1", "hostname: n1, pool: gpu")
_SELECTING: Final = """apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec:
  nodeSelector: %s
  containers: [{name: c, image: i}]
"""
_TAINTED: Final = f"{NODE}spec: {{taints: [{{key: nvidia.com/gpu, value: present, effect: NoSchedule}}]}}\n"
_TOLERATING: Final = """apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec:
  tolerations:
  - operator: Exists
    key: %s
  containers: [{name: c, image: i}]
"""

_DEVICES: Final = together(NODE, gpu_slice())

CASES: Final[dict[str, tuple[str, str]]] = {
    "DRA201": (
        together(template("gpu-template"), template("b"), pod("p", "{name: e, resourceClaimTemplateName: b}"))
        + "---\n"
        + pod("q", "name: e\n    resourceClaimTemplateName: gpu-tmplate # <- DRA201"),
        together(template("gpu-template"), pod("p", "{name: e, resourceClaimTemplateName: gpu-template}")),
    ),
    "DRA202": (
        together(
            template("a").replace("v1\nkind", "v1 # <- DRA202\nkind"),
            _CLAIM % ("", "c"),
            pod("p", "{name: e, resourceClaimName: c}"),
        ),
        together(template("a"), pod("p", "{name: e, resourceClaimTemplateName: a}")),
    ),
    "DRA203": (
        together(
            "# a second claim\n" + (_CLAIM % ("", "b")).replace("v1\nkind", "v1 # <- DRA203\nkind"), claim(request())
        ),
        together(claim(request())),
    ),
    "DRA204": (
        together(
            template("t"),
            pod("a", "{name: e, resourceClaimTemplateName: t}"),
            pod("b", "name: e\n    resourceClaimName: a-e # <- DRA204"),
        ),
        together(
            template("t"),
            pod("a", "{name: e, resourceClaimTemplateName: t}"),
            pod("b", "{name: e, resourceClaimTemplateName: t}"),
        ),
    ),
    "DRA205": (
        together((_CLAIM % ("", "c")).replace("v1\nkind", "v1 # <- DRA205\nkind"), _DEPLOYMENT % 257),
        together(_CLAIM % ("", "c"), _DEPLOYMENT % 256),
    ),
    "DRA206": (
        together(template("t"), pod("p", "{name: e, resourceClaimTemplateName: t}", "  nodeName: n1 # <- DRA206\n")),
        together(
            template("t"),
            pod("p", "{name: e, resourceClaimTemplateName: t}", "  nodeSelector: {kubernetes.io/hostname: n1}\n"),
        ),
    ),
    "DRA207": (
        together(_PRIORITY_CLASS % ", uid: u", _ranked("  priorityClassName: platform # <- DRA207\n")),
        together(_PRIORITY_CLASS % "", _ranked("  priorityClassName: platform\n")),
    ),
    "DRA208": (
        together(_WITH_RESOURCE, _REQUESTING % "\n          example.com/gpus: 1 # <- DRA208"),
        together(_WITH_RESOURCE, _REQUESTING % " {example.com/gpu: 1}"),
    ),
    "DRA209": (
        together(_NAMESPACE % "training", _PLAIN_POD % "\n  namespace: trainning # <- DRA209"),
        together(_NAMESPACE % "training", _PLAIN_POD % "\n  namespace: training"),
    ),
    "DRA210": (
        together(_LABELLED, _SELECTING % "{pool: gpus} # <- DRA210"),
        together(_LABELLED, _SELECTING % "{pool: spot}"),
    ),
    "DRA211": (
        together(_TAINTED, _TOLERATING % "nvidia.com/gpus # <- DRA211"),
        together(_TAINTED, _TOLERATING % "nvidia.com/gpu"),
    ),
    "DRA212": (
        together(_GROUP % ("pair", 1), _MEMBER % ("a", "pairs # <- DRA212")),
        together(_GROUP % ("pair", 1), _MEMBER % ("a", "pair")),
    ),
    "DRA213": (
        together(_GROUP % ("pair", "3 # <- DRA213\n"), _MEMBER % ("a", "pair"), _MEMBER % ("b", "pair")),
        together(_GROUP % ("pair", 2), _MEMBER % ("a", "pair"), _MEMBER % ("b", "pair")),
    ),
    "DRA401": (
        together(_DEVICES, _rule("  deviceSelector: {} # <- DRA401\n")),
        together(_DEVICES, _rule("  deviceSelector: {driver: gpu.example.com}\n")),
    ),
    "DRA402": (
        together(_DEVICES, _rule("  deviceSelector:\n    driver: gpu.example.com\n    pool: n2 # <- DRA402\n")),
        together(_DEVICES, _rule("  deviceSelector:\n    driver: gpu.example.com\n    pool: n1\n")),
    ),
}
