"""Plans made by hand: a world in a few lines of YAML, planned as the command line does it."""

from dractl.manifests import Locator, Source, survey
from dractl.planner.plan import Plan
from dractl.planner.planning import plan
from dractl.planner.settings import Settings
from dractl.report.view import View

NODE = """apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{kubernetes.io/hostname: {name}}}}}
status: {{allocatable: {{cpu: "8", memory: 16Gi, pods: "110"}}}}
"""
CLASS = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: {name}}}
spec: {{selectors: [{{cel: {{expression: device.driver == "{driver}"}}}}]}}
"""


def world(*documents: str) -> str:
    return "---\n".join(document if document.endswith("\n") else f"{document}\n" for document in documents)


def node(name: str = "n1") -> str:
    return NODE.format(name=name)


def device_class(name: str = "gpu", driver: str = "gpu.example.com") -> str:
    return CLASS.format(name=name, driver=driver)


def slice_of(*devices: str, name: str = "n1", driver: str = "gpu.example.com") -> str:
    """A whole pool of a node; a device is its name, or its fields in YAML's flow style."""
    listed = "\n".join(f"  - {each}" if each.startswith("{") else f"  - name: {each}" for each in devices)
    return f"""apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}-{driver}}}
spec:
  driver: {driver}
  nodeName: {name}
  pool: {{name: {name}, generation: 1, resourceSliceCount: 1}}
  devices:
{listed}
"""


def claim(requests: str, name: str = "gpus", constraints: str = "[]") -> str:
    return f"""apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}, namespace: ml}}
spec:
  devices:
    requests: {requests}
    constraints: {constraints}
"""


def request(name: str = "r", device_class: str = "gpu", **fields: object) -> str:
    more = "".join(f", {key}: {value}" for key, value in fields.items())
    return f"{{name: {name}, exactly: {{deviceClassName: {device_class}{more}}}}}"


def pod(name: str = "a", claim_name: str | None = "gpus", cpu: str = "1", more: str = "") -> str:
    claims = f"\n  resourceClaims: [{{name: devices, resourceClaimName: {claim_name}}}]" if claim_name else ""
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: ml}}
spec:
  containers:
  - name: c
    image: i
    resources: {{requests: {{cpu: "{cpu}"}}}}{claims}
{more}"""


def planned(*documents: str, settings: Settings | None = None) -> tuple[Plan, View]:
    """The plan of these documents, in the file `world.yaml`, and a view that finds its lines."""
    source = Source("world.yaml", world(*documents).encode())
    reading = survey([source])
    assert not reading.faults
    return plan(reading.objects, settings or Settings()), View(Locator([source]).locate)
