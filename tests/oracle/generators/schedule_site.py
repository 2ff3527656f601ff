"""Random "schedule" cases of whole sites: zones, racks, kinds of nodes, and workloads of many equal pods.

    python -m tests.oracle.generators.schedule_site --seed N --count M [--nodes 60] [--pods 120] > cases.jsonl

The other generators turn one screw in a small cluster; here an operator's cluster has all of it at once: GPU nodes with
taints, partitioned and shared devices, nodes that still have a device plugin, CPU devices, a fabric, deployments that
spread, gangs, extended resources, prioritized lists, shared claims, preemption, and now and then a scheduler that is
configured otherwise. Half of the cases are smaller than the given sizes.
"""

import argparse
import json
import random
from collections.abc import Callable
from typing import Any

from tests.oracle.generators.schedule import Obj
from tests.oracle.generators.schedule_focus import (
    GPU,
    HOST,
    ZONE,
    Focus,
    add_affinity,
    more_extended,
    node_wishes,
    pod_level,
    spice_device,
)

NIC = "nic.loom.test"
MIG = "mig.forge.test"
DIE = "cpu.loom.test"
FABRIC = "net.loom.test"
GIB = 1024 * 1024 * 1024
RACK = "rack"
PLUGINS = (
    "TaintToleration",
    "NodeAffinity",
    "PodTopologySpread",
    "InterPodAffinity",
    "DynamicResources",
    "NodeResourcesFit",
    "NodeResourcesBalancedAllocation",
    "ImageLocality",
)


class Site(Focus):
    """A cluster of several kinds of nodes, each kind alike, and workloads whose pods are alike."""

    def __init__(self, rng: random.Random, nodes: int, pods: int) -> None:
        super().__init__(rng)
        self.size, self.room = nodes, pods
        self.names = iter(f"extra-{number}" for number in range(10_000))
        self.zones = [f"zone-{letter}" for letter in "abc"[: rng.choice([1, 2, 3, 3])]]
        self.kinds: dict[str, list[str]] = {}
        self.workloads = 0

    def add_kind(self, kind: str, count: int, capacity: Obj, taint: Obj | None = None) -> list[str]:
        names = [f"{kind}-{number}" for number in range(len(self.kinds.get(kind, [])), count)]
        for number, name in enumerate(names):
            zone = self.zones[number % len(self.zones)]
            labels = {HOST: name, ZONE: zone, RACK: f"{zone}-{number % 4}", "kind": kind}
            node: Obj = {
                "metadata": {"name": name, "labels": labels},
                "status": {"capacity": capacity | {"pods": "110"}},
            }
            if taint is not None:
                node["spec"] = {"taints": [taint]}
            if self.maybe(0.03):
                node.setdefault("spec", {})["unschedulable"] = True
            self.nodes.append(node)
        self.kinds.setdefault(kind, []).extend(names)
        return names

    # --- workloads ---

    def workload(self, replicas: int, **spec: Any) -> list[Obj]:
        """Equal pods, as a Deployment makes them."""
        name = f"work-{self.workloads}"
        self.workloads += 1
        requests = {
            "cpu": self.rng.choice(["250m", "500m", "1", "2", "3500m"]),
            "memory": self.rng.choice(["256Mi", "1Gi", "3Gi", "8Gi"]),
        }
        pods = []
        for number in range(replicas):
            container: Obj = {"name": "main", "image": "app:v1", "resources": {"requests": dict(requests)}}
            metadata: Obj = {"name": f"{name}-{number}", "namespace": "default", "labels": {"app": name}}
            pods.append({"metadata": metadata, "spec": {"containers": [container], **json.loads(json.dumps(spec))}})
        self.pods.extend(pods)
        return pods

    def owned(self, pods: list[Obj]) -> None:
        labels = pods[0]["metadata"]["labels"]
        name = labels["app"]
        uid = f"uid-rs-{name}"
        spec = {
            "replicas": len(pods),
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}},
        }
        self.replica_sets.append({"metadata": {"name": name, "namespace": "default", "uid": uid}, "spec": spec})
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": uid, "controller": True}
        for pod in pods:
            pod["metadata"]["ownerReferences"] = [owner]

    def claim_for_each(self, pods: list[Obj], *requests: Obj, entry: str = "dev", **devices: Any) -> None:
        name = f"tpl-{len(self.templates)}"
        self.add_template(name, {"devices": {"requests": list(requests), **devices}})
        self.use(pods, {"name": entry, "resourceClaimTemplateName": name})

    def use(self, pods: list[Obj], entry: Obj) -> None:
        for pod in pods:
            pod["spec"].setdefault("resourceClaims", []).append(dict(entry))
            pod["spec"]["containers"][0]["resources"].setdefault("claims", []).append({"name": entry["name"]})

    def replicas(self) -> int:
        return min(self.rng.choice([1, 2, 3, 5, 8, 13, 20]), max(1, self.room - len(self.pods)))

    def case(self, gates: dict[str, bool]) -> Obj:
        found = super().case(gates)
        if self.maybe(0.35):
            found["config"] = {"configuration": configuration(self)}
        return found


