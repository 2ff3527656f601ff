"""Random "schedule" cases, each recipe about one way in which a node is decided.

    python -m tests.oracle.generators.schedule_focus --seed N --count M [--only RECIPE] > cases.jsonl

`schedule` mixes; here every recipe turns one screw as far as it goes: affinity between pods, spreading, groups, extended
resources, CPU and memory that come with devices, preemption, and what a node alone decides.
"""

import argparse
import json
import random
from collections.abc import Callable
from typing import Any

from tests.oracle.generators.schedule import MODELS, ZONES, Cluster, Obj

HOST = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
APPS = ("red", "blue", "green")
GPU = "gpu.forge.test"


class Focus(Cluster):
    """A case under construction, with the pieces that only these recipes need."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.namespaces: list[Obj] = []
        self.services: list[Obj] = []
        self.stateful_sets: list[Obj] = []
        self.names = iter(f"{bird}-{number}" for number in range(3) for bird in _birds(rng))

    def case(self, gates: dict[str, bool]) -> Obj:
        found = super().case(gates)
        for key, items in (
            ("namespaces", self.namespaces),
            ("services", self.services),
            ("statefulSets", self.stateful_sets),
        ):
            if items:
                found[key] = items
        return found

    def with_gpus(self, low: int = 1, high: int = 4, miss: float = 0.1) -> str:
        name = self.add_class("gpu", GPU)
        self.add_node_pools(GPU, low, high, miss=miss)
        return name

    def bare_pod(self, **spec: Any) -> Obj:
        pod = self.add_pod(calm=True, **spec)
        pod["metadata"]["labels"] = {"app": self.rng.choice(APPS)}
        if self.maybe(0.3):
            pod["metadata"]["labels"]["release"] = self.rng.choice(["one", "two"])
        return pod

    def device_pod(self, class_name: str, **spec: Any) -> Obj:
        pod = self.bare_pod(**spec)
        name = f"tpl-{len(self.templates)}"
        self.add_template(name, self.spec(class_name, GPU, rich=False))
        entry = {"name": "dev", "resourceClaimTemplateName": name}
        pod["spec"]["resourceClaims"] = [entry]
        pod["spec"]["containers"][0]["resources"]["claims"] = [{"name": "dev"}]
        return pod

    def any_pod(self, class_name: str, **spec: Any) -> Obj:
        return self.device_pod(class_name, **spec) if self.maybe(0.5) else self.bare_pod(**spec)

    def running(self, low: int, high: int) -> list[Obj]:
        count = self.rng.randint(low, high)
        return [self.bare_pod(nodeName=self.rng.choice(self.node_names())) for _ in range(count)]

    def chance(self, target: Obj, key: str, chance: float, *values: Any) -> None:
        if self.maybe(chance):
            target[key] = self.rng.choice(values)


def _birds(rng: random.Random) -> list[str]:
    names = ["lark", "wren", "finch", "heron", "crane", "swift", "robin", "raven", "stork", "tern", "plover", "grebe"]
    rng.shuffle(names)
    return names


# -- affinity and spreading --------------------------------------------------------------------


def label_selector(c: Focus) -> Obj:
    kind = c.rng.random()
    if kind < 0.55:
        return {"matchLabels": {"app": c.rng.choice(APPS)}}
    if kind < 0.7:
        return {"matchExpressions": [{"key": "app", "operator": "In", "values": c.rng.sample(APPS, 2)}]}
    if kind < 0.8:
        return {"matchExpressions": [{"key": "release", "operator": c.rng.choice(["Exists", "DoesNotExist"])}]}
    if kind < 0.9:
        return {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": [c.rng.choice(APPS)]}]}
    return {}


def pod_term(c: Focus) -> Obj:
    term: Obj = {"labelSelector": label_selector(c), "topologyKey": c.rng.choice([HOST, ZONE, ZONE, "bay"])}
    if c.maybe(0.15):
        term["namespaces"] = c.rng.sample(["default", "other"], c.rng.randint(1, 2))
    elif c.maybe(0.15):
        term["namespaceSelector"] = c.rng.choice([{}, {"matchLabels": {"team": "a"}}])
    if c.maybe(0.05):
        del term["labelSelector"]
    return term


def add_affinity(c: Focus, pod: Obj, required: float, preferred: float) -> None:
    for key in ("podAffinity", "podAntiAffinity"):
        part: Obj = {}
        if c.maybe(required if key == "podAntiAffinity" else required / 2):
            terms = [pod_term(c) for _ in range(c.rng.choice([1, 1, 2]))]
            part["requiredDuringSchedulingIgnoredDuringExecution"] = terms
        if c.maybe(preferred):
            part["preferredDuringSchedulingIgnoredDuringExecution"] = [
                {"weight": c.rng.choice([1, 7, 50, 100]), "podAffinityTerm": pod_term(c)}
                for _ in range(c.rng.choice([1, 2]))
            ]
        if part:
            pod["spec"].setdefault("affinity", {})[key] = part


def recipe_affinity(c: Focus) -> None:
    """Company wanted and unwanted, by the pods that come and by those that are there."""
    c.add_nodes(2)
    gpu = c.with_gpus()
    for name in ("default", "other"):
        c.namespaces.append({"metadata": {"name": name, "labels": {"team": c.rng.choice(["a", "b"])}}})
    for pod in c.running(1, 4):
        add_affinity(c, pod, 0.25, 0.3)
        c.chance(pod["metadata"], "namespace", 0.25, "other")
    for _ in range(c.rng.randint(2, 7)):
        pod = c.any_pod(gpu)
        add_affinity(c, pod, 0.35, 0.35)
        c.chance(pod["spec"], "priority", 0.15, 5, 50)


def spread_constraint(c: Focus, key: str) -> Obj:
    constraint: Obj = {
        "maxSkew": c.rng.choice([1, 1, 2, 3]),
        "topologyKey": key,
        "whenUnsatisfiable": c.rng.choice(["DoNotSchedule", "DoNotSchedule", "ScheduleAnyway"]),
        "labelSelector": label_selector(c),
    }
    if constraint["whenUnsatisfiable"] == "DoNotSchedule":
        c.chance(constraint, "minDomains", 0.2, 1, 2, 3)
    c.chance(constraint, "nodeAffinityPolicy", 0.25, "Ignore", "Honor")
    c.chance(constraint, "nodeTaintsPolicy", 0.25, "Ignore", "Honor")
    c.chance(constraint, "matchLabelKeys", 0.15, ["release"])
    if c.maybe(0.04):
        del constraint["labelSelector"]
        constraint.pop("matchLabelKeys", None)
    return constraint


def recipe_spread(c: Focus) -> None:
    """Constraints of spreading, hard and soft, and the system's own."""
    c.add_nodes(3, taints=0.3)
    for node in c.nodes:
        if c.maybe(0.15):
            del node["metadata"]["labels"][ZONE]
    gpu = c.with_gpus(2, 4)
    for pod in c.running(0, 5):
        if c.maybe(0.15):
            pod["metadata"] |= {"deletionTimestamp": "2026-01-02T03:04:05Z", "finalizers": ["forge.test/hold"]}
        c.chance(pod["metadata"], "namespace", 0.1, "other")
    if c.maybe(0.5):
        name = c.rng.choice(APPS)
        spec = {"selector": {"app": name}, "ports": [{"port": 80}]}
        c.services.append({"metadata": {"name": "front", "namespace": "default"}, "spec": spec})
    with_set = c.maybe(0.4)
    if with_set:
        c.stateful_sets.append(stateful_set())
    for _ in range(c.rng.randint(3, 8)):
        pod = c.any_pod(gpu)
        if c.maybe(0.7):
            keys = c.rng.sample([HOST, ZONE, "bay"], c.rng.choice([1, 1, 2]))
            pod["spec"]["topologySpreadConstraints"] = [spread_constraint(c, key) for key in keys]
        elif with_set and c.maybe(0.7):
            owned_by_set(pod)
        node_wishes(c, pod, 0.25)


