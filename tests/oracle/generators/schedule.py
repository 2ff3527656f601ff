"""Random "schedule" cases: small clusters with devices and the pods that want them.

    python -m tests.oracle.generators.schedule --seed N --count M > cases.jsonl

Every case follows one of the recipes below; a recipe decides what the cluster offers and which
kinds of pod appear, chance decides the rest. The same seed gives the same cases.
"""

import argparse
import json
import random
from collections.abc import Callable
from typing import Any

Obj = dict[str, Any]

NODE_NAMES = ["amber", "birch", "cedar", "dune", "ember", "fjord"]
POD_NAMES = ["lark", "wren", "finch", "heron", "crane", "swift", "robin", "raven", "stork", "tern", "plover", "grebe"]
ZONES = ["north", "south"]
MODELS = ["m10", "m20", "m40"]

# Documented DRA gates that v1.37 ships switched off.
OFF_BY_DEFAULT = [
    "DRADerivedAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAListTypeAttributes",
    "DRANodeAllocatableResources",
    "DRAOptionalNodeOperations",
    "DRAPartitionableDevicesType",
    "DRAResourcePoolStatus",
    "DRAWorkloadResourceClaims",
    "GenericWorkload",
]
# Each entry switches one feature off together with what depends on it.
SWITCHED_OFF = [
    ["DRAConsumableCapacity", "DRAFractionalCapacityRange"],
    ["DRAPartitionableDevices", "DRADeviceCompatibilityGroups", "DRAPartitionableDevicesType"],
    ["DRADeviceTaintRules"],
    ["DRADeviceTaints", "DRADeviceTaintRules"],
    ["DRADeviceBindingConditions"],
    ["DRANodeAllocatableResources"],
    ["DRAFractionalCapacityRange"],
    ["DRASchedulerFilterTimeout"],
]