def want(class_name: str, **more: Any) -> Obj:
    return {"deviceClassName": class_name, **more}


def request(class_name: str, name: str = "main", **more: Any) -> Obj:
    return {"name": name, "exactly": want(class_name, **more)}


TOLERATE_GPU: Obj = {"tolerations": [{"key": "dedicated", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}]}


# --- the scheduler ----------------------------------------------------------------------------------------------------


def configuration(c: Site) -> Obj:
    """A configuration of the default profile: how resources are scored, and which plugins count how much."""
    kind = c.rng.choice(["LeastAllocated", "MostAllocated", "MostAllocated", "RequestedToCapacityRatio"])
    names = ["cpu", "memory", *(["forge.test/gpu"] if c.maybe(0.5) else [])]
    strategy: Obj = {"type": kind, "resources": [{"name": each, "weight": c.rng.randint(1, 5)} for each in names]}
    if kind == "RequestedToCapacityRatio":
        points = sorted(c.rng.sample(range(1, 100), c.rng.randint(0, 2)))
        shape = [{"utilization": each, "score": c.rng.randint(0, 10)} for each in (0, *points, 100)]
        strategy["requestedToCapacityRatio"] = {"shape": shape}
    plugin_config: list[Obj] = [{"name": "NodeResourcesFit", "args": {"scoringStrategy": strategy}}]
    if c.maybe(0.3):
        hard = {"hardPodAffinityWeight": c.rng.choice([0, 10, 100])}
        c.chance(hard, "ignorePreferredTermsOfExistingPods", 0.5, True)
        plugin_config.append({"name": "InterPodAffinity", "args": hard})
    if c.maybe(0.3):
        constraint = {"maxSkew": c.rng.randint(1, 3), "topologyKey": c.rng.choice([ZONE, RACK, HOST])}
        spread = {
            "defaultingType": "List",
            "defaultConstraints": [constraint | {"whenUnsatisfiable": "ScheduleAnyway"}],
        }
        plugin_config.append({"name": "PodTopologySpread", "args": spread})
    if c.maybe(0.3):
        balanced = c.rng.sample(["cpu", "memory", "ephemeral-storage"], c.rng.randint(1, 3))
        args = {"resources": [{"name": name, "weight": 1} for name in balanced]}
        plugin_config.append({"name": "NodeResourcesBalancedAllocation", "args": args})
    profile: Obj = {"schedulerName": "default-scheduler", "pluginConfig": plugin_config}
    if c.maybe(0.6):
        changed = c.rng.sample(PLUGINS, c.rng.randint(1, 3))
        kept = [name for name in changed if c.maybe(0.6)]
        profile["plugins"] = {
            "score": {
                "disabled": [{"name": name} for name in changed],
                "enabled": [{"name": name, "weight": c.rng.choice([1, 3, 10])} for name in kept],
            }
        }
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [profile],
    }