def stateful_set() -> Obj:
    labels = {"app": "green"}
    spec = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}}, "serviceName": "x"}
    return {"metadata": {"name": "shards", "namespace": "default", "uid": "uid-sts-shards"}, "spec": spec}


def owned_by_set(pod: Obj) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "shards", "uid": "uid-sts-shards"}
    pod["metadata"]["labels"]["app"] = "green"
    pod["metadata"]["ownerReferences"] = [owner | {"controller": True}]


# -- the node alone ----------------------------------------------------------------------------


def node_wishes(c: Focus, pod: Obj, chance: float) -> None:
    spec = pod["spec"]
    if c.maybe(chance):
        spec["tolerations"] = [
            c.rng.choice(
                [
                    {"operator": "Exists"},
                    {"operator": "Exists", "effect": "NoSchedule"},
                    {"key": "lent", "operator": "Equal", "value": "yes", "effect": "PreferNoSchedule"},
                    {"key": "node.kubernetes.io/unschedulable", "operator": "Exists", "effect": "NoSchedule"},
                ]
            )
        ]
    if c.maybe(chance):
        terms = [node_term(c) for _ in range(c.rng.choice([1, 1, 2]))]
        spec.setdefault("affinity", {})["nodeAffinity"] = {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}
        }
    if c.maybe(chance):
        preferred = [{"weight": c.rng.choice([1, 10, 80]), "preference": node_term(c, names=False)}]
        spec.setdefault("affinity", {}).setdefault("nodeAffinity", {})[
            "preferredDuringSchedulingIgnoredDuringExecution"
        ] = preferred
    if c.maybe(chance / 2):
        spec["nodeSelector"] = {ZONE: c.rng.choice(ZONES)}