class Cluster:
    """One case under construction."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.nodes: list[Obj] = []
        self.classes: list[Obj] = []
        self.slices: list[Obj] = []
        self.claims: list[Obj] = []
        self.templates: list[Obj] = []
        self.pods: list[Obj] = []
        self.rules: list[Obj] = []
        self.groups: list[Obj] = []
        self.replica_sets: list[Obj] = []
        self.free: dict[str, list[tuple[str, str, str]]] = {}
        self.names = iter(POD_NAMES)

    def maybe(self, chance: float) -> bool:
        return self.rng.random() < chance

    # -- nodes ---------------------------------------------------------------------------------

    def add_nodes(self, low: int = 1, high: int = 6, taints: float = 0.15, uneven: float = 0.7) -> None:
        cpu, memory = self.rng.choice(["4", "8", "16"]), self.rng.choice(["8Gi", "16Gi", "32Gi"])
        for name in NODE_NAMES[: self.rng.randint(low, high)]:
            if self.maybe(uneven):
                cpu, memory = self.rng.choice(["2", "4", "8", "16"]), self.rng.choice(["4Gi", "8Gi", "16Gi", "32Gi"])
            labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": self.rng.choice(ZONES)}
            if self.maybe(0.4):
                labels["bay"] = self.rng.choice(["left", "right"])
            node: Obj = {
                "metadata": {"name": name, "labels": labels},
                "status": {"capacity": {"cpu": cpu, "memory": memory, "pods": "110"}},
            }
            if self.maybe(taints):
                node.setdefault("spec", {})["taints"] = [
                    {"key": "lent", "value": "yes", "effect": self.rng.choice(["NoSchedule", "PreferNoSchedule"])}
                ]
            if self.maybe(0.03):
                node.setdefault("spec", {})["unschedulable"] = True
            if self.maybe(0.5):
                node["status"]["declaredFeatures"] = ["DRAOptionalNodeOperations"]
            if self.maybe(0.1):
                node["status"]["images"] = [
                    {"names": ["app:v1"], "sizeBytes": self.rng.choice([90, 300, 900]) * 1024 * 1024}
                ]
            self.nodes.append(node)

    def node_names(self) -> list[str]:
        return [node["metadata"]["name"] for node in self.nodes]

    # -- devices -------------------------------------------------------------------------------

    def add_class(self, name: str, driver: str | None, extended: str | None = None, extra: str | None = None) -> str:
        selectors = []
        if driver:
            selectors.append({"cel": {"expression": f'device.driver == "{driver}"'}})
        if extra:
            selectors.append({"cel": {"expression": extra}})
        spec: Obj = {"selectors": selectors} if selectors else {}
        if extended:
            spec["extendedResourceName"] = extended
        self.classes.append({"metadata": {"name": name}, "spec": spec})
        return name

    def add_slice(
        self, name: str, driver: str, pool: str, devices: list[Obj], count: int = 1, generation: int = 1, **where: Any
    ) -> Obj:
        spec: Obj = {"driver": driver, "pool": {"name": pool, "generation": generation, "resourceSliceCount": count}}
        spec.update(where or {"allNodes": True})
        if devices:
            spec["devices"] = devices
        item = {"metadata": {"name": name}, "spec": spec}
        self.slices.append(item)
        return item

    def plain_device(self, index: int, numa: bool = True) -> Obj:
        attributes: Obj = {
            "model": {"string": self.rng.choice(MODELS)},
            "firmware": {"version": self.rng.choice(["1.2.0", "1.10.1", "2.0.0-rc.1"])},
            "ecc": {"bool": self.maybe(0.5)},
        }
        if numa:
            attributes["numa"] = {"int": index % 2}
        return {
            "name": f"dev-{index}",
            "attributes": attributes,
            "capacity": {"memory": {"value": self.rng.choice(["16Gi", "24Gi", "40Gi"])}},
        }

    def add_node_pools(self, driver: str, low: int = 1, high: int = 4, miss: float = 0.15, taints: float = 0.0) -> None:
        for node in self.node_names():
            if self.maybe(miss):
                continue
            devices = [self.plain_device(i) for i in range(self.rng.randint(low, high))]
            for device in devices:
                if self.maybe(taints):
                    device["taints"] = [self.taint()]
                else:
                    self.free.setdefault(node, []).append((driver, node, device["name"]))
            if len(devices) > 1 and self.maybe(0.15):
                cut = self.rng.randint(1, len(devices) - 1)
                self.add_slice(f"{node}-{driver}-b", driver, node, devices[:cut], count=2, nodeName=node)
                self.add_slice(f"{node}-{driver}-a", driver, node, devices[cut:], count=2, nodeName=node)
            else:
                self.add_slice(f"{node}-{driver}", driver, node, devices, nodeName=node)
                if self.maybe(0.06):  # an outdated slice that must not count
                    self.add_slice(
                        f"{node}-{driver}-old", driver, node, [self.plain_device(9)], generation=0, nodeName=node
                    )
                elif self.maybe(0.05):  # a pool that is not complete
                    self.slices[-1]["spec"]["pool"]["resourceSliceCount"] = 2

    def add_network_pool(self, driver: str, count: int, **extra: Any) -> None:
        devices = [self.plain_device(i, numa=False) | extra for i in range(count)]
        kind = self.rng.choice(["all", "zone", "each"])
        if kind == "all":
            self.add_slice(f"net-{driver}", driver, "fabric", devices, allNodes=True)
        elif kind == "zone":
            self.add_slice(
                f"net-{driver}", driver, "fabric", devices, nodeSelector=zone_selector(self.rng.choice(ZONES))
            )
        else:
            for device in devices:
                device.update(
                    self.rng.choice(
                        [
                            {"allNodes": True},
                            {"nodeName": self.rng.choice(self.node_names())},
                            {"nodeSelector": zone_selector(self.rng.choice(ZONES))},
                        ]
                    )
                )
            self.add_slice(f"net-{driver}", driver, "fabric", devices, perDeviceNodeSelection=True)

    def add_partitionable(self, driver: str, groups: bool = False) -> None:
        for node in self.node_names():
            if self.maybe(0.2):
                continue
            total = self.rng.choice([4, 6, 8])
            self.add_slice(f"{node}-{driver}-counters", driver, node, [], count=2, nodeName=node)
            self.slices[-1]["spec"]["sharedCounters"] = [
                {"name": "chip", "counters": {"slots": {"value": str(total)}, "memory": {"value": f"{total * 10}Gi"}}}
            ]
            devices = []
            for size in (1, 2, 4):
                for index in range(max(1, total // size // 2)):
                    consumes: Obj = {
                        "counterSet": "chip",
                        "counters": {"slots": {"value": str(size)}, "memory": {"value": f"{size * 10}Gi"}},
                    }
                    if groups and self.maybe(0.7):
                        consumes["compatibilityGroups"] = [self.rng.choice(["solo", "pair"])]
                    devices.append(
                        {
                            "name": f"part-{size}-{index}",
                            "attributes": {"size": {"int": size}, "model": {"string": self.rng.choice(MODELS)}},
                            "consumesCounters": [consumes],
                        }
                    )
            self.add_slice(f"{node}-{driver}-parts", driver, node, devices, count=2, nodeName=node)

    def add_shareable(self, driver: str) -> None:
        for node in self.node_names():
            if self.maybe(0.2):
                continue
            devices = []
            for index in range(self.rng.randint(1, 3)):
                bandwidth: Obj = {"value": self.rng.choice(["10", "16"])}
                shared = self.maybe(0.85)
                policy = self.rng.choice(["none", "range", "values"]) if shared else "none"
                if policy == "range":
                    bandwidth["requestPolicy"] = {"default": "2", "validRange": {"min": "2", "max": "8", "step": "2"}}
                elif policy == "values":
                    bandwidth["requestPolicy"] = {"default": "1", "validValues": ["1", "4", "8"]}
                devices.append(
                    {
                        "name": f"nic-{index}",
                        "attributes": {"model": {"string": self.rng.choice(MODELS)}, "numa": {"int": index % 2}},
                        "capacity": {"bandwidth": bandwidth},
                        "allowMultipleAllocations": shared,
                    }
                )
            self.add_slice(f"{node}-{driver}", driver, node, devices, nodeName=node)

    def add_cpu_devices(self, driver: str) -> None:
        """Devices that stand for CPU and memory of the node itself."""
        for node in self.node_names():
            devices = []
            for index in range(self.rng.randint(1, 3)):
                kind = self.rng.choice(["capacity", "device", "overhead"])
                device: Obj = {"name": f"die-{index}", "attributes": {"numa": {"int": index}}}
                if kind == "capacity":
                    device["allowMultipleAllocations"] = True
                    device["capacity"] = {
                        "cores": {
                            "value": "8",
                            "requestPolicy": {"default": "1", "validRange": {"min": "1", "max": "8", "step": "1"}},
                        }
                    }
                    mapping: Obj = {"capacityKey": "cores", "capacityMultiplier": self.rng.choice(["1", "2", "500m"])}
                    device["nodeAllocatableResources"] = {"cpu": {"mapping": mapping}}
                elif kind == "device":
                    device["nodeAllocatableResources"] = {
                        "cpu": {"mapping": {"deviceMultiplier": self.rng.choice(["1", "2", "4"])}},
                        "memory": {"mapping": {"deviceMultiplier": "2Gi"}},
                    }
                else:
                    device["nodeAllocatableResources"] = {
                        "memory": {"overhead": {"perPod": "1Gi", "perContainer": "512Mi"}}
                    }
                devices.append(device)
            self.add_slice(f"{node}-{driver}", driver, node, devices, nodeName=node)

    def taint(self) -> Obj:
        return {
            "key": "health",
            "value": self.rng.choice(["bad", "flaky"]),
            "effect": self.rng.choice(["NoSchedule", "NoExecute", "None"]),
            "timeAdded": "2026-01-02T03:04:05Z",
        }

    def add_rule(self, driver: str) -> None:
        selector: Obj = {"driver": driver}
        if self.maybe(0.6):
            selector["pool"] = self.rng.choice(self.node_names())
            if self.maybe(0.5):
                selector["device"] = f"dev-{self.rng.randint(0, 2)}"
        self.rules.append(
            {
                "metadata": {"name": f"rule-{len(self.rules)}"},
                "spec": {"deviceSelector": selector, "taint": self.taint()},
            }
        )

    # -- claims --------------------------------------------------------------------------------

    def exactly(self, class_name: str, driver: str, rich: bool = True) -> Obj:
        want: Obj = {"deviceClassName": class_name}
        if rich and self.maybe(0.3):
            want["selectors"] = [{"cel": {"expression": self.selector(driver)}}]
        if self.maybe(0.25):
            want["allocationMode"], want["count"] = "ExactCount", self.rng.randint(1, 3)
        elif rich and self.maybe(0.08):
            want["allocationMode"] = "All"
        return want

    def selector(self, driver: str) -> str:
        model = self.rng.choice(MODELS)
        return self.rng.choice(
            [
                f'device.attributes["{driver}"].model == "{model}"',
                f'device.attributes["{driver}"].?model.orValue("none") in ["m10", "{model}"]',
                f'device.capacity["{driver}"].?memory.orValue(quantity("0")).isGreaterThan(quantity("20Gi"))',
                f'"numa" in device.attributes["{driver}"] && device.attributes["{driver}"].numa == {self.rng.randint(0, 1)}',
                "true",
            ]
        )

    def spec(self, class_name: str, driver: str, rich: bool = True) -> Obj:
        requests = [{"name": "main", "exactly": self.exactly(class_name, driver, rich)}]
        devices: Obj = {"requests": requests}
        if rich and self.maybe(0.25):
            requests.append({"name": "side", "exactly": self.exactly(class_name, driver, rich)})
            if self.maybe(0.6):
                kind = self.rng.choice(["matchAttribute", "distinctAttribute"])
                devices["constraints"] = [
                    {"requests": ["main", "side"], kind: f"{driver}/{self.rng.choice(['numa', 'model'])}"}
                ]
        return {"devices": devices}

    def prioritized(self, classes: list[tuple[str, str]]) -> Obj:
        options = []
        for index, (class_name, driver) in enumerate(classes):
            option = {"name": f"pick-{index}"} | self.exactly(class_name, driver)
            options.append(option)
        return {"devices": {"requests": [{"name": "any", "firstAvailable": options}]}}

    def tolerate(self, spec: Obj) -> None:
        for request in spec["devices"]["requests"]:
            for want in [request["exactly"]] if "exactly" in request else request["firstAvailable"]:
                want["tolerations"] = [
                    self.rng.choice(
                        [
                            {"operator": "Exists"},
                            {"key": "health", "operator": "Exists", "effect": "NoSchedule"},
                            {"key": "health", "operator": "Equal", "value": "bad"},
                        ]
                    )
                ]

    def add_claim(self, name: str, spec: Obj) -> str:
        self.claims.append({"metadata": {"name": name, "namespace": "default"}, "spec": spec})
        return name

    def add_template(self, name: str, spec: Obj) -> str:
        self.templates.append({"metadata": {"name": name, "namespace": "default"}, "spec": {"spec": spec}})
        return name

    # -- pods ----------------------------------------------------------------------------------

    def add_pod(
        self, claims: list[Obj] | None = None, extended: dict[str, int] | None = None, calm: bool = False, **spec: Any
    ) -> Obj:
        requests: Obj = {}
        if self.maybe(0.85):
            requests = {
                "cpu": self.rng.choice(["250m", "500m", "1", "1500m", "2"]),
                "memory": self.rng.choice(["256Mi", "1Gi", "2Gi", "3Gi"]),
            }
        container: Obj = {"name": "work", "image": "app:v1", "resources": {"requests": dict(requests)}}
        for name, count in (extended or {}).items():
            container["resources"]["requests"][name] = str(count)
            container["resources"].setdefault("limits", {})[name] = str(count)
        if claims:
            container["resources"]["claims"] = [{"name": claim["name"]} for claim in claims]
        name = next(self.names)
        pod: Obj = {
            "metadata": {"name": name, "namespace": "default", "labels": {"app": self.rng.choice(["red", "blue"])}},
            "spec": {"containers": [container]} | spec,
        }
        if claims:
            pod["spec"]["resourceClaims"] = claims
        if not calm:
            self.decorate(pod)
        self.pods.append(pod)
        return pod

    def decorate(self, pod: Obj) -> None:
        spec = pod["spec"]
        if self.maybe(0.2):
            spec["priority"] = self.rng.choice([0, 10, 100, 1000])
            spec["preemptionPolicy"] = "Never"
        if self.maybe(0.12):
            spec["nodeSelector"] = self.rng.choice(
                [
                    {"topology.kubernetes.io/zone": self.rng.choice(ZONES)},
                    {"bay": "left"},
                    {"kubernetes.io/hostname": self.rng.choice(self.node_names())},
                ]
            )
        if self.maybe(0.2):
            spec["tolerations"] = [
                self.rng.choice([{"operator": "Exists"}, {"key": "lent", "operator": "Equal", "value": "yes"}])
            ]
        if self.maybe(0.12):
            spec["affinity"] = {
                "nodeAffinity": {
                    "preferredDuringSchedulingIgnoredDuringExecution": [
                        {
                            "weight": self.rng.choice([1, 10, 50]),
                            "preference": {
                                "matchExpressions": [
                                    {
                                        "key": "topology.kubernetes.io/zone",
                                        "operator": "In",
                                        "values": [self.rng.choice(ZONES)],
                                    }
                                ]
                            },
                        }
                    ]
                }
            }
        if self.maybe(0.06):
            spec.setdefault("affinity", {})["podAntiAffinity"] = {
                "requiredDuringSchedulingIgnoredDuringExecution": [
                    {"labelSelector": {"matchLabels": {"app": "red"}}, "topologyKey": "kubernetes.io/hostname"}
                ]
            }
        if self.maybe(0.06):
            spec["topologySpreadConstraints"] = [
                {
                    "maxSkew": 1,
                    "topologyKey": self.rng.choice(["kubernetes.io/hostname", "topology.kubernetes.io/zone"]),
                    "whenUnsatisfiable": self.rng.choice(["DoNotSchedule", "ScheduleAnyway"]),
                    "labelSelector": {"matchLabels": {"app": pod["metadata"]["labels"]["app"]}},
                }
            ]
        if self.maybe(0.06):
            spec["initContainers"] = [{"name": "prepare", "image": "app:v1", "resources": {"requests": {"cpu": "3"}}}]

    def template_pod(self, spec: Obj, **more: Any) -> Obj:
        name = f"tpl-{len(self.templates)}"
        self.add_template(name, spec)
        return self.add_pod([{"name": "dev", "resourceClaimTemplateName": name}], **more)

    def running_pod(self, with_device: bool = True) -> None:
        node = self.rng.choice(self.node_names())
        held = self.free.get(node) or []
        if with_device and held:
            driver, pool, device = held.pop(self.rng.randrange(len(held)))
            pod = self.add_pod(
                [{"name": "dev", "resourceClaimName": "held-" + node + "-" + device}], calm=True, nodeName=node
            )
            self.claims.append(
                {
                    "metadata": {
                        "name": f"held-{node}-{device}",
                        "namespace": "default",
                        "finalizers": ["resource.kubernetes.io/delete-protection"],
                    },
                    "spec": {
                        "devices": {
                            "requests": [
                                {"name": "main", "exactly": {"deviceClassName": self.classes[0]["metadata"]["name"]}}
                            ]
                        }
                    },
                    "status": {
                        "allocation": {
                            "devices": {
                                "results": [{"request": "main", "driver": driver, "pool": pool, "device": device}]
                            },
                            "nodeSelector": {
                                "nodeSelectorTerms": [
                                    {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
                                ]
                            },
                        },
                        "reservedFor": [
                            {
                                "resource": "pods",
                                "name": pod["metadata"]["name"],
                                "uid": "uid-pod-default-" + pod["metadata"]["name"],
                            }
                        ],
                    },
                }
            )
        else:
            self.add_pod(calm=True, nodeName=node)

    def case(self, gates: dict[str, bool]) -> Obj:
        found: Obj = {}
        if gates:
            found["featureGates"] = gates
        for key, items in (
            ("nodes", self.nodes),
            ("classes", self.classes),
            ("slices", self.slices),
            ("claims", self.claims),
            ("templates", self.templates),
            ("taintRules", self.rules),
            ("podGroups", self.groups),
            ("replicaSets", self.replica_sets),
            ("pods", self.pods),
        ):
            if items:
                found[key] = items
        return found


def zone_selector(zone: str) -> Obj:
    return {
        "nodeSelectorTerms": [
            {"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": [zone]}]}
        ]
    }


# -- recipes -----------------------------------------------------------------------------------


def recipe_templates(c: Cluster) -> None:
    """Per-pod claims on per-node devices, some already held."""
    c.add_nodes()
    gpu = c.add_class("gpu", "gpu.forge.test")
    c.add_node_pools("gpu.forge.test")
    for _ in range(c.rng.randint(0, 2)):
        c.running_pod()
    for _ in range(c.rng.randint(2, 7)):
        c.template_pod(c.spec(gpu, "gpu.forge.test"))


def recipe_shared(c: Cluster) -> None:
    """Claims named by several pods, among them one that is allocated already."""
    c.add_nodes(2)
    gpu = c.add_class("gpu", "gpu.forge.test")
    c.add_node_pools("gpu.forge.test")
    c.running_pod()
    for index in range(c.rng.randint(1, 2)):
        c.add_claim(f"shared-{index}", c.spec(gpu, "gpu.forge.test", rich=False))
    names = [claim["metadata"]["name"] for claim in c.claims]
    for _ in range(c.rng.randint(2, 5)):
        claims = [
            {"name": f"c{i}", "resourceClaimName": name}
            for i, name in enumerate(c.rng.sample(names, c.rng.randint(1, min(2, len(names)))))
        ]
        c.add_pod(claims)
    c.template_pod(c.spec(gpu, "gpu.forge.test"))


def recipe_missing(c: Cluster) -> None:
    """Absent claims, templates and classes; claims of somebody else; claims on their way out."""
    c.add_nodes()
    gpu = c.add_class("gpu", "gpu.forge.test")
    c.add_node_pools("gpu.forge.test")
    kinds: list[Callable[[], Any]] = [
        lambda: c.add_pod([{"name": "dev", "resourceClaimName": "nowhere"}]),
        lambda: c.add_pod([{"name": "dev", "resourceClaimTemplateName": "nowhere"}]),
        lambda: c.template_pod(
            {"devices": {"requests": [{"name": "main", "exactly": {"deviceClassName": "absent-class"}}]}}
        ),
        lambda: c.template_pod(
            {
                "devices": {
                    "requests": [
                        {
                            "name": "any",
                            "firstAvailable": [
                                {"name": "one", "deviceClassName": gpu},
                                {"name": "two", "deviceClassName": "absent-class"},
                            ],
                        }
                    ]
                }
            }
        ),
        lambda: c.template_pod(
            {
                "devices": {
                    "requests": [
                        {
                            "name": "main",
                            "exactly": {
                                "deviceClassName": gpu,
                                "selectors": [
                                    {"cel": {"expression": 'device.attributes["gpu.forge.test"].absent == 3'}}
                                ],
                            },
                        }
                    ]
                }
            }
        ),
        lambda: foreign_claim_pod(c, gpu),
        lambda: leaving_claim_pod(c, gpu),
        lambda: c.add_pod(schedulingGates=[{"name": "hold.forge.test/wait"}]),
    ]
    for make in c.rng.sample(kinds, c.rng.randint(2, 4)):
        make()
    for _ in range(c.rng.randint(1, 3)):
        c.template_pod(c.spec(gpu, "gpu.forge.test", rich=False))


def foreign_claim_pod(c: Cluster, class_name: str) -> None:
    c.add_claim("foreign", c.spec(class_name, "gpu.forge.test", rich=False))
    pod = c.add_pod([{"name": "dev", "resourceClaimTemplateName": "any"}])
    pod["status"] = {"resourceClaimStatuses": [{"name": "dev", "resourceClaimName": "foreign"}]}


def leaving_claim_pod(c: Cluster, class_name: str) -> None:
    c.add_claim("leaving", c.spec(class_name, "gpu.forge.test", rich=False))
    c.claims[-1]["metadata"] |= {
        "deletionTimestamp": "2026-01-02T03:04:05Z",
        "finalizers": ["resource.kubernetes.io/delete-protection"],
    }
    c.add_pod([{"name": "dev", "resourceClaimName": "leaving"}])


def recipe_extended(c: Cluster) -> None:
    """Extended resources served by devices, by a device plugin, or by neither."""
    c.add_nodes()
    c.add_class("gpu", "gpu.forge.test", extended="forge.test/gpu")
    if c.maybe(0.3):
        c.add_class(
            "gpu-alt",
            "gpu.forge.test",
            extended="forge.test/gpu",
            extra='device.attributes["gpu.forge.test"].model == "m10"',
        )
        for item in c.classes:
            item["metadata"]["creationTimestamp"] = f"2026-01-0{c.rng.randint(1, 3)}T00:00:00Z"
    c.add_node_pools("gpu.forge.test", 1, 4)
    for node in c.nodes:
        if c.maybe(0.2):
            node["status"]["capacity"]["forge.test/gpu"] = str(c.rng.randint(0, 3))
    for _ in range(c.rng.randint(1, 4)):
        name = c.rng.choice(["forge.test/gpu"] * 3 + ["deviceclass.resource.kubernetes.io/gpu", "forge.test/unknown"])
        pod = c.add_pod(extended={name: c.rng.randint(1, 2)})
        if c.maybe(0.4):
            extra = {"name": "extra", "image": "app:v1", "resources": {"requests": {name: "1"}, "limits": {name: "1"}}}
            kind = c.rng.choice(["container", "init", "sidecar"])
            if kind == "container":
                pod["spec"]["containers"].append(extra)
            else:
                extra["resources"] = {"requests": {name: "2"}, "limits": {name: "2"}}
                if kind == "sidecar":
                    extra["restartPolicy"] = "Always"
                pod["spec"].setdefault("initContainers", []).append(extra)
    if c.maybe(0.5):
        c.template_pod(c.spec("gpu", "gpu.forge.test"))


def recipe_prioritized(c: Cluster) -> None:
    """Lists of alternatives; the place taken in the list scores the node."""
    c.add_nodes(2)
    c.add_class("gpu", "gpu.forge.test")
    c.add_class("big", "gpu.forge.test", extra='device.attributes["gpu.forge.test"].model == "m40"')
    c.add_class("fpga", "fpga.loom.test")
    c.add_node_pools("gpu.forge.test", 1, 3, miss=0.35)
    c.add_node_pools("fpga.loom.test", 1, 2, miss=0.5)
    pairs = [("big", "gpu.forge.test"), ("gpu", "gpu.forge.test"), ("fpga", "fpga.loom.test")]
    for _ in range(c.rng.randint(2, 5)):
        c.template_pod(c.prioritized(c.rng.sample(pairs, c.rng.randint(2, 3))))


def recipe_partitions(c: Cluster) -> None:
    """Partitions drawing on shared counters, with and without compatibility groups."""
    c.add_nodes(1, 4)
    part = c.add_class("part", "mig.forge.test")
    c.add_partitionable("mig.forge.test", groups=c.maybe(0.4))
    for _ in range(c.rng.randint(2, 7)):
        size = c.rng.choice([1, 2, 4])
        want: Obj = {
            "deviceClassName": part,
            "selectors": [{"cel": {"expression": f'device.attributes["mig.forge.test"].size == {size}'}}],
        }
        if c.maybe(0.2):
            want["count"], want["allocationMode"] = 2, "ExactCount"
        if c.maybe(0.2):
            del want["selectors"]
        c.template_pod({"devices": {"requests": [{"name": "main", "exactly": want}]}})


def recipe_capacity(c: Cluster) -> None:
    """Devices shared by amount."""
    c.add_nodes(1, 4)
    nic = c.add_class("nic", "nic.loom.test")
    c.add_shareable("nic.loom.test")
    for _ in range(c.rng.randint(2, 7)):
        want: Obj = {"deviceClassName": nic}
        if c.maybe(0.75):
            want["capacity"] = {"requests": {"bandwidth": c.rng.choice(["1", "3", "4", "8", "9"])}}
        if c.maybe(0.2):
            want["count"], want["allocationMode"] = 2, "ExactCount"
        spec: Obj = {"devices": {"requests": [{"name": "main", "exactly": want}]}}
        if c.maybe(0.2):
            spec["devices"]["requests"].append({"name": "side", "exactly": {"deviceClassName": nic}})
            if c.maybe(0.5):
                spec["devices"]["constraints"] = [
                    {"requests": ["main", "side"], "distinctAttribute": "nic.loom.test/numa"}
                ]
        c.template_pod(spec)


def recipe_taints(c: Cluster) -> None:
    """Device taints from drivers and from rules; tolerations in requests."""
    c.add_nodes()
    gpu = c.add_class("gpu", "gpu.forge.test")
    c.add_node_pools("gpu.forge.test", 1, 4, taints=0.35)
    for _ in range(c.rng.randint(0, 2)):
        c.add_rule("gpu.forge.test")
    for _ in range(c.rng.randint(2, 6)):
        spec = c.spec(gpu, "gpu.forge.test")
        if c.maybe(0.4):
            c.tolerate(spec)
        c.template_pod(spec)


def recipe_network(c: Cluster) -> None:
    """Devices that several nodes can reach, next to local ones."""
    c.add_nodes(2)
    gpu = c.add_class("gpu", "gpu.forge.test")
    net = c.add_class("net", "net.loom.test")
    c.add_node_pools("gpu.forge.test", 1, 3)
    c.add_network_pool("net.loom.test", c.rng.randint(2, 5))
    if c.maybe(0.5):
        c.add_claim("shared-net", c.spec(net, "net.loom.test", rich=False))
    for _ in range(c.rng.randint(2, 6)):
        if c.claims and c.maybe(0.3):
            c.add_pod([{"name": "net", "resourceClaimName": "shared-net"}])
        elif c.maybe(0.4):
            spec = c.spec(net, "net.loom.test")
            spec["devices"]["requests"].append({"name": "card", "exactly": {"deviceClassName": gpu}})
            c.template_pod(spec)
        else:
            c.template_pod(c.spec(net, "net.loom.test"))


def recipe_binding(c: Cluster) -> None:
    """Devices that must be attached first: pods wait, or find a state in the claim."""
    c.add_nodes(2, 4)
    net = c.add_class("net", "net.loom.test")
    extra: Obj = {"bindingConditions": ["loom.test/attached"], "bindingFailureConditions": ["loom.test/broken"]}
    if c.maybe(0.6):
        extra["bindsToNode"] = True
    c.add_network_pool("net.loom.test", c.rng.randint(2, 4), **extra)
    if c.maybe(0.5):
        c.add_node_pools("net.loom.test", 1, 1, miss=0.5)
    for index in range(c.rng.randint(0, 2)):
        attached_claim_pod(c, net, f"dev-{index}")
    for _ in range(c.rng.randint(1, 4)):
        c.template_pod(c.spec(net, "net.loom.test", rich=False))
    if c.maybe(0.4):
        c.add_pod()


def attached_claim_pod(c: Cluster, class_name: str, device: str) -> None:
    """A claim allocated by an earlier attempt whose device is ready, broken, not ready yet, or overdue."""
    node, state = c.rng.choice(c.node_names()), c.rng.choice(["ready", "broken", "pending", "overdue"])
    name = c.add_claim(
        f"attach-{device}", {"devices": {"requests": [{"name": "main", "exactly": {"deviceClassName": class_name}}]}}
    )
    result = {
        "request": "main",
        "driver": "net.loom.test",
        "pool": "fabric",
        "device": device,
        "bindingConditions": ["loom.test/attached"],
        "bindingFailureConditions": ["loom.test/broken"],
    }
    allocation: Obj = {
        "devices": {"results": [result]},
        "nodeSelector": {
            "nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}]
        },
    }
    if state == "overdue":
        allocation["allocationTimestamp"] = "2026-01-02T03:04:05Z"
    c.claims[-1]["metadata"]["finalizers"] = ["resource.kubernetes.io/delete-protection"]
    c.claims[-1]["status"] = {"allocation": allocation}
    kind = {"ready": "loom.test/attached", "broken": "loom.test/broken"}.get(state)
    if kind:
        c.claims[-1]["status"]["devices"] = [
            {
                "driver": "net.loom.test",
                "pool": "fabric",
                "device": device,
                "conditions": [
                    {
                        "type": kind,
                        "status": "True",
                        "reason": "Seen",
                        "message": "seen",
                        "lastTransitionTime": "2026-01-02T03:04:05Z",
                    }
                ],
            }
        ]
    c.add_pod([{"name": "dev", "resourceClaimName": name}], calm=True)


def recipe_cpu(c: Cluster) -> None:
    """Devices that stand for the node's own CPU and memory."""
    c.add_nodes(1, 4, taints=0)
    for node in c.nodes:
        if c.maybe(0.7):
            node["status"]["capacity"]["cpu"] = c.rng.choice(["8", "12", "16"])
    die = c.add_class("die", "cpu.loom.test")
    c.add_cpu_devices("cpu.loom.test")
    if c.maybe(0.3):
        c.add_claim("shared-die", {"devices": {"requests": [{"name": "main", "exactly": {"deviceClassName": die}}]}})
    for _ in range(c.rng.randint(2, 6)):
        want: Obj = {"deviceClassName": die}
        if c.maybe(0.35):
            want["capacity"] = {"requests": {"cores": str(c.rng.randint(1, 6))}}
        if c.claims and c.maybe(0.4):
            c.add_pod([{"name": "dev", "resourceClaimName": "shared-die"}])
            continue
        pod = c.template_pod({"devices": {"requests": [{"name": "main", "exactly": want}]}})
        if c.maybe(0.3):
            pod["spec"]["resources"] = {"requests": {"cpu": c.rng.choice(["3", "4"]), "memory": "6Gi"}}


