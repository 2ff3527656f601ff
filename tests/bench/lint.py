"""How long lint takes on a large cluster: `python -m tests.bench.lint [NODES PODS]`.

Every pod has a claim template of its own, with a selector and a constraint. Once without a mistake, then with the same
mistake in every template: what many have in common is to be looked at once.
"""

import sys
import time
from typing import Final

from dractl.api.identities import ObjectRef
from dractl.manifests import Source, survey
from dractl.planner.admission import admit
from dractl.planner.linting import lint
from dractl.planner.settings import Settings

NODE: Final = """apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{kubernetes.io/hostname: {name}, pool: gpu}}}}
spec: {{taints: [{{key: example.com/gpu, effect: NoSchedule}}]}}
status: {{allocatable: {{cpu: '64', memory: 256Gi, pods: '110'}}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}}}
spec:
  driver: gpu.example.com
  nodeName: {name}
  pool: {{name: {name}, generation: 1, resourceSliceCount: 1}}
  devices: [{devices}]
"""
DEVICE: Final = (
    "{{name: gpu-{number}, attributes: {{model: {{string: A100}}, resource.kubernetes.io/numaNode: {{int: {numa}}}}}}}"
)
CLASS: Final = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}
"""
POD: Final = """apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: t-{number}}}
spec:
  spec:
    devices:
      requests:
      - name: r
        exactly:
          deviceClassName: gpu
          count: 2
          selectors: [{{cel: {{expression: 'device.attributes["gpu.example.com"].model == "{model}"'}}}}]
      constraints: [{{matchAttribute: {attribute}}}]
---
apiVersion: v1
kind: Pod
metadata: {{name: p-{number}}}
spec:
  nodeSelector: {{pool: gpu}}
  tolerations: [{{key: example.com/gpu, operator: Exists}}]
  resourceClaims: [{{name: c, resourceClaimTemplateName: t-{number}}}]
  containers: [{{name: c, image: i, resources: {{claims: [{{name: c}}]}}}}]
"""
WORLDS: Final = {
    "no mistake": ("A100", "resource.kubernetes.io/numaNode"),
    "a value that no device has": ("A10O", "resource.kubernetes.io/numaNode"),
    "an attribute that no device has": ("A100", "example.com/numaNode"),
}


def world(nodes: int, pods: int, model: str, attribute: str) -> str:
    """The manifests of one input."""
    devices = ", ".join(DEVICE.format(number=each, numa=each % 2) for each in range(8))
    return "---\n".join(
        [
            *(NODE.format(name=f"node-{each}", devices=devices) for each in range(nodes)),
            CLASS,
            *(POD.format(number=each, model=model, attribute=attribute) for each in range(pods)),
        ]
    )


def main() -> None:
    """Print for each world how long reading and looking take."""
    nodes, pods = (int(each) for each in sys.argv[1:3] or ("500", "2000"))
    for name, (model, attribute) in WORLDS.items():
        source = Source("world.yaml", world(nodes, pods, model, attribute).encode())
        start = time.perf_counter()
        admission = admit(survey([source]).objects, Settings())
        read = time.perf_counter()
        found = lint(admission.objects, admission.gates, {}, unread=frozenset[ObjectRef]()).findings
        looked = time.perf_counter()
        print(f"{name}: read in {read - start:.1f} s, looked at in {looked - read:.1f} s, {len(found)} findings")


if __name__ == "__main__":
    main()