def node_term(c: Focus, names: bool = True) -> Obj:
    term: Obj = {}
    if names and c.maybe(0.4):
        wanted = c.rng.sample([*c.node_names(), "nowhere"], c.rng.choice([1, 1, 1]))
        operator = c.rng.choice(["In", "In", "In", "NotIn"])
        term["matchFields"] = [{"key": "metadata.name", "operator": operator, "values": wanted}]
    if not term or c.maybe(0.4):
        term["matchExpressions"] = [
            c.rng.choice(
                [
                    {"key": ZONE, "operator": "In", "values": [c.rng.choice(ZONES)]},
                    {"key": ZONE, "operator": "NotIn", "values": [c.rng.choice(ZONES)]},
                    {"key": "bay", "operator": "Exists"},
                    {"key": "bay", "operator": "DoesNotExist"},
                    {"key": "cores", "operator": "Gt", "values": ["4"]},
                    {"key": "cores", "operator": "Lt", "values": ["9"]},
                ]
            )
        ]
    return term


def recipe_node(c: Focus) -> None:
    """Names, labels, taints, cordons, ports, images and the number of pods."""
    c.add_nodes(2, taints=0.4)
    for node in c.nodes:
        node["metadata"]["labels"]["cores"] = node["status"]["capacity"]["cpu"]
        c.chance(node.setdefault("spec", {}), "unschedulable", 0.1, True)
        c.chance(node["status"]["capacity"], "pods", 0.25, "1", "2", "3")
        c.chance(node["status"]["capacity"], "ephemeral-storage", 0.5, "1Gi", "10Gi")
        c.chance(node["status"]["capacity"], "hugepages-2Mi", 0.3, "64Mi", "1Gi")
        c.chance(node["status"]["capacity"], "forge.test/license", 0.3, "1", "2")
        if c.maybe(0.4):
            node["status"]["images"] = [
                {"names": c.rng.choice([["app:v1"], ["app:latest", "app@sha256:1"], ["side:v2", "app:v1"]]),
                 "sizeBytes": c.rng.choice([20, 90, 300, 900, 1800]) * 1024 * 1024}
            ]  # fmt: skip
        if c.maybe(0.3):
            node["status"]["allocatable"] = node["status"]["capacity"] | {"cpu": "1900m", "memory": "3Gi"}
        if c.maybe(0.2):
            node["spec"].setdefault("taints", []).append({"key": "gone", "effect": "NoExecute"})
    gpu = c.with_gpus()
    c.running(0, 3)
    for _ in range(c.rng.randint(3, 7)):
        pod = c.any_pod(gpu)
        node_wishes(c, pod, 0.4)
        container = pod["spec"]["containers"][0]
        c.chance(container, "image", 0.5, "app", "app:latest", "side:v2", "registry.test:5000/app")
        if c.maybe(0.25):
            port: Obj = {"containerPort": 80, "hostPort": c.rng.choice([80, 443])}
            c.chance(port, "hostIP", 0.4, "10.0.0.1", "0.0.0.0")
            c.chance(port, "protocol", 0.3, "UDP", "TCP")
            container["ports"] = [port]
        for name, amount in (("ephemeral-storage", "2Gi"), ("hugepages-2Mi", "128Mi"), ("forge.test/license", "1")):
            if c.maybe(0.15):
                container["resources"].setdefault("requests", {})[name] = amount
                container["resources"].setdefault("limits", {})[name] = amount
        c.chance(pod["spec"], "overhead", 0.1, {"cpu": "250m", "memory": "100Mi"})
        c.chance(pod["spec"], "priority", 0.2, 1, 2)