def recipe_groups(c: Cluster) -> None:
    """Pod groups that start together, some with a claim of the group."""
    c.add_nodes(2)
    gpu = c.add_class("gpu", "gpu.forge.test")
    c.add_node_pools("gpu.forge.test", 1, 3, miss=0.1)
    c.add_network_pool("net.loom.test", c.rng.randint(1, 3))
    net = c.add_class("net", "net.loom.test")
    for index in range(c.rng.randint(1, 2)):
        name, size = f"crew-{index}", c.rng.randint(2, 4)
        group: Obj = {
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"schedulingPolicy": {"gang": {"minCount": c.rng.randint(2, size)}}},
        }
        if c.maybe(0.25):
            group["spec"]["schedulingPolicy"] = {"basic": {}}
        claims: list[Obj] = []
        if c.maybe(0.6):
            c.add_template(f"{name}-tpl", c.spec(net, "net.loom.test", rich=False))
            shared = {"name": "crew", "resourceClaimTemplateName": f"{name}-tpl"}
            group["spec"]["resourceClaims"] = [shared]
            claims.append(shared)
        c.groups.append(group)
        c.add_template(f"{name}-own", c.spec(gpu, "gpu.forge.test", rich=False))
        for _ in range(size):
            own = [{"name": "own", "resourceClaimTemplateName": f"{name}-own"}] if c.maybe(0.8) else []
            pod = c.add_pod(own + claims, calm=True)  # the other order meets a scheduler bug, see the spec
            pod["spec"]["schedulingGroup"] = {"podGroupName": name}
    if c.maybe(0.5):
        c.template_pod(c.spec(gpu, "gpu.forge.test"))


