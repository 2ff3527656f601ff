"""A cluster with two nodes, four devices and two running pods, in one place for tests of pools and taints."""

NOW = "2026-01-31T12:00:00Z"


def node(name: str) -> str:
    amounts = '{cpu: "8", memory: 64Gi, pods: "110"}'
    return f"""apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{kubernetes.io/hostname: {name}}}}}
status: {{allocatable: {amounts}, capacity: {amounts}}}
"""


def slice_of(name: str, devices: str, *, pool: str = "", count: int = 1, extra: str = "") -> str:
    """A slice of a node; its name is the node's with `-gpus`."""
    return f"""apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}-gpus}}
spec:
  driver: gpu.example.com
  nodeName: {name}
  pool: {{name: {pool or name}, generation: 1, resourceSliceCount: {count}}}
  devices: {devices}
  {extra}
"""


DEVICE_CLASS = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}
"""


def held(claim: str, pod: str, device: str, *, tolerations: str = "[]", node: str = "node-a") -> str:
    """A claim of the namespace ml that holds a device of the node's pool, reserved for a pod."""
    return f"""apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: {claim}
  namespace: ml
  uid: {claim}-uid
  finalizers: [resource.kubernetes.io/delete-protection]
spec:
  devices:
    requests:
    - name: r
      exactly: {{deviceClassName: gpu, allocationMode: ExactCount, count: 1, tolerations: {tolerations}}}
status:
  allocation:
    devices:
      results: [{{request: r, driver: gpu.example.com, pool: {node}, device: {device}, tolerations: {tolerations}}}]
    nodeSelector: {{nodeSelectorTerms: [{{matchFields: [{{key: metadata.name, operator: In, values: [{node}]}}]}}]}}
  reservedFor: [{{resource: pods, name: {pod}, uid: {pod}-uid}}]
"""


def pod(name: str, claim: str, *, more: str = "", node: str = "node-a", status: str = "phase: Running") -> str:
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: ml, uid: {name}-uid{more}}}
spec:
  nodeName: {node}
  containers: [{{name: c, image: i, resources: {{claims: [{{name: gpu}}]}}}}]
  resourceClaims: [{{name: gpu, resourceClaimName: {claim}}}]
status: {{{status}}}
"""


def bystanders(number: int) -> list[str]:
    return [
        f"""apiVersion: v1
kind: Pod
metadata: {{name: other-{each}, namespace: web, uid: other-{each}-uid}}
spec: {{nodeName: node-b, containers: [{{name: c, image: i}}]}}
status: {{phase: Running}}
"""
        for each in range(number)
    ]


def rule(effect: str = "NoExecute", selector: str = "{pool: node-a}", *, name: str = "fw", more: str = "") -> str:
    return f"""apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {{name: {name}}}
spec:
  deviceSelector: {selector}
  taint: {{key: example.com/fw, effect: {effect}{more}}}
"""


def world(*documents: str) -> str:
    return "---\n".join(documents)


CONTROLLED = ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train, uid: j, controller: true}]"

CLUSTER = (
    node("node-a"),
    node("node-b"),
    DEVICE_CLASS,
    slice_of("node-a", "[{name: gpu-0}, {name: gpu-1}]"),
    slice_of("node-b", "[{name: gpu-0}, {name: gpu-1}]"),
    held("c-0", "train-0", "gpu-0"),
    pod("train-0", "c-0", more=CONTROLLED),
    *bystanders(3),
)
"""`train-0` runs on node-a with gpu-0; three of four running pods use no device."""