# -- groups ------------------------------------------------------------------------------------


def recipe_gangs(c: Focus) -> None:
    """Groups with claims of the group before and after own ones, and with members of every kind."""
    c.add_nodes(2, taints=0.1)
    gpu = c.with_gpus(1, 3)
    c.classes[0]["spec"]["extendedResourceName"] = "forge.test/gpu"
    net = c.add_class("net", "net.loom.test")
    c.add_network_pool("net.loom.test", c.rng.randint(1, 3))
    c.running(0, 2)
    for index in range(c.rng.randint(1, 3)):
        gang(c, f"crew-{index}", gpu, net)
        if c.maybe(0.3):
            c.any_pod(gpu)


def gang(c: Focus, name: str, gpu: str, net: str) -> None:
    size = c.rng.randint(1, 4)
    policy: Obj = {"gang": {"minCount": c.rng.randint(1, size + (1 if c.maybe(0.15) else 0))}}
    group: Obj = {
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"schedulingPolicy": {"basic": {}} if c.maybe(0.2) else policy},
    }
    priority = c.rng.choice([None, None, 10])
    if priority is not None:
        group["spec"]["priority"] = priority
    shared: list[Obj] = []
    if c.maybe(0.6):
        c.add_template(f"{name}-tpl", c.spec(net if c.maybe(0.6) else gpu, "net.loom.test", rich=False))
        shared.append({"name": "crew", "resourceClaimTemplateName": f"{name}-tpl"})
    if c.maybe(0.2):
        c.add_claim(f"{name}-named", c.spec(net, "net.loom.test", rich=False))
        shared.append({"name": "named", "resourceClaimName": f"{name}-named"})
    if shared:
        group["spec"]["resourceClaims"] = shared
    c.groups.append(group)
    c.add_template(f"{name}-own", c.spec(gpu, GPU, rich=False))
    shared_first = c.maybe(0.3)
    for _ in range(size):
        own = [{"name": "own", "resourceClaimTemplateName": f"{name}-own"}] if c.maybe(0.6) else []
        pod = c.bare_pod()
        entries = [*shared, *own] if shared_first else [*own, *shared]
        if entries:
            pod["spec"]["resourceClaims"] = entries
            pod["spec"]["containers"][0]["resources"]["claims"] = [{"name": each["name"]} for each in entries]
        pod["spec"]["schedulingGroup"] = {"podGroupName": name}
        if priority is not None:
            pod["spec"]["priority"] = priority
        c.chance(pod["spec"], "priority", 0.03, 7)
        c.chance(pod["spec"], "schedulingGates", 0.03, [{"name": "hold.forge.test/wait"}])
        if c.maybe(0.12):
            more_extended(pod["spec"]["containers"][0], {"forge.test/gpu": 1})
        if c.maybe(0.2):
            add_affinity(c, pod, 0.3, 0.3)
        node_wishes(c, pod, 0.1)


# -- extended resources ------------------------------------------------------------------------


def more_extended(container: Obj, counts: dict[str, int]) -> None:
    resources = container.setdefault("resources", {})
    for name, count in counts.items():
        resources.setdefault("requests", {})[name] = str(count)
        resources.setdefault("limits", {})[name] = str(count)


def recipe_resources(c: Focus) -> None:
    """Extended resources: several classes and names, many containers, device plugins on some nodes."""
    c.add_nodes(1, 5, taints=0.1)
    c.add_class("gpu", GPU, extended="forge.test/gpu")
    if c.maybe(0.5):
        big = f'device.attributes["{GPU}"].model == "{c.rng.choice(MODELS)}"'
        c.add_class("alt", GPU, extended=c.rng.choice(["forge.test/gpu", "forge.test/alt"]), extra=big)
    if c.maybe(0.5):
        c.add_class("net", "net.loom.test", extended="loom.test/port")
        c.add_network_pool("net.loom.test", c.rng.randint(1, 4))
    if c.maybe(0.6):
        for item in c.classes:
            item["metadata"]["creationTimestamp"] = f"2026-01-0{c.rng.randint(1, 2)}T00:00:00Z"
    c.add_node_pools(GPU, 1, 4, taints=0.1)
    known = ["forge.test/gpu", "deviceclass.resource.kubernetes.io/gpu", "deviceclass.resource.kubernetes.io/alt"]
    names = [*known, "forge.test/alt", "loom.test/port"]
    for node in c.nodes:
        for name in ("forge.test/gpu", "loom.test/port"):
            c.chance(node["status"]["capacity"], name, 0.2, "0", "1", "3")
    for _ in range(c.rng.randint(0, 1)):
        c.running_pod()
    for _ in range(c.rng.randint(1, 5)):
        extended_pod(c, names)