def recipe_scoring(c: Cluster) -> None:
    """Mostly about which node wins: spreading, affinity, images, busy nodes."""
    c.add_nodes(3, taints=0.3)
    gpu = c.add_class("gpu", "gpu.forge.test")
    c.add_node_pools("gpu.forge.test", 2, 4, miss=0.0)
    for _ in range(c.rng.randint(1, 4)):
        c.running_pod(with_device=c.maybe(0.4))
    owner = c.maybe(0.5)
    if owner:
        c.replica_sets.append(
            {
                "metadata": {"name": "team", "namespace": "default", "uid": "uid-rs-team"},
                "spec": {
                    "replicas": 3,
                    "selector": {"matchLabels": {"app": "red"}},
                    "template": {"metadata": {"labels": {"app": "red"}}},
                },
            }
        )
    for _ in range(c.rng.randint(2, 6)):
        pod = c.template_pod(c.spec(gpu, "gpu.forge.test", rich=False)) if c.maybe(0.7) else c.add_pod()
        if owner and c.maybe(0.6):
            pod["metadata"]["labels"]["app"] = "red"
            pod["metadata"]["ownerReferences"] = [
                {
                    "apiVersion": "apps/v1",
                    "kind": "ReplicaSet",
                    "name": "team",
                    "uid": "uid-rs-team",
                    "controller": True,
                }
            ]
        if c.maybe(0.25):
            pod["spec"].setdefault("affinity", {})["podAffinity"] = {
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {
                        "weight": c.rng.choice([5, 50]),
                        "podAffinityTerm": {
                            "labelSelector": {"matchLabels": {"app": c.rng.choice(["red", "blue"])}},
                            "topologyKey": "topology.kubernetes.io/zone",
                        },
                    }
                ]
            }


