"""Whole inputs as plain data, read and planned as the command does it."""

import json
from collections.abc import Mapping
from typing import Any

from dractl.cluster.node_machine import NodeMachine
from dractl.manifests import Source, read
from dractl.planner.plan import Plan
from dractl.planner.planning import plan
from dractl.planner.settings import Settings
from dractl.solution.outcomes import PodOutcome

DRIVER = "gpu.example.com"


def planned(
    *objects: dict[str, Any], settings: Settings | None = None, machines: Mapping[str, NodeMachine] | None = None
) -> Plan:
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
    return plan(read([Source("world.json", text.encode())]).objects, settings or Settings(), machines=machines)


def outcome(of: Plan, pod: str) -> PodOutcome:
    return next(each for each in of.prediction.outcomes if each.pod.name == pod)


def devices(of: PodOutcome) -> list[str]:
    """The devices that the pod's placement allocates."""
    assert of.placement is not None, of
    allocations = of.placement.allocations.values()
    return [result.device for each in allocations for result in each.devices.results or ()]


def node(name: str, cpu: str = "8", **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "labels": {"kubernetes.io/hostname": name}}
    allocatable = {"cpu": cpu, "memory": "32Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": metadata,
        "spec": spec,
        "status": {"allocatable": allocatable},
    }


def gpu_class() -> dict[str, Any]:
    selector = {"cel": {"expression": f'device.driver == "{DRIVER}"'}}
    return _resource("DeviceClass", "gpu", {"selectors": [selector]})


def gpus(on: str, *names: str, **spec: Any) -> dict[str, Any]:
    """A pool of one slice on a node; a name may be a whole device."""
    pool = {"name": on, "generation": 1, "resourceSliceCount": 1}
    listed = [name if isinstance(name, dict) else {"name": name} for name in names]
    return _resource(
        "ResourceSlice", f"slice-{on}", {"driver": DRIVER, "pool": pool, "nodeName": on, "devices": listed, **spec}
    )


def claim(name: str, count: int = 1, **devices: Any) -> dict[str, Any]:
    request = {"name": "r", "exactly": {"deviceClassName": "gpu", "count": count}}
    return _resource("ResourceClaim", name, {"devices": {"requests": [request], **devices}}, namespace="default")


def template(name: str, count: int = 1) -> dict[str, Any]:
    request = {"name": "r", "exactly": {"deviceClassName": "gpu", "count": count}}
    spec = {"spec": {"devices": {"requests": [request]}}}
    return _resource("ResourceClaimTemplate", name, spec, namespace="default")


def pod(name: str, *claims: str, cpu: str = "1", of_template: str = "", **spec: Any) -> dict[str, Any]:
    entries = [{"name": each, "resourceClaimName": each} for each in claims]
    if of_template:
        entries.append({"name": "own", "resourceClaimTemplateName": of_template})
    container = {"name": "c", "image": "example.com/app:1", "resources": {"requests": {"cpu": cpu}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": [container], "resourceClaims": entries, **spec},
    }


def _resource(kind: str, name: str, spec: dict[str, Any], namespace: str = "") -> dict[str, Any]:
    metadata = {"name": name, "namespace": namespace} if namespace else {"name": name}
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": metadata, "spec": spec}
