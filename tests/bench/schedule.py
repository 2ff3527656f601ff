"""How long the prediction of a cluster takes: `python -m tests.bench.schedule [--nodes N] [--pods N] [--profile]`."""

import argparse
import cProfile
import pstats
import time
from collections.abc import Iterable
from typing import Any

from dractl.api.codec import to_api
from dractl.api.core import Node, Pod
from dractl.api.defaults import with_defaults
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import DeviceClass, ResourceClaimTemplate, ResourceSlice
from dractl.cluster.cluster import Cluster
from dractl.errors import Origin, Place
from dractl.gates import gates_of
from dractl.planner.prediction import Predictor
from dractl.solution.outcomes import Verdict
from dractl.workloads.claims import make_claims

DRIVER = "gpu.example.com"
ZONES = ("a", "b", "c")
KINDS: dict[str, type] = {
    "Node": Node,
    "DeviceClass": DeviceClass,
    "ResourceSlice": ResourceSlice,
    "ResourceClaimTemplate": ResourceClaimTemplate,
    "Pod": Pod,
}


def node(number: int) -> dict[str, Any]:
    name = f"node-{number:04d}"
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": ZONES[number % len(ZONES)]}
    capacity = {"cpu": "64", "memory": "512Gi", "pods": "110"}
    return {"metadata": {"name": name, "labels": labels}, "status": {"capacity": capacity}}


def devices(number: int) -> dict[str, Any]:
    name = f"node-{number:04d}"
    listed = [
        {
            "name": f"gpu-{index}",
            "attributes": {"model": {"string": "large" if index % 2 else "small"}, "numa": {"int": index // 4}},
            "capacity": {"memory": {"value": "80Gi"}},
        }
        for index in range(8)
    ]
    pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
    return {
        "metadata": {"name": f"{name}-gpus"},
        "spec": {"driver": DRIVER, "pool": pool, "nodeName": name, "devices": listed},
    }


def template(name: str, count: int, expression: str) -> dict[str, Any]:
    exactly = {"deviceClassName": "gpu", "count": count, "selectors": [{"cel": {"expression": expression}}]}
    spec = {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}
    return {"metadata": {"name": name, "namespace": "ml"}, "spec": {"spec": spec}}


def pod(number: int) -> dict[str, Any]:
    container = {
        "name": "c",
        "image": "app:1",
        "resources": {"requests": {"cpu": "2", "memory": "8Gi"}, "claims": [{"name": "gpus"}]},
    }
    entry = {"name": "gpus", "resourceClaimTemplateName": "pair" if number % 3 else "one"}
    labels = {"app": f"app-{number % 10}"}
    return {
        "metadata": {"name": f"pod-{number:05d}", "namespace": "ml", "labels": labels},
        "spec": {"containers": [container], "resourceClaims": [entry], "priority": number % 2},
    }


def world(nodes: int, pods: int) -> ObjectSet:
    """Nodes of one kind with eight devices each, and pods that ask for one or two of them by class and expression."""
    selector = {"cel": {"expression": f'device.driver == "{DRIVER}"'}}
    gpu = {"metadata": {"name": "gpu"}, "spec": {"selectors": [selector]}}
    model = f'device.attributes["{DRIVER}"].model == "{{}}"'
    plain = [
        *(("Node", node(number)) for number in range(nodes)),
        ("DeviceClass", gpu),
        *(("ResourceSlice", devices(number)) for number in range(nodes)),
        ("ResourceClaimTemplate", template("pair", 2, model.format("large"))),
        ("ResourceClaimTemplate", template("one", 1, model.format("small"))),
        *(("Pod", pod(number)) for number in range(pods)),
    ]
    return ObjectSet(_sourced(plain))


def _sourced(plain: Iterable[tuple[str, dict[str, Any]]]) -> Iterable[Sourced[Any]]:
    place = Place(Origin("bench"))
    for kind, data in plain:
        ref = ObjectRef(kind, data["metadata"].get("namespace", ""), data["metadata"]["name"])
        yield Sourced(with_defaults(to_api(data, KINDS[kind])), ref, place, "v1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=100)
    parser.add_argument("--pods", type=int, default=300)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    gates = {gate.name for gate in gates_of("1.37").values() if gate.default}
    cluster = Cluster.of(make_claims(world(options.nodes, options.pods), gates).objects, gates)
    predictor = Predictor(cluster, {}, {})
    profile = cProfile.Profile()
    start, used = time.perf_counter(), time.process_time()
    if options.profile:
        profile.enable()
    answer = predictor.predict()
    profile.disable()
    seconds, processor = time.perf_counter() - start, time.process_time() - used
    placed = answer.count(Verdict.PLACED)
    per_pod = 1000 * processor / options.pods
    print(f"{options.nodes} nodes, {options.pods} pods: {placed} placed, {seconds:.2f} s ({processor:.2f} s of a core,")
    print(f"{per_pod:.2f} ms a pod)")
    if options.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(35)


if __name__ == "__main__":
    main()