def recipe_mixed(c: Cluster) -> None:
    """A little of everything."""
    c.add_nodes(2)
    gpu = c.add_class("gpu", "gpu.forge.test", extended="forge.test/gpu")
    nic = c.add_class("nic", "nic.loom.test")
    c.add_node_pools("gpu.forge.test", 1, 3, taints=0.1)
    c.add_shareable("nic.loom.test")
    for node in c.nodes:
        if c.maybe(0.1):
            node["status"]["capacity"]["forge.test/gpu"] = str(c.rng.randint(0, 2))
    if c.maybe(0.4):
        c.add_rule("gpu.forge.test")
    for _ in range(c.rng.randint(0, 2)):
        c.running_pod(with_device=c.maybe(0.6))
    for _ in range(c.rng.randint(3, 7)):
        spec = c.spec(gpu, "gpu.forge.test")
        if c.maybe(0.3):
            spec["devices"]["requests"].append(
                {"name": "net", "exactly": {"deviceClassName": nic, "capacity": {"requests": {"bandwidth": "2"}}}}
            )
        kind = c.rng.random()
        if kind < 0.6:
            c.template_pod(spec)
        elif kind < 0.75:
            c.template_pod(spec, extended={"forge.test/gpu": 1})
        elif kind < 0.85:
            c.add_pod(extended={"forge.test/gpu": 1})
        else:
            c.add_pod()


