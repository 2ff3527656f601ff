"""Questions of kind "poolstatus": a request, the slices and claims of a cluster, taint rules.

python -m tests.oracle.generators.poolstatus [--seed N] [--count M] > cases.jsonl
"""

import argparse
import json
import random
from typing import Any

Json = dict[str, Any]

DRIVER = "gpu.example.com"
OTHER = "nic.example.com"
LONG = ".".join(["p" * 60] * 4)
QUANTITIES = ["1", "2", "500m", "1Gi", "10Gi", "10G", "1536Mi", "3", "0", "1e3"]


def chance(dice: random.Random, share: float) -> Any:
    return dice.random() < share


class World:
    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.slices: list[Json] = []
        self.claims: list[Json] = []
        self.rules: list[Json] = []
        self.devices: list[tuple[str, str, str, Json]] = []  # (driver, pool, device, its object)
        self.attribute = ""  # the partition type attribute of the pool in work
        pools = dice.choice([0, 1, 1, 1, 2, 3, 6])
        self.pools = [f"pool-{i}" for i in range(pools)]
        if pools and chance(dice, 0.08):
            self.pools[0] = LONG
        for pool in self.pools:
            self.attribute = dice.choice(["gpu.example.com/profile"] * 4 + ["other.example.com/kind"])
            dice.choice([self.plain, self.plain, self.partitions, self.partitions, self.shareable, self.mixed])(pool)
        if chance(dice, 0.3):
            self.publish(OTHER, dice.choice(self.pools or ["x"]), [[{"name": "eth"}]], {"nodeName": "node-9"})
        self.claim_some()
        for number in range(dice.choice([0, 0, 1, 2])):
            self.rule(number)

    # -- slices

    def publish(self, driver: str, pool: str, parts: Any, extra: Any, counters: Any = None) -> None:
        """Puts each part into a slice of its own; counter sets get a slice in front."""
        dice = self.dice
        generation = dice.choice([0, 1, 1, 1, 1, 2, 5])
        bodies = [{"devices": part} for part in parts]
        if counters:
            bodies.insert(0, {"sharedCounters": counters})
        count = len(bodies)
        if chance(dice, 0.12):
            count += dice.choice([1, 2])
        elif chance(dice, 0.05) and count > 1:
            count -= 1
        for number, body in enumerate(bodies):
            spec: Json = {
                "driver": driver,
                "pool": {"name": pool, "generation": generation, "resourceSliceCount": count},
            }
            spec.update(body)
            spec.update(
                {key: value for key, value in extra.items() if key != "partitionTypeAttribute" or "devices" in body}
            )
            if chance(dice, 0.05) and "nodeName" in spec:
                spec["nodeName"] = "node-other"
            for device in body.get("devices", []):
                self.devices.append((driver, pool, device["name"], device))
            self.slices.append(self.slice(f"{driver[:3]}-{pool[:20]}-{number}-{len(self.slices)}", spec))
        if chance(dice, 0.15) and generation > 0:
            old: Json = {
                "driver": driver,
                "nodeName": "node-old",
                "devices": [{"name": "ancient"}],
                "pool": {"name": pool, "generation": generation - 1, "resourceSliceCount": 1},
            }
            self.slices.append(self.slice(f"a-old-{len(self.slices)}", old))

    @staticmethod
    def slice(name: str, spec: Json) -> Json:
        return {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": name.lower()},
            "spec": spec,
        }

    def place(self) -> Any:
        return self.dice.choice([{"nodeName": "node-1"}, {"nodeName": "node-2"}, {"allNodes": True}])

    def tainted(self, device: Json) -> Any:
        if chance(self.dice, 0.2):
            device["taints"] = [
                {
                    "key": "example.com/bad",
                    "effect": self.dice.choice(["NoSchedule", "NoExecute", "None"]),
                    "timeAdded": "2026-01-01T00:00:00Z",
                }
            ]
        return device

    def split(self, devices: Any) -> Any:
        if len(devices) < 2 or chance(self.dice, 0.6):
            return [devices]
        cut = self.dice.randint(1, len(devices) - 1)
        return [devices[:cut], devices[cut:]]

    def plain(self, pool: str) -> None:
        devices = [self.tainted({"name": f"gpu-{i}"}) for i in range(self.dice.randint(0, 5))]
        self.publish(DRIVER, pool, self.split(devices), self.place())

    def partition_devices(self) -> Any:
        dice = self.dice
        types = dice.choice([1, 2, 3, 3])
        if chance(dice, 0.06):
            types = dice.choice([32, 33])
        devices = []
        attribute = self.attribute
        if attribute == "gpu.example.com/profile" and chance(dice, 0.5):
            attribute = "profile"  # the driver's own domain may be left out
        for kind in range(types):
            cost: Json = {"memory": {"value": dice.choice(["1Gi", "2Gi", "1G", "5Gi", "0"])}}
            if chance(dice, 0.4):
                cost["slices"] = {"value": dice.choice(["1", "2", "1000m"])}
            counter_set = dice.choice(["set-0"] * 4 + ["set-1"])
            second = chance(dice, 0.15) and counter_set == "set-0"
            for copy in range(dice.randint(1, 4) if types < 32 else 1):
                device: Json = {
                    "name": f"t{kind}-{copy}",
                    "attributes": {attribute: {"string": f"type-{kind}"}},
                    "consumesCounters": [{"counterSet": counter_set, "counters": json.loads(json.dumps(cost))}],
                }
                if second:
                    device["consumesCounters"].append({"counterSet": "set-1", "counters": {"memory": {"value": "1Gi"}}})
                if chance(dice, 0.015):
                    device["attributes"] = dice.choice([{}, {attribute: {"int": 3}}])
                if chance(dice, 0.05):
                    device["attributes"]["profile"] = {"string": "extra"}
                if chance(dice, 0.02):
                    device["consumesCounters"][0]["counters"]["memory"]["value"] = dice.choice(["1024Mi", "7Gi"])
                if chance(dice, 0.05):
                    del device["consumesCounters"]
                devices.append(self.tainted(device))
        return devices

    def counters(self) -> Any:
        dice = self.dice
        sets = [
            {
                "name": "set-0",
                "counters": {
                    "memory": {"value": dice.choice(["4Gi", "10Gi", "40Gi", "0", "10G"])},
                    "slices": {"value": dice.choice(["7", "3"])},
                },
            }
        ]
        if chance(dice, 0.7):
            sets.append({"name": "set-1", "counters": {"memory": {"value": "4Gi"}}})
        return sets if chance(dice, 0.93) else None

    def partitions(self, pool: str) -> None:
        extra = self.place()
        if chance(self.dice, 0.6):
            extra["partitionTypeAttribute"] = self.attribute if chance(self.dice, 0.93) else "gpu.example.com/none"
        self.publish(DRIVER, pool, self.split(self.partition_devices()), extra, self.counters())

    def shareable_devices(self) -> Any:
        dice = self.dice
        devices = []
        for number in range(dice.randint(1, 4)):
            device: Json = {"name": f"share-{number}", "allowMultipleAllocations": chance(dice, 0.8)}
            keys = dice.sample(["memory", "cores", "gpu.example.com/memory", "other.example.com/x"], dice.randint(0, 3))
            device["capacity"] = {key: {"value": dice.choice(QUANTITIES)} for key in keys}
            devices.append(self.tainted(device))
        if chance(dice, 0.08):
            for device in devices:
                device["allowMultipleAllocations"] = True
                device["capacity"] = {f"{device['name'].replace('-', '_')}_{i}": {"value": "1"} for i in range(20)}
        return devices

    def shareable(self, pool: str) -> None:
        self.publish(DRIVER, pool, self.split(self.shareable_devices()), self.place())

    def mixed(self, pool: str) -> None:
        devices = self.partition_devices() + self.shareable_devices()
        extra = self.place()
        if chance(self.dice, 0.5):
            extra["partitionTypeAttribute"] = self.attribute
        self.publish(DRIVER, pool, self.split(devices), extra, self.counters())

    # -- claims and rules

    def claim_some(self) -> None:
        dice = self.dice
        for number in range(dice.choice([0, 1, 2, 4])):
            claim: Json = {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceClaim",
                "metadata": {"name": f"claim-{number}", "namespace": dice.choice(["a", "b"])},
                "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}},
                "status": {},
            }
            if self.devices and chance(dice, 0.9):
                results = []
                for driver, pool, name, device in dice.sample(self.devices, min(len(self.devices), dice.randint(1, 3))):
                    result: Json = {
                        "request": "r",
                        "driver": driver,
                        "pool": pool,
                        "device": name if chance(dice, 0.95) else "unpublished",
                    }
                    if chance(dice, 0.12):
                        result["adminAccess"] = chance(dice, 0.8)
                    if device.get("allowMultipleAllocations"):
                        result["shareID"] = f"00000000-0000-0000-0000-00000000000{number}"
                        result["consumedCapacity"] = {
                            key: dice.choice(QUANTITIES) for key in device.get("capacity", {})
                        }
                        if chance(dice, 0.1):
                            result["consumedCapacity"]["unknown"] = "1"
                    results.append(result)
                claim["status"]["allocation"] = {"devices": {"results": results}}
            self.claims.append(claim)

    def rule(self, number: int) -> None:
        dice = self.dice
        rule: Json = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceTaintRule",
            "metadata": {"name": f"rule-{number}"},
            "spec": {
                "taint": {
                    "key": "example.com/rule",
                    "effect": dice.choice(["NoSchedule", "NoExecute", "None"]),
                    "timeAdded": "2026-01-01T00:00:00Z",
                }
            },
        }
        if chance(dice, 0.9):
            selector: Json = {}
            if self.devices:
                driver, pool, name, _ = dice.choice(self.devices)
                selector = {
                    key: value
                    for key, value in (("driver", driver), ("pool", pool), ("device", name))
                    if chance(dice, 0.5)
                }
            rule["spec"]["deviceSelector"] = selector
        self.rules.append(rule)

    def question(self) -> Json:
        dice = self.dice
        spec: Json = {"driver": DRIVER if chance(dice, 0.95) else OTHER}
        if chance(dice, 0.2):
            spec["poolName"] = dice.choice(self.pools + ["nowhere"])
        if chance(dice, 0.25):
            spec["limit"] = dice.choice([1, 2, 3, 1000])
        if chance(dice, 0.4):
            spec["defaultPartitionTypeAttribute"] = dice.choice(
                ["gpu.example.com/profile", "gpu.example.com/profile", "other.example.com/kind"]
            )
        request: Json = {
            "apiVersion": "resource.k8s.io/v1alpha3",
            "kind": "ResourcePoolStatusRequest",
            "metadata": {"name": "request"},
            "spec": spec,
        }
        dice.shuffle(self.slices)
        return {"request": request, "slices": self.slices, "claims": self.claims, "rules": self.rules}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    for number in range(options.count):
        print(
            json.dumps(
                {"id": f"poolstatus-{options.seed}-{number:04d}", "input": World(dice).question()},
                separators=(",", ":"),
            )
        )


if __name__ == "__main__":
    main()