def extended_pod(c: Focus, names: list[str]) -> None:
    pod = c.device_pod("gpu") if c.maybe(0.2) else c.bare_pod()
    first = pod["spec"]["containers"][0]
    wanted = c.rng.sample(names, c.rng.choice([1, 1, 2]))
    more_extended(first, {name: c.rng.randint(1, 2) for name in wanted})
    for index in range(c.rng.choice([0, 0, 1, 2, 10])):
        other: Obj = {"name": f"more-{index}", "image": "app:v1", "resources": {}}
        if c.maybe(0.5):
            other["resources"]["requests"] = {"cpu": "10m", "ephemeral-storage": "1Mi"}
        if c.maybe(0.4):
            more_extended(other, {c.rng.choice(wanted): c.rng.randint(1, 2)})
        kind = c.rng.choice(["app", "init", "sidecar"])
        if kind == "sidecar":
            other["restartPolicy"] = "Always"
        key = "containers" if kind == "app" else "initContainers"
        pod["spec"].setdefault(key, []).append(other)
    c.chance(pod["spec"], "priority", 0.15, 5, 50)


# -- CPU and memory with devices ---------------------------------------------------------------


def recipe_allocatable(c: Focus) -> None:
    """Devices that stand for CPU, memory or hugepages, or need them beside; pod-level resources; sharing."""
    c.add_nodes(1, 4, taints=0)
    for node in c.nodes:
        c.chance(node["status"]["capacity"], "hugepages-2Mi", 0.5, "256Mi", "1Gi")
    die = c.add_class("die", "cpu.loom.test")
    c.add_cpu_devices("cpu.loom.test")
    for item in c.slices:
        for device in item["spec"]["devices"]:
            spice_device(c, device)
    if c.maybe(0.5):
        c.add_claim("common", {"devices": {"requests": [{"name": "main", "exactly": {"deviceClassName": die}}]}})
    for pod in c.running(0, 2):
        c.chance(pod["spec"], "resources", 0.2, {"requests": {"cpu": "2"}})
    for _ in range(c.rng.randint(2, 6)):
        allocatable_pod(c, die)


def spice_device(c: Focus, device: Obj) -> None:
    found = device["nodeAllocatableResources"]
    if c.maybe(0.25):
        found["hugepages-2Mi"] = {"mapping": {"deviceMultiplier": c.rng.choice(["64Mi", "128Mi"])}}
    if c.maybe(0.25):
        extra = {"perPod": c.rng.choice(["100m", "250m"])}
        c.chance(extra, "perContainer", 0.6, "50m", "333m")
        found.setdefault("cpu", {})["overhead"] = extra
    if c.maybe(0.1):
        found["ephemeral-storage"] = {"overhead": {"perContainer": "1Gi"}}


def allocatable_pod(c: Focus, die: str) -> None:
    want: Obj = {"deviceClassName": die}
    if c.maybe(0.35):
        want["capacity"] = {"requests": {"cores": str(c.rng.randint(1, 6))}}
    c.chance(want, "count", 0.2, 2)
    pod = c.bare_pod()
    entries = []
    if c.claims and c.maybe(0.35):
        entries.append({"name": "common", "resourceClaimName": "common"})
    if not entries or c.maybe(0.6):
        name = f"tpl-{len(c.templates)}"
        c.add_template(name, {"devices": {"requests": [{"name": "main", "exactly": want}]}})
        entries.append({"name": "own", "resourceClaimTemplateName": name})
    pod["spec"]["resourceClaims"] = entries
    first = pod["spec"]["containers"][0]
    first["resources"]["claims"] = [{"name": each["name"]} for each in entries if c.maybe(0.8)]
    c.chance(first["resources"], "limits", 0.2, {"cpu": "2", "memory": "4Gi"}, {"hugepages-2Mi": "64Mi"})
    for index in range(c.rng.choice([0, 0, 1, 2])):
        other: Obj = {"name": f"more-{index}", "image": "app:v1", "resources": {"requests": {"cpu": "100m"}}}
        other["resources"]["claims"] = [{"name": each["name"]} for each in entries if c.maybe(0.5)]
        kind = c.rng.choice(["containers", "initContainers"])
        c.chance(other, "restartPolicy", 0.5 if kind == "initContainers" else 0, "Always")
        pod["spec"].setdefault(kind, []).append(other)
    if c.maybe(0.3):
        first["resources"].pop("limits", None)
        pod["spec"]["resources"] = pod_level(c)
    c.chance(pod["spec"], "overhead", 0.1, {"cpu": "250m", "memory": "100Mi"})
    c.chance(pod["spec"], "priority", 0.15, 10)