def recipe_preemption(c: Cluster) -> None:
    """One crowded node; an important pod may push others off, but never gains devices that way."""
    c.add_nodes(1, 1, taints=0, uneven=0)
    node = c.nodes[0]
    node["status"]["capacity"] |= {"cpu": "4", "memory": "16Gi"}
    gpu = c.add_class("gpu", "gpu.forge.test")
    c.add_node_pools("gpu.forge.test", 2, 3, miss=0.0)
    for _ in range(c.rng.randint(1, 2)):
        c.running_pod(with_device=c.maybe(0.5))
        c.pods[-1]["spec"]["priority"] = 1
        c.pods[-1]["spec"]["containers"][0]["resources"]["requests"] = {
            "cpu": c.rng.choice(["1", "2"]),
            "memory": "1Gi",
        }
    pod = c.template_pod(c.spec(gpu, "gpu.forge.test", rich=False), calm=True)
    pod["spec"]["priority"] = 100
    pod["spec"]["containers"][0]["resources"]["requests"] = {"cpu": c.rng.choice(["2", "3", "4"]), "memory": "1Gi"}


RECIPES: list[tuple[int, Callable[[Cluster], None]]] = [
    (12, recipe_templates),
    (7, recipe_shared),
    (7, recipe_missing),
    (11, recipe_extended),
    (8, recipe_prioritized),
    (7, recipe_partitions),
    (8, recipe_capacity),
    (7, recipe_taints),
    (7, recipe_network),
    (4, recipe_binding),
    (6, recipe_cpu),
    (5, recipe_groups),
    (8, recipe_scoring),
    (8, recipe_mixed),
    (3, recipe_preemption),
]


def make_case(seed: int, index: int) -> Obj:
    rng = random.Random(f"{seed}/{index}")
    recipe = rng.choices([r for _, r in RECIPES], [weight for weight, _ in RECIPES])[0]
    cluster = Cluster(rng)
    recipe(cluster)
    gates: dict[str, bool] = {}
    draw = rng.random()
    if draw < 0.15 and recipe is not recipe_groups:
        gates = dict.fromkeys(OFF_BY_DEFAULT, False)
    elif draw < 0.25:
        gates = dict.fromkeys(rng.choice(SWITCHED_OFF), False)
    return {
        "id": f"schedule-{seed}-{index:04d}-{recipe.__name__.removeprefix('recipe_')}",
        "input": cluster.case(gates),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    for index in range(options.count):
        print(json.dumps(make_case(options.seed, index), separators=(",", ":")))


if __name__ == "__main__":
    main()
