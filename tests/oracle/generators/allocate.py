"""Random worlds for the allocator: `python -m tests.oracle.generators.allocate --seed N --count M`.

Each line is an unanswered case of kind "allocate". One case mixes several features on purpose; the objects are meant to
pass API validation, so that a disagreement is about the decision and not about the input.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import uuid
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

GPU, NIC, FPGA, MEMORY = "gpu.example.com", "nic.example.net", "fpga.example.org", "mem.example.com"
DRIVERS = (GPU, NIC, FPGA, MEMORY)
TOPOLOGY = "topology.example.com"
SHORT = {GPU: "gpu", NIC: "nic", FPGA: "fpga", MEMORY: "hbm"}
MODELS = {
    GPU: ("tensor-80", "tensor-40", "raster-24"),
    NIC: ("fabric-400", "fabric-100"),
    FPGA: ("logic-9p", "logic-3e"),
    MEMORY: ("stack-3", "stack-2"),
}
VERSIONS = ("1.2.0", "1.10.3", "2.0.0-rc.1", "2.0.0")
ROOTS = ("pci0000:00", "pci0000:40", "pci0000:80", "pci0000:c0")
CONDITIONS = ("fabric.example.com/attached", "fabric.example.com/zoned")

GATES = (
    "DRAAdminAccess",
    "DRAConsumableCapacity",
    "DRADerivedAttributes",
    "DRADeviceBindingConditions",
    "DRADeviceCompatibilityGroups",
    "DRADeviceTaints",
    "DRAFractionalCapacityRange",
    "DRAListTypeAttributes",
    "DRAOptionalNodeOperations",
    "DRAPartitionableDevices",
    "DRAPrioritizedList",
    "DRAResourceClaimDeviceStatus",
)
ALPHA_GATES = (
    "DRADerivedAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAListTypeAttributes",
    "DRAOptionalNodeOperations",
)
LOCKED_GATES = ("DRAAdminAccess", "DRAPrioritizedList", "DRAResourceClaimDeviceStatus")
DEFAULT_GATES = tuple(gate for gate in GATES if gate not in ALPHA_GATES)


class World:
    """Builds one case. Methods that end in a noun return a JSON object of that kind."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.features = self._features()
        self.gates = set(GATES if self.features is None else self.features)
        self.hard = rng.random() < 0.22
        self.node = self._node()
        self.drivers = rng.sample(DRIVERS, rng.choice((1, 1, 2, 2, 3)))
        self.lists = rng.random() < (0.45 if self.gated("DRAListTypeAttributes") else 0)
        self.slices: list[Json] = []
        for driver in self.drivers:
            for _ in range(rng.choice((1, 1, 1, 2))):
                if len(self.slices) < 5:
                    self._add_pool(driver)
        rng.shuffle(self.slices)
        self.classes = self._classes()
        self.allocated = self._allocated()
        self.free = self._free()
        self.claims = [self._claim(0)]
        for index in range(1, rng.choice((1, 1, 1, 2, 2, 3, 4))):
            if (self.hard or self.maybe(0.7)) and (self.hard or self.free):
                self.claims.append(self._claim(index))

    def case(self) -> Json:
        """Return the input of the case."""
        case: Json = {
            "node": self.node,
            "claims": self.claims,
            "classes": self.classes,
            "slices": self.slices,
            "allocated": self.allocated,
        }
        if self.features is not None:
            case["features"] = self.features
        return case

    def maybe(self, probability: float) -> bool:
        return self.rng.random() < probability

    def obstacle(self, probability: float) -> bool:
        """Like maybe, for what makes a case harder to solve."""
        return self.maybe(probability if self.hard else probability * 0.3)

    def gated(self, gate: str) -> bool:
        """Say whether a field may be used: with its gate off the API server drops it, but old objects may keep it."""
        return gate in self.gates or self.maybe(0.04)

    def _features(self) -> list[str] | None:
        draw = self.rng.random()
        if draw < 0.60:
            return None
        if draw < 0.80:
            return list(DEFAULT_GATES)
        optional = [gate for gate in GATES if gate not in LOCKED_GATES or self.maybe(0.05)]
        gone = self.rng.sample(optional, self.rng.choice((1, 1, 1, 2, 3)))
        return [gate for gate in GATES if gate not in gone]

    # ---------------------------------------------------------------- node and pools

    def _node(self) -> Json:
        node: Json = {
            "metadata": {
                "name": "node-a",
                "labels": {
                    "kubernetes.io/hostname": "node-a",
                    "example.com/rack": self.rng.choice(("r1", "r2")),
                    "example.com/fabric": "blue",
                },
            }
        }
        if self.maybe(0.7):
            node["status"] = {"declaredFeatures": ["DRAOptionalNodeOperations"]}
        return node

    def _node_selector(self, matching: bool) -> Json:
        rack = self.node["metadata"]["labels"]["example.com/rack"]
        other = "r2" if rack == "r1" else "r1"
        wanted: list[Json] = [
            {
                "key": "example.com/rack",
                "operator": "In",
                "values": [rack if matching else other] + (["r9"] if self.maybe(0.3) else []),
            }
        ]
        if self.maybe(0.3):
            wanted.append(
                {
                    "key": "example.com/fabric",
                    "operator": self.rng.choice(("Exists", "NotIn")),
                }
            )
            if wanted[-1]["operator"] == "NotIn":
                wanted[-1]["values"] = ["red"]
        return {"nodeSelectorTerms": [{"matchExpressions": wanted}]}

    def _placement(self) -> Json:
        if self.obstacle(0.14):
            return self.rng.choice(({"nodeSelector": self._node_selector(False)}, {"nodeName": "node-b"}))
        draw = self.rng.random()
        if draw < 0.50:
            return {"nodeName": "node-a"}
        if draw < 0.65:
            return {"allNodes": True}
        if draw < 0.83:
            return {"nodeSelector": self._node_selector(True)}
        return {"perDeviceNodeSelection": True}

    def _device_placement(self) -> Json:
        return self.rng.choice(
            (
                {"nodeName": "node-a"},
                {"nodeName": "node-a"},
                {"allNodes": True},
                {"nodeSelector": self._node_selector(True)},
                {"nodeName": "node-b"},
                {"nodeSelector": self._node_selector(False)},
            )
        )

    def _add_pool(self, driver: str) -> None:
        rng = self.rng
        pool = rng.choice(("node-a", "rack-1", "rack-2", "spare", "a-pool"))
        if any(s["spec"]["driver"] == driver and s["spec"]["pool"]["name"] == pool for s in self.slices):
            return
        generation = rng.choice((1, 1, 2, 7))
        partitioned = driver in (GPU, FPGA) and self.maybe(0.45)
        contents = self._partitioned(driver) if partitioned else self._plain(driver)
        slices: list[Json] = []
        base = self._placement()
        operations = self.maybe(0.15) and self.gated("DRAOptionalNodeOperations")
        for content in contents:
            placement = dict(self._placement() if self.maybe(0.15) else base)
            if "sharedCounters" in content and "perDeviceNodeSelection" in placement:
                placement = {"allNodes": True}
            if "perDeviceNodeSelection" in placement:
                for device in content.get("devices", []):
                    device.update(self._device_placement())
            spec = {
                "driver": driver,
                "pool": {"name": pool, "generation": generation, "resourceSliceCount": len(contents)},
                **placement,
                **content,
            }
            if operations and "devices" in spec:
                spec["skipNodeOperations"] = rng.choice(
                    (["*"], ["NodePrepareResources", "NodeUnprepareResources"], ["NodeUnprepareResources"])
                )
            slices.append({"metadata": {"name": f"{SHORT[driver]}-{rng.randrange(16**4):04x}"}, "spec": spec})
        self._disturb(slices)
        self.slices.extend(slices)

    def _disturb(self, slices: list[Json]) -> None:
        """Sometimes: a stale generation, a newer one elsewhere, a missing slice, a duplicate name, a dangling counter."""
        rng = self.rng
        draw = rng.random() * (1 if self.hard else 2.5)
        if draw < 0.08:
            stale = json.loads(json.dumps(rng.choice(slices)))
            stale["metadata"]["name"] += "-old"
            stale["spec"]["pool"]["generation"] -= 1
            stale["spec"]["pool"]["resourceSliceCount"] = rng.choice((1, 2))
            slices.append(stale)
        elif draw < 0.13:
            newer = json.loads(json.dumps(rng.choice(slices)))
            newer["metadata"]["name"] += "-new"
            newer["spec"]["pool"]["generation"] += 1
            newer["spec"]["pool"]["resourceSliceCount"] = rng.choice((1, 2))
            for key in ("nodeSelector", "allNodes", "perDeviceNodeSelection"):
                newer["spec"].pop(key, None)
            newer["spec"]["nodeName"] = rng.choice(("node-a", "node-b", "node-b"))
            for device in newer["spec"].get("devices", []):
                for key in ("nodeName", "nodeSelector", "allNodes"):
                    device.pop(key, None)
            slices.append(newer)
        elif draw < 0.18:
            if len(slices) > 1 and self.maybe(0.5):
                slices.pop()
            else:
                for item in slices:
                    item["spec"]["pool"]["resourceSliceCount"] += 1
        elif draw < 0.22:
            with_devices = [s for s in slices if s["spec"].get("devices")]
            if len(with_devices) > 1:
                with_devices[0]["spec"]["devices"][0]["name"] = with_devices[1]["spec"]["devices"][0]["name"]
        elif draw < 0.25:
            for item in slices:
                for device in item["spec"].get("devices", []):
                    for use in device.get("consumesCounters", []):
                        use["counterSet"] = "gone"
                        return

    # ---------------------------------------------------------------- devices

    def _plain(self, driver: str) -> list[Json]:
        rng = self.rng
        shareable = self.maybe(0.55 if driver in (MEMORY, NIC) else 0.12)
        tainted, bound = self.maybe(0.3), self.maybe(0.2)
        total = rng.choice((1, 2, 2, 3, 3, 4, 5)) if self.hard else rng.choice((2, 3, 4, 5))
        contents: list[Json] = []
        index = 0
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            devices = []
            for _ in range(max(1, min(total, rng.randint(1, 4)))):
                device = self._device(driver, f"{SHORT[driver]}-{index}", shareable and self.maybe(0.85))
                self._decorate(device, tainted, bound)
                devices.append(device)
                index += 1
            contents.append({"devices": devices})
        return contents

    def _partitioned(self, driver: str) -> list[Json]:
        """One slice with counter sets, one or two with whole devices and partitions that consume them."""
        rng = self.rng
        groups = rng.choice((None, ("mig", "vgpu"), ("whole", "mig", "shared")))
        groups = groups if self.gated("DRADeviceCompatibilityGroups") else None
        shareable = self.maybe(0.25)
        sets, devices = [], []
        for card in range(rng.choice((1, 1, 2))):
            name = f"{SHORT[driver]}-{card}-counters"
            sets.append(
                {
                    "name": name,
                    "counters": {
                        "memory": {"value": rng.choice(("40Gi", "80Gi"))},
                        "engines": {"value": str(rng.choice((4, 7)))},
                    },
                }
            )
            parts = [("", "40Gi", 4)] if self.maybe(0.8) else []
            parts += [
                (f"-part-{n}", rng.choice(("10Gi", "20Gi")), rng.choice((1, 2, 3)))
                for n in range(rng.choice((1, 2, 3)))
            ]
            rng.shuffle(parts)
            for suffix, memory, engines in parts:
                device = self._device(driver, f"{SHORT[driver]}-{card}{suffix}", shareable and self.maybe(0.6))
                use: Json = {"counterSet": name, "counters": {"memory": {"value": memory}}}
                if self.maybe(0.7):
                    use["counters"]["engines"] = {"value": str(engines)}
                if groups and self.maybe(0.8):
                    use["compatibilityGroups"] = rng.sample(groups, rng.choice((1, 1, 2)))
                device["consumesCounters"] = [use]
                devices.append(device)
        if len(sets) == 2 and self.maybe(0.3):
            devices.append(self._device(driver, f"{SHORT[driver]}-pair", False))
            devices[-1]["consumesCounters"] = [
                {"counterSet": s["name"], "counters": {"memory": {"value": "20Gi"}}} for s in sets
            ]
        tainted = self.maybe(0.2)
        for device in devices:
            self._decorate(device, tainted, False)
        cut = rng.randint(0, len(devices)) if self.maybe(0.4) else len(devices)
        contents: list[Json] = [{"sharedCounters": sets}]
        contents += [{"devices": part} for part in (devices[:cut], devices[cut:]) if part]
        return contents

    def _device(self, driver: str, name: str, shareable: bool) -> Json:
        rng = self.rng
        own = (lambda key: key) if self.maybe(0.8) else (lambda key: f"{driver}/{key}")
        attributes: Json = {own("model"): {"string": rng.choice(MODELS[driver])}}
        if self.obstacle(0.8) or not self.hard:
            attributes[own("healthy")] = {"bool": self.maybe(0.8)}
        if not self.obstacle(0.25):
            attributes[own("firmware")] = {"version": rng.choice(VERSIONS)}
        if not self.obstacle(0.12):
            attributes[f"{TOPOLOGY}/numaNode"] = self._values("int", (0, 0, 1, 2) if self.hard else (0, 0, 0, 0, 1))
        if not self.obstacle(0.15):
            attributes[f"{TOPOLOGY}/pcieRoot"] = self._values(
                "string", ROOTS[:3] if self.hard else ROOTS[:1] * 4 + ROOTS[:3]
            )
        if not self.obstacle(0.6):
            attributes[own("slot")] = {"int": rng.randint(0, 3 if self.hard else 9)}
        if self.lists and self.maybe(0.4):
            attributes[own("protocols")] = {"versions": rng.sample(VERSIONS, rng.choice((1, 2)))}
        if self.lists and self.maybe(0.3):
            attributes[own("flags")] = {"bools": rng.choice(([True], [False], [True, False]))}
        device: Json = {"name": name, "attributes": attributes}
        capacity = self._capacity(driver, own, shareable)
        if capacity:
            device["capacity"] = capacity
        if shareable:
            device["allowMultipleAllocations"] = True
        return device

    def _values(self, kind: str, choices: tuple[Any, ...]) -> Json:
        if self.lists and self.maybe(0.5):
            distinct = sorted(set(choices))
            return {f"{kind}s": self.rng.sample(distinct, min(len(distinct), self.rng.choice((1, 2, 2))))}
        return {kind: self.rng.choice(choices)}

    def _capacity(self, driver: str, own: Callable[[str], str], shareable: bool) -> Json:
        rng = self.rng
        capacity: Json = {}
        if driver in (GPU, MEMORY, FPGA) and self.maybe(0.85):
            capacity[own("memory")] = {"value": rng.choice(("16Gi", "40Gi", "80Gi", "64Gi"))}
            if shareable and self.maybe(0.6):
                capacity[own("memory")] = self._policy(
                    rng.choice(
                        (
                            ("64Gi", "4Gi", "2Gi", "32Gi", "2Gi"),
                            ("40Gi", "8Gi", "8Gi", None, "8Gi"),
                            ("80Gi", "1Gi", "1Gi", "64Gi", None),
                        )
                    ),
                    ("64Gi", ("4Gi", "8Gi", "16Gi", "32Gi")),
                )
        if driver == NIC and self.maybe(0.85):
            capacity[own("bandwidth")] = {"value": rng.choice(("100G", "400G"))}
            if shareable and self.maybe(0.7):
                capacity[own("bandwidth")] = self._policy(
                    ("100G", "10G", "5G", "80G", "5G"), ("100G", ("1G", "10G", "25G"))
                )
        if shareable and self.maybe(0.3):
            capacity[own("cores")] = self._policy(
                rng.choice(
                    (("4", "500m", "250m", "4", "250m"), ("8", "1", "1", "8", "1"), ("2", "0.1", "100m", None, "100m"))
                ),
                ("4", ("500m", "1", "1500m")),
            )
        return capacity

    def _policy(
        self, ranged: tuple[str, str, str, str | None, str | None], listed: tuple[str, tuple[str, ...]]
    ) -> Json:
        if self.maybe(0.12):
            return {"value": ranged[0]}
        if self.maybe(0.6):
            value, default, least, most, step = ranged
            valid = {"min": least}
            if most:
                valid["max"] = most
            if step:
                valid["step"] = step
            return {"value": value, "requestPolicy": {"default": default, "validRange": valid}}
        value, options = listed
        return {"value": value, "requestPolicy": {"default": self.rng.choice(options), "validValues": list(options)}}

    def _decorate(self, device: Json, tainted: bool, bound: bool) -> None:
        rng = self.rng
        if tainted and self.maybe(0.45 if self.hard else 0.3):
            device["taints"] = [self._taint() for _ in range(rng.choice((1, 1, 2)))]
        if bound and self.maybe(0.6):
            device["bindingConditions"] = [CONDITIONS[0]] if self.maybe(0.6) else list(CONDITIONS)
            device["bindingFailureConditions"] = ["fabric.example.com/failed"]
            if self.maybe(0.6):
                device["bindsToNode"] = True

    def _taint(self) -> Json:
        taint: Json = {
            "key": self.rng.choice(("example.com/ecc", "example.com/maintenance")),
            "effect": self.rng.choice(("NoSchedule", "NoSchedule", "NoExecute", "None")),
        }
        if self.maybe(0.5):
            taint["value"] = self.rng.choice(("soft", "hard"))
        return taint

    # ---------------------------------------------------------------- classes and what is in use

    def _classes(self) -> list[Json]:
        rng = self.rng
        classes: list[Json] = []
        for driver in self.drivers:
            spec: Json = {"selectors": [_cel(f'device.driver == "{driver}"')]}
            if self.maybe(0.15):
                spec["selectors"].append(_cel(f'device.attributes["{driver}"].?healthy.orValue(true)'))
            if self.maybe(0.3):
                spec["config"] = [
                    _opaque(driver, {"mode": rng.choice(("fast", "safe"))}) for _ in range(rng.choice((1, 1, 2)))
                ]
            classes.append({"metadata": {"name": SHORT[driver]}, "spec": spec})
        classes.append({"metadata": {"name": "any"}, "spec": {}})
        return classes

    def _current_devices(self) -> list[tuple[Json, Json]]:
        return [(item, device) for item in self.slices for device in item["spec"].get("devices", [])]

    def _allocated(self) -> list[Json]:
        rng = self.rng
        devices = self._current_devices()
        taken: set[tuple[str, str, str]] = set()
        claims: list[Json] = []
        for index in range(rng.choice((0, 0, 0, 1, 1, 2, 3)) if devices else 0):
            item, device = rng.choice(devices)
            spec = item["spec"]
            identity = (spec["driver"], spec["pool"]["name"], device["name"])
            result: Json = {"request": "used", "driver": identity[0], "pool": identity[1], "device": identity[2]}
            if self.maybe(0.1):
                result["adminAccess"] = True
            elif identity in taken and not device.get("allowMultipleAllocations"):
                continue
            if device.get("allowMultipleAllocations") and self.maybe(0.9):
                result["shareID"] = str(uuid.UUID(int=rng.getrandbits(128), version=4))
                consumed = {name: self._consumed(item) for name, item in device.get("capacity", {}).items()}
                if consumed and self.maybe(0.85):
                    result["consumedCapacity"] = consumed
            elif self.maybe(0.06):
                result["device"] = "unplugged-0"
            taken.add(identity)
            exactly: Json = {"deviceClassName": SHORT[identity[0]]}
            if result.get("adminAccess"):
                exactly["adminAccess"] = True
            claims.append(
                {
                    "metadata": {"name": f"held-{index}", "namespace": "lab"},
                    "spec": {"devices": {"requests": [{"name": "used", "exactly": exactly}]}},
                    "status": {"allocation": {"devices": {"results": [result]}}},
                }
            )
        return claims

    def _consumed(self, capacity: Json) -> str:
        policy = capacity.get("requestPolicy", {})
        options: list[str] = [policy["default"]] if "default" in policy else [capacity["value"]]
        options += policy.get("validValues", [])
        if "validRange" in policy:
            options += [policy["validRange"]["min"], policy["validRange"].get("max", capacity["value"])]
        return self.rng.choice(options)

    def _free(self) -> list[str]:
        """Return one driver name per device that an easy world may still hand out."""
        free: list[str] = []
        for item, device in self._current_devices():
            spec = item["spec"]
            here = spec.get("nodeName", "node-a") == "node-a" and device.get("nodeName", "node-a") == "node-a"
            identity = [spec["driver"], spec["pool"]["name"], device["name"]]
            used = any(
                [r["driver"], r["pool"], r["device"]] == identity
                for claim in self.allocated
                for r in claim["status"]["allocation"]["devices"]["results"]
            )
            odds = 0.25 if "consumesCounters" in device else 0.55
            if here and not used and self.maybe(odds if "taints" not in device else odds / 3):
                free.append(spec["driver"])
        self.rng.shuffle(free)
        return free

    # ---------------------------------------------------------------- claims

    def _claim(self, index: int) -> Json:
        rng = self.rng
        requests = [self._request(0)]
        for number in range(1, rng.choice((1, 1, 2, 2, 3, 4) if self.hard else (1, 1, 1, 2, 2, 3, 4))):
            if self.hard or self.free:
                requests.append(self._request(number))
        devices: Json = {"requests": requests}
        constraints = [
            self._constraint(requests) for _ in range(rng.choice((0, 0, 1, 1, 2) if self.hard else (0, 0, 0, 1, 1)))
        ]
        if self.maybe(0.25) and self.gated("DRADerivedAttributes"):
            constraints.append(self._derive(requests))
        if constraints:
            devices["constraints"] = constraints
        configs = [self._config(requests) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
        if configs:
            devices["config"] = configs
        return {"metadata": {"name": f"claim-{index}", "namespace": "lab"}, "spec": {"devices": devices}}

    def _request(self, number: int) -> Json:
        name = f"r{number}"
        if self.maybe(0.28):
            options = [self._wanted(sub=True) for _ in range(self.rng.choice((1, 2, 2, 3)))]
            return {"name": name, "firstAvailable": [{"name": f"s{i}", **o} for i, o in enumerate(options)]}
        return {"name": name, "exactly": self._wanted(sub=False)}

    def _wanted(self, sub: bool) -> Json:
        rng = self.rng
        driver = rng.choice(self.drivers)
        if not self.hard and not self.free and not self.maybe(0.2):
            # Nothing free of its own: repeat what is likely to be there.
            driver = max(
                self.drivers,
                key=lambda d: sum(
                    s["spec"]["driver"] == d and "devices" in s["spec"] and s["spec"].get("nodeName") != "node-b"
                    for s in self.slices
                ),
            )
        if not self.hard and self.free:
            driver = self.free[-1] if sub and self.maybe(0.6) else self.free.pop()
        wanted: Json = {"deviceClassName": "any" if self.maybe(0.12) else SHORT[driver]}
        if self.maybe(0.002):
            wanted["deviceClassName"] = "unknown"
        if self.maybe(0.45 if self.hard else 0.25):
            wanted["selectors"] = [_cel(self._expression(driver)) for _ in range(rng.choice((1, 1, 1, 2)))]
        if self.maybe(0.10 if self.hard else 0.07):
            wanted["allocationMode"] = "All"
        elif self.maybe(0.4 if self.hard else 0.25):
            wanted["allocationMode"] = "ExactCount"
            wanted["count"] = rng.choice((1, 2, 2, 3))
            if not self.hard:
                wanted["count"] = 1 + (driver in self.free)
                if driver in self.free:
                    self.free.remove(driver)
            if self.maybe(0.02):
                wanted["count"] = rng.choice((17, 33))
        if not sub and self.maybe(0.08):
            wanted["adminAccess"] = True
        if self.maybe(0.22):
            wanted["tolerations"] = [self._toleration() for _ in range(rng.choice((1, 1, 2)))]
        if self.maybe(0.25 if self.hard else 0.18) and self.gated("DRAConsumableCapacity"):
            wanted["capacity"] = {"requests": self._capacity_request(driver)}
        return wanted

    def _capacity_request(self, driver: str) -> Json:
        name = "bandwidth" if driver == NIC else "memory"
        amounts = (
            ("1G", "7G", "10G", "3500M", "26G", "90G")
            if driver == NIC
            else ("1Gi", "3Gi", "9Gi", "7Gi", "16Gi", "33Gi", "1500Mi")
        )
        if self.maybe(0.12):
            return {"cores": self.rng.choice(("0.3", "1", "1100m", "750m"))}
        return {name: self.rng.choice(amounts)}

    def _toleration(self) -> Json:
        toleration: Json = {"operator": self.rng.choice(("Exists", "Exists", "Equal"))}
        if self.maybe(0.8) or toleration["operator"] == "Equal":
            toleration["key"] = self.rng.choice(("example.com/ecc", "example.com/maintenance"))
        if toleration["operator"] == "Equal":
            if self.maybe(0.8):
                toleration["value"] = self.rng.choice(("soft", "hard"))
            if self.maybe(0.3):
                del toleration["operator"]
        if self.maybe(0.4):
            toleration["effect"] = self.rng.choice(("NoSchedule", "NoExecute"))
            if toleration["effect"] == "NoExecute" and self.maybe(0.4):
                toleration["tolerationSeconds"] = 300
        return toleration

    def _expression(self, driver: str) -> str:
        rng = self.rng
        own = f'device.attributes["{driver}"]'
        cap = f'device.capacity["{driver}"]'
        topo = f'device.attributes["{TOPOLOGY}"]'
        model = rng.choice(MODELS[driver])
        safe = [
            f'{own}.model == "{model}"',
            f'{own}.model.startsWith("{model.split("-")[0]}")',
            f"{own}.?healthy.orValue(false)",
            f"has({own}.firmware)",
            f'"slot" in {own}',
            f"has({topo}.numaNode) && {topo}.numaNode == {rng.randint(0, 1)}",
            f'{own}.?firmware.orValue(semver("0.1.0")).isGreaterThan(semver("{rng.choice(VERSIONS)}"))',
            f'cel.bind(a, {own}, has(a.healthy) && a.healthy && a.model.endsWith("{model[-1]}"))',
            f'!has({cap}.memory) || {cap}.memory.compareTo(quantity("{rng.choice(("20Gi", "41Gi"))}")) >= 0',
            f'{own}.model.matches("^[a-z]+-[0-9]+$")',
            "device.allowMultipleAllocations",
            "!device.allowMultipleAllocations",
            f'{own}.model in ["{model}", "other"]',
            f"{topo}.?numaNode.orValue(0) != 2",
            f"[1, 2, 3].exists(n, n == {own}.?slot.orValue(1))",
        ]
        if self.lists:
            safe += [
                f'has({topo}.pcieRoot) && {topo}.pcieRoot.includes("{rng.choice(ROOTS)}")',
                f'has({own}.protocols) && {own}.protocols.includes(semver("{rng.choice(VERSIONS)}"))',
            ]
        risky = [
            f'{own}.firmware.compareTo(semver("1.2.0")) > 0',
            f"{topo}.numaNode == 0",
            f"{own}.slot < 2",
            f'{cap}.memory.isGreaterThan(quantity("20Gi"))',
            f"{topo}.numaNode + 1 < 2",
            f'{own}.missing == "x"',
            f"{own}.model > 3",
            'device.attributes["other.example.org"].model == "x"',
        ]
        return rng.choice(risky if self.obstacle(0.15) else safe)

    def _targets(self, requests: list[Json]) -> list[str]:
        """Return names that a constraint or config may refer to; empty means all."""
        rng = self.rng
        if self.maybe(0.55):
            return []
        names: list[str] = []
        for request in requests:
            if self.maybe(0.7):
                subs = request.get("firstAvailable", [])
                if subs and self.maybe(0.4):
                    names.append(f"{request['name']}/{rng.choice(subs)['name']}")
                else:
                    names.append(request["name"])
        return names

    def _constraint(self, requests: list[Json]) -> Json:
        rng = self.rng
        driver = rng.choice(self.drivers)
        attribute = rng.choice(
            (
                f"{TOPOLOGY}/numaNode",
                f"{TOPOLOGY}/numaNode",
                f"{TOPOLOGY}/pcieRoot",
                f"{TOPOLOGY}/pcieRoot",
                f"{driver}/model",
                f"{driver}/firmware",
                f"{driver}/healthy",
                f"{driver}/slot",
                f"{driver}/protocols" if self.lists else f"{driver}/model",
            )
        )
        kind = rng.choice(("matchAttribute", "matchAttribute", "distinctAttribute"))
        if not self.hard:
            kind = "distinctAttribute" if attribute.endswith("/slot") else rng.choice(("matchAttribute",) * 5 + (kind,))
        constraint: Json = {kind: attribute}
        targets = self._targets(requests)
        if targets:
            constraint["requests"] = targets
        return constraint

    def _derive(self, requests: list[Json]) -> Json:
        """Give every request a derived attribute and return the constraint that uses it."""
        rng = self.rng
        name = rng.choice(("derived/group", "derived/group", f"{TOPOLOGY}/numaNode"))
        uses_list = self.lists and self.maybe(0.4)
        for request in requests:
            for wanted in request.get("firstAvailable", [request.get("exactly")]):
                driver = next((d for d in DRIVERS if SHORT[d] == wanted["deviceClassName"]), rng.choice(self.drivers))
                wanted["derivedAttributes"] = [{"name": name, "expression": self._derivation(driver, uses_list)}]
        constraint: Json = {rng.choice(("matchAttribute", "matchAttribute", "distinctAttribute")): name}
        if not self.hard and len(requests) > 2:
            constraint = {"matchAttribute": name}
        return constraint

    def _derivation(self, driver: str, as_list: bool) -> str:
        rng = self.rng
        own, topo = f'device.attributes["{driver}"]', f'device.attributes["{TOPOLOGY}"]'
        if as_list:
            return rng.choice(
                (
                    f"[{own}.?slot.orValue(0) + 0, {own}.?slot.orValue(0) + 1]",
                    f"{own}.?protocols.orValue([])",
                    f"[0, 1, 2].filter(n, n >= {own}.?slot.orValue(1))",
                )
            )
        if self.obstacle(0.15):
            return rng.choice((f"{topo}.numaNode", f"{own}.slot", f"{own}.firmware"))
        return rng.choice(
            (
                f"{topo}.?numaNode.orValue(0)",
                f"{own}.?slot.orValue(0) % 2",
                f"{own}.?healthy.orValue(true)",
                f"{topo}.?numaNode.orValue(0)",
                f'has({own}.model) ? {own}.model.split("-")[0] : "none"',
                f'{own}.?firmware.orValue(semver("1.2.0"))',
                f'has({topo}.pcieRoot) ? "wired" : "loose"',
                f'device.driver == "{GPU}" ? {own}.?slot.orValue(0) : {topo}.?numaNode.orValue(0)',
            )
        )

    def _config(self, requests: list[Json]) -> Json:
        config = _opaque(self.rng.choice(self.drivers), {"profile": self.rng.choice(("a", "b"))})
        targets = self._targets(requests)
        if targets:
            config["requests"] = targets
        return config


def _cel(expression: str) -> Json:
    return {"cel": {"expression": expression}}


def _opaque(driver: str, parameters: Json) -> Json:
    return {"opaque": {"driver": driver, "parameters": parameters}}


def main() -> None:
    """Write the cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    for number in range(options.count):
        rng = random.Random(f"allocate/{options.seed}/{number}")
        case = {"id": f"allocate-{options.seed}-{number:05d}", "input": World(rng).case()}
        sys.stdout.write(json.dumps(case, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