def pod_level(c: Focus) -> Obj:
    """As stored: whoever names a limit finds a request beside it."""
    requests: Obj = {"cpu": c.rng.choice(["3", "4", "8"])}
    c.chance(requests, "memory", 0.5, "6Gi", "8Gi")
    c.chance(requests, "hugepages-2Mi", 0.2, "128Mi")
    if "hugepages-2Mi" not in requests and c.maybe(0.6):
        return {"requests": requests}
    return {"requests": requests, "limits": {name: "8" if name == "cpu" else requests[name] for name in requests}}


# -- preemption --------------------------------------------------------------------------------


def recipe_pushing(c: Focus) -> None:
    """Crowded nodes and important pods: who has to go, and what that does not help."""
    c.add_nodes(1, 4, taints=0.1, uneven=0.5)
    for node in c.nodes:
        node["status"]["capacity"]["cpu"] = c.rng.choice(["2", "4"])
        c.chance(node["status"]["capacity"], "pods", 0.2, "3")
    gpu = c.with_gpus(1, 3)
    for index, pod in enumerate(c.running(2, 8)):
        pod["spec"]["priority"] = c.rng.choice([0, 1, 5, 20])
        requests = {"cpu": c.rng.choice(["500m", "1", "1500m"]), "memory": "1Gi"}
        pod["spec"]["containers"][0]["resources"]["requests"] = requests
        if c.maybe(0.6):
            pod["status"] = {"startTime": f"2026-01-0{c.rng.randint(1, 4)}T00:00:0{index}Z"}
        c.chance(pod["spec"]["containers"][0], "ports", 0.2, [{"containerPort": 80, "hostPort": 80}])
        if c.maybe(0.15):
            add_affinity(c, pod, 0.5, 0)
    for _ in range(c.rng.randint(1, 5)):
        pod = c.any_pod(gpu, priority=c.rng.choice([0, 1, 10, 100]))
        c.chance(pod["spec"], "preemptionPolicy", 0.15, "Never")
        requests = {"cpu": c.rng.choice(["500m", "1", "2", "3"]), "memory": "1Gi"}
        pod["spec"]["containers"][0]["resources"]["requests"] = requests
        c.chance(pod["spec"]["containers"][0], "ports", 0.2, [{"containerPort": 80, "hostPort": 80}])
        if c.maybe(0.2):
            add_affinity(c, pod, 0.4, 0)
        if c.maybe(0.2):
            pod["spec"]["topologySpreadConstraints"] = [spread_constraint(c, c.rng.choice([HOST, ZONE]))]
        node_wishes(c, pod, 0.1)


RECIPES: list[tuple[int, Callable[[Focus], None]]] = [
    (4, recipe_affinity),
    (4, recipe_spread),
    (3, recipe_node),
    (4, recipe_gangs),
    (4, recipe_resources),
    (3, recipe_allocatable),
    (3, recipe_pushing),
]


def make_case(seed: int, index: int, only: str) -> Obj:
    rng = random.Random(f"focus/{seed}/{index}")
    recipes = [(weight, each) for weight, each in RECIPES if only in ("", each.__name__.removeprefix("recipe_"))]
    recipe = rng.choices([each for _, each in recipes], [weight for weight, _ in recipes])[0]
    cluster = Focus(rng)
    recipe(cluster)
    name = recipe.__name__.removeprefix("recipe_")
    return {"id": f"schedule-focus-{seed}-{index:04d}-{name}", "input": cluster.case({})}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="", metavar="RECIPE")
    options = parser.parse_args()
    for index in range(options.count):
        print(json.dumps(make_case(options.seed, index, options.only), separators=(",", ":")))


if __name__ == "__main__":
    main()