# --- what the nodes offer ---------------------------------------------------------------------------------------------


def gpu_nodes(c: Site, count: int) -> None:
    each = c.rng.choice([1, 2, 4, 8])
    taint = {
        "key": "dedicated",
        "value": "gpu",
        "effect": c.rng.choice(["NoSchedule", "NoSchedule", "PreferNoSchedule"]),
    }
    names = c.add_kind("gpu", count, {"cpu": "32", "memory": "256Gi"}, taint if c.maybe(0.6) else None)
    models = c.rng.sample(["m10", "m20", "m40"], 2)
    for number, name in enumerate(names):
        devices = []
        for index in range(each):
            attributes = {
                "model": {"string": models[number % 2]},
                "numa": {"int": index * 2 // each},
                "resource.kubernetes.io/pcieRoot": {"string": f"pci0000:{index // 2:02x}"},
            }
            device: Obj = {"name": f"gpu-{index}", "attributes": attributes}
            device["capacity"] = {"memory": {"value": "80Gi" if number % 2 else "40Gi"}}
            if c.maybe(0.03):
                device["taints"] = [c.taint()]
            else:
                c.free.setdefault(name, []).append((GPU, name, device["name"]))
            devices.append(device)
        c.add_slice(f"{name}-gpu", GPU, name, devices, nodeName=name)
        if c.maybe(0.02):
            c.slices[-1]["spec"]["pool"]["resourceSliceCount"] = 2
    c.add_class("gpu", GPU, extended="forge.test/gpu")
    c.add_class("big", GPU, extra=f'device.capacity["{GPU}"].memory.isGreaterThan(quantity("50Gi"))')


def legacy_nodes(c: Site, count: int) -> None:
    c.add_kind("legacy", count, {"cpu": "16", "memory": "64Gi", "forge.test/gpu": c.rng.choice(["1", "2", "4"])})


def plain_nodes(c: Site, count: int) -> None:
    for name in c.add_kind("plain", count, {"cpu": c.rng.choice(["8", "16"]), "memory": "64Gi"}):
        if c.maybe(0.3):
            node = next(each for each in c.nodes if each["metadata"]["name"] == name)
            size = c.rng.choice([90, 400, 900]) * 1024 * 1024
            node["status"]["images"] = [{"names": ["app:v1"], "sizeBytes": size}]


def mig_nodes(c: Site, count: int) -> None:
    for name in c.add_kind("mig", count, {"cpu": "16", "memory": "128Gi"}):
        counters = {"slots": {"value": "7"}, "memory": {"value": "80Gi"}}
        c.add_slice(f"{name}-mig-0", MIG, name, [], count=2, nodeName=name)
        c.slices[-1]["spec"]["sharedCounters"] = [{"name": "chip", "counters": counters}]
        devices = []
        for size, memory, number in ((1, 10, 7), (2, 20, 3), (3, 40, 2), (7, 80, 1)):
            for index in range(number):
                takes = {"slots": {"value": str(size)}, "memory": {"value": f"{memory}Gi"}}
                attributes = {"profile": {"string": f"{size}g"}}
                consumes = [{"counterSet": "chip", "counters": takes}]
                devices.append({"name": f"mig-{size}g-{index}", "attributes": attributes, "consumesCounters": consumes})
        c.add_slice(f"{name}-mig-1", MIG, name, devices, count=2, nodeName=name)
    c.add_class("mig", MIG)


def shared_nics(c: Site) -> None:
    for name in c.rng.sample(c.node_names(), max(1, len(c.nodes) // 2)):
        policy = {"default": "5", "validRange": {"min": "5", "max": "100", "step": "5"}}
        devices = [
            {
                "name": f"nic-{index}",
                "attributes": {"numa": {"int": index}},
                "capacity": {"bandwidth": {"value": "100", "requestPolicy": policy}},
                "allowMultipleAllocations": True,
            }
            for index in range(2)
        ]
        c.add_slice(f"{name}-nic", NIC, name, devices, nodeName=name)
    c.add_class("nic", NIC)


def fabric(c: Site) -> None:
    devices: list[Obj] = [{"name": f"port-{index}"} for index in range(c.rng.randint(4, 24))]
    zone = c.rng.choice([None, *c.zones])
    if zone is None:
        where: Obj = {"allNodes": True}
    else:
        expression = {"key": ZONE, "operator": "In", "values": [zone]}
        where = {"nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
    if c.maybe(0.25):
        binding: Obj = {"bindingConditions": ["loom.test/up"], "bindingFailureConditions": ["loom.test/down"]}
        devices = [device | binding | {"bindsToNode": True} for device in devices]
    c.add_slice("fabric", FABRIC, "fabric", devices, **where)
    c.add_class("port", FABRIC, extended="loom.test/port")


def cpu_devices(c: Site) -> None:
    for name in c.rng.sample(c.node_names(), max(1, len(c.nodes) // 3)):
        devices: list[Obj] = []
        for index in range(2):
            device: Obj = {"name": f"die-{index}", "attributes": {"numa": {"int": index}}}
            device["nodeAllocatableResources"] = {"cpu": {"mapping": {"deviceMultiplier": "4"}}}
            spice_device(c, device)
            devices.append(device)
        c.add_slice(f"{name}-die", DIE, name, devices, nodeName=name)
    c.add_class("die", DIE)


# --- who wants it -----------------------------------------------------------------------------------------------------


def gpu_job(c: Site) -> None:
    pods = c.workload(c.replicas(), **TOLERATE_GPU)
    count = c.rng.choice([1, 1, 2, 4])
    requests = [request(c.rng.choice(["gpu", "gpu", "big"]), allocationMode="ExactCount", count=count)]
    devices: Obj = {}
    if count > 1 and c.maybe(0.5):
        devices["constraints"] = [{"matchAttribute": c.rng.choice([f"{GPU}/numa", "resource.kubernetes.io/pcieRoot"])}]
    if c.maybe(0.2):
        requests.append(request("nic", "nic", capacity={"requests": {"bandwidth": c.rng.choice(["5", "40"])}}))
    c.claim_for_each(pods, *[each for each in requests if known(c, each)], **devices)
    if c.maybe(0.3):
        for pod in pods:
            pod["spec"]["priority"] = 100


def known(c: Site, wanted: Obj) -> bool:
    return any(item["metadata"]["name"] == wanted["exactly"]["deviceClassName"] for item in c.classes)


def preferring_job(c: Site) -> None:
    pods = c.workload(c.replicas(), **TOLERATE_GPU)
    names = [item["metadata"]["name"] for item in c.classes if item["metadata"]["name"] != "die"]
    chosen = c.rng.sample(names, min(len(names), c.rng.choice([2, 3])))
    options = [{"name": f"pick-{index}", **want(name)} for index, name in enumerate(chosen)]
    c.claim_for_each(pods, {"name": "any", "firstAvailable": options})


def extended_job(c: Site) -> None:
    pods = c.workload(c.replicas(), **TOLERATE_GPU)
    implicit = "deviceclass.resource.kubernetes.io/"
    name = c.rng.choice(["forge.test/gpu", "forge.test/gpu", "loom.test/port", f"{implicit}big", f"{implicit}mig"])
    number = c.rng.randint(1, 2)
    for pod in pods:
        more_extended(pod["spec"]["containers"][0], {name: number})
    for kind in ("initContainers", "sidecar"):
        if c.maybe(0.3):
            image = {"name": kind.lower(), "image": "side:v2", "resources": {"requests": {"cpu": "100m"}}}
            for pod in pods:
                other = json.loads(json.dumps(image))
                if c.workloads % 2:
                    more_extended(other, {name: 1})
                if kind == "sidecar":
                    other["restartPolicy"] = "Always"
                pod["spec"].setdefault("initContainers", []).append(other)


def mig_job(c: Site) -> None:
    pods = c.workload(c.replicas())
    profile = c.rng.choice(["1g", "2g", "3g"])
    expression = f'device.attributes["{MIG}"].profile == "{profile}"'
    c.claim_for_each(pods, request("mig", selectors=[{"cel": {"expression": expression}}]))


def nic_job(c: Site) -> None:
    pods = c.workload(c.replicas())
    bandwidth = {"requests": {"bandwidth": c.rng.choice(["5", "10", "35", "60"])}}
    c.claim_for_each(pods, request("nic", capacity=bandwidth))


def die_job(c: Site) -> None:
    pods = c.workload(c.replicas())
    c.claim_for_each(pods, request("die"))
    if c.maybe(0.4):
        level = pod_level(c)
        for pod in pods:
            pod["spec"]["resources"] = json.loads(json.dumps(level))


def port_job(c: Site) -> None:
    c.claim_for_each(c.workload(c.replicas()), request("port"))


def web(c: Site) -> None:
    """Without devices: spread, kept apart, on ports of the node."""
    pods = c.workload(c.replicas())
    if c.maybe(0.5):
        c.owned(pods)
    labels = pods[0]["metadata"]["labels"]
    if c.maybe(0.5):
        constraint: Obj = {
            "maxSkew": c.rng.choice([1, 1, 2]),
            "topologyKey": c.rng.choice([ZONE, HOST, RACK]),
            "whenUnsatisfiable": c.rng.choice(["DoNotSchedule", "ScheduleAnyway"]),
            "labelSelector": {"matchLabels": labels},
        }
        c.chance(constraint, "nodeTaintsPolicy", 0.4, "Honor")
        for pod in pods:
            pod["spec"]["topologySpreadConstraints"] = [dict(constraint)]
    elif c.maybe(0.4):
        term = {"labelSelector": {"matchLabels": labels}, "topologyKey": c.rng.choice([HOST, RACK])}
        anti = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
        for pod in pods:
            pod["spec"]["affinity"] = json.loads(json.dumps(anti))
    if c.maybe(0.2):
        for pod in pods:
            pod["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 8080}]
    if c.maybe(0.2):
        for pod in pods:
            pod["spec"]["overhead"] = {"cpu": "250m", "memory": "120Mi"}


def company(c: Site) -> None:
    """Pods that want to be near others, or away from them."""
    pods = c.workload(c.replicas())
    target = c.rng.choice(c.pods)["metadata"]["labels"]["app"]
    term = {"labelSelector": {"matchLabels": {"app": target}}, "topologyKey": c.rng.choice([ZONE, RACK, HOST])}
    preferred = {"weight": c.rng.choice([1, 50, 100]), "podAffinityTerm": term}
    kind = c.rng.choice(["podAffinity", "podAntiAffinity"])
    how: Obj = {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]}
    if c.maybe(0.3):
        how = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    for pod in pods:
        pod["spec"]["affinity"] = {kind: json.loads(json.dumps(how))}


def sharing(c: Site) -> None:
    """One claim for all pods of a workload."""
    class_name = c.rng.choice([item["metadata"]["name"] for item in c.classes])
    name = c.add_claim(f"shared-{c.workloads}", {"devices": {"requests": [request(class_name)]}})
    c.use(c.workload(c.replicas(), **TOLERATE_GPU), {"name": "shared", "resourceClaimName": name})


def gang(c: Site) -> None:
    """A group that starts together, with a device for each and perhaps one for all."""
    size = c.rng.choice([2, 4, 8])
    pods = c.workload(size, **TOLERATE_GPU)
    name = f"crew-{c.workloads}"
    policy = {"gang": {"minCount": c.rng.choice([size, size, max(1, size - 1)])}}
    group: Obj = {"metadata": {"name": name, "namespace": "default"}, "spec": {"schedulingPolicy": policy}}
    c.claim_for_each(pods, request("gpu"))
    if any(item["metadata"]["name"] == "port" for item in c.classes) and c.maybe(0.6):
        c.add_template(f"{name}-port", {"devices": {"requests": [request("port")]}})
        entry = {"name": "crew", "resourceClaimTemplateName": f"{name}-port"}
        group["spec"]["resourceClaims"] = [entry]
        c.use(pods, entry)
    priority = c.rng.choice([None, None, 50])
    if priority is not None:
        group["spec"]["priority"] = priority
    for pod in pods:
        pod["spec"]["schedulingGroup"] = {"podGroupName": name}
        if priority is not None:
            pod["spec"]["priority"] = priority
    c.groups.append(group)


def important(c: Site) -> None:
    """Large pods that may push others off."""
    pods = c.workload(c.rng.randint(1, 3), priority=c.rng.choice([10, 1000]))
    for pod in pods:
        pod["spec"]["containers"][0]["resources"]["requests"] = {"cpu": "7", "memory": "4Gi"}
        c.chance(pod["spec"], "preemptionPolicy", 0.2, "Never")


def odd_ones(c: Site) -> None:
    """Single pods with wishes of every kind."""
    for _ in range(c.rng.randint(1, 3)):
        pod = c.any_pod("gpu")
        node_wishes(c, pod, 0.3)
        add_affinity(c, pod, 0.2, 0.3)
        c.chance(pod["spec"], "schedulingGates", 0.05, [{"name": "hold.forge.test/wait"}])


def running(c: Site) -> None:
    """What runs already; every one since another time, so that preemption can tell them apart."""
    for number in range(c.rng.randint(0, len(c.nodes))):
        if c.maybe(0.3):
            c.running_pod(with_device=True)
        else:
            c.bare_pod(nodeName=c.rng.choice(c.node_names()))
        pod = c.pods[-1]
        pod["spec"]["priority"] = c.rng.choice([0, 0, 5])
        pod["status"] = {"startTime": f"2026-01-01T{number // 60:02d}:{number % 60:02d}:00Z"}


def fill(c: Site) -> None:
    total = c.rng.choice([c.size, max(3, c.size // 2), max(3, c.size // 4)])
    c.room = max(4, c.room * total // c.size)
    gpu_nodes(c, max(1, total * c.rng.choice([2, 4, 6]) // 10))
    plain_nodes(c, max(1, total * c.rng.choice([1, 2, 4]) // 10))
    wants: list[Callable[[Site], None]] = [gpu_job, gpu_job, web, web, company, sharing, extended_job, odd_ones, gang]
    if c.maybe(0.5):
        legacy_nodes(c, max(1, total // 10))
    if c.maybe(0.5):
        mig_nodes(c, max(1, total // 5))
        wants += [mig_job, mig_job]
    offers: list[tuple[Callable[[Site], None], Callable[[Site], None]]] = [
        (shared_nics, nic_job),
        (fabric, port_job),
        (cpu_devices, die_job),
    ]
    for offer, job in offers:
        if c.maybe(0.5):
            offer(c)
            wants.append(job)
    wants += [preferring_job, important]
    running(c)
    c.room += len(c.pods)
    while len(c.pods) < c.room:
        c.rng.choice(wants)(c)


def make_case(seed: int, index: int, nodes: int, pods: int) -> Obj:
    rng = random.Random(f"site/{seed}/{index}")
    site = Site(rng, nodes, pods)
    fill(site)
    return {"id": f"schedule-site-{seed}-{index:04d}", "input": site.case({})}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=60)
    parser.add_argument("--pods", type=int, default=120)
    options = parser.parse_args()
    for index in range(options.count):
        print(json.dumps(make_case(options.seed, index, options.nodes, options.pods), separators=(",", ":")))


if __name__ == "__main__":
    main()
