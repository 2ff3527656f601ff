"""Questions of kind "taints": small clusters with device taints, rules, claims and pods.

python -m tests.oracle.generators.taints [--seed N] [--count M] > cases.jsonl
"""

import argparse
import datetime
import json
import random
from typing import Any

Json = dict[str, Any]

NOW = datetime.datetime(2026, 3, 1, 12, 0, 0)
DRIVERS = ["gpu.example.com", "nic.example.com"]
KEYS = ["example.com/broken", "example.com/old", "maintenance"]
VALUES = ["", "yes", "no"]


def at(seconds: int) -> Any:
    return (NOW + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def taint(dice: random.Random, effects: Any) -> Any:
    made: Json = {"key": dice.choice(KEYS), "effect": dice.choice(effects)}
    value = dice.choice(VALUES)
    if value:
        made["value"] = value
    added = dice.choice([None, -3600, -10, -1, 0, 0, 20, 300])
    if added is not None:
        made["timeAdded"] = at(added)
    return made


def toleration(dice: random.Random) -> Any:
    made: Json = {"operator": dice.choice(["Exists", "Exists", "Equal"])}
    if dice.random() < 0.7 or made["operator"] == "Equal":
        made["key"] = dice.choice(KEYS)
    if made["operator"] == "Equal":
        made["value"] = dice.choice(VALUES)
    effect = dice.choice(["NoExecute", "NoExecute", "NoExecute", "NoSchedule", "None", None])
    if effect:
        made["effect"] = effect
    seconds = dice.choice([None, None, 0, -5, 5, 12, 60, 300, 9000])
    if seconds is not None:
        made["tolerationSeconds"] = seconds
    return made


class World:
    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.devices: list[tuple[str, str, str]] = []  # (driver, pool, device)
        self.slices: list[Json] = []
        self.rules: list[Json] = []
        self.claims: list[Json] = []
        self.pods: list[Json] = []
        for number in range(dice.randint(1, 3)):
            self.add_pool(dice.choice(DRIVERS), f"pool-{number}")
        for number in range(dice.choice([0, 1, 1, 2, 3])):
            self.add_rule(number)
        for number in range(dice.randint(1, 5)):
            self.add_pod(number)
        if dice.random() < 0.3:
            self.add_bystander()

    def add_pool(self, driver: str, pool: str) -> None:
        generations = self.dice.choice([[1], [1], [2], [1, 2]])
        for generation in generations:
            names = [f"dev-{i}" for i in range(self.dice.randint(1, 3))]
            pieces = [names] if self.dice.random() < 0.7 else [names[:1], names[1:]]
            for piece, part in enumerate(pieces):
                devices = []
                for name in part:
                    device: Json = {"name": name}
                    if self.dice.random() < 0.5:
                        device["taints"] = [
                            taint(self.dice, ["NoExecute", "NoExecute", "NoSchedule", "None"])
                            for _ in range(self.dice.choice([1, 1, 2]))
                        ]
                    devices.append(device)
                    self.devices.append((driver, pool, name))
                self.slices.append(
                    {
                        "apiVersion": "resource.k8s.io/v1",
                        "kind": "ResourceSlice",
                        "metadata": {"name": f"{pool}-g{generation}-{piece}"},
                        "spec": {
                            "driver": driver,
                            "allNodes": True,
                            "devices": devices,
                            "pool": {"name": pool, "generation": generation, "resourceSliceCount": len(pieces)},
                        },
                    }
                )

    def add_rule(self, number: int) -> None:
        dice = self.dice
        driver, pool, device = dice.choice(self.devices)
        selector: Json = {}
        if dice.random() < 0.7:
            selector["driver"] = driver
        if dice.random() < 0.5:
            selector["pool"] = pool
        if dice.random() < 0.5:
            selector["device"] = device
        if dice.random() < 0.1:
            selector["device"] = "nowhere"
        rule: Json = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceTaintRule",
            "metadata": {"name": f"rule-{number}", "uid": f"rule-uid-{number}", "generation": dice.choice([1, 1, 3])},
            "spec": {"taint": taint(dice, ["NoExecute", "NoExecute", "None", "None", "NoSchedule"])},
        }
        if dice.random() < 0.92:
            rule["spec"]["deviceSelector"] = selector
        if dice.random() < 0.2:
            rule["status"] = {
                "conditions": [
                    {
                        "type": "EvictionInProgress",
                        "status": dice.choice(["True", "False"]),
                        "reason": "PodsPendingEviction",
                        "message": "earlier",
                        "observedGeneration": dice.choice([1, 2, 3]),
                        "lastTransitionTime": at(dice.choice([-3600, -4, -9, 0])),
                    }
                ]
            }
        self.rules.append(rule)

    def add_pod(self, number: int) -> None:
        dice = self.dice
        namespace = dice.choice(["default", "default", "team-a"])
        pod: Json = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"pod-{number}", "namespace": namespace, "uid": f"pod-uid-{number}"},
            "spec": {"containers": [{"name": "c", "image": "i"}], "resourceClaims": []},
            "status": {},
        }
        if dice.random() < 0.85:
            pod["spec"]["nodeName"] = "node-1"
        if dice.random() < 0.2:
            pod["status"]["phase"] = dice.choice(["Succeeded", "Failed", "Running"])
        if dice.random() < 0.08:
            pod["metadata"].update(deletionTimestamp=at(-5), deletionGracePeriodSeconds=30)
        group = None
        if dice.random() < 0.15:
            group = "group"
            pod["spec"]["schedulingGroup"] = {"podGroupName": group}
        for which in range(dice.choice([1, 1, 1, 2])):
            self.add_claim(pod, f"claim-{number}-{which}", group)
        if dice.random() < 0.15 and len(self.pods) > 0:
            self.share_claim(pod)
        self.pods.append(pod)

    def add_claim(self, pod: Any, name: str, group: Any) -> None:
        dice = self.dice
        namespace = pod["metadata"]["namespace"]
        claim: Json = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {"name": name, "namespace": namespace, "uid": f"{name}-uid"},
            "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}},
            "status": {},
        }
        if dice.random() < 0.93:
            results = []
            for driver, pool, device in dice.sample(self.devices, min(len(self.devices), dice.choice([1, 1, 2]))):
                result: Json = {
                    "request": "r",
                    "driver": driver,
                    "pool": pool,
                    "device": dice.choice([device] * 12 + ["gone"]),
                }
                count = dice.choice([0, 0, 1, 1, 2, 3])
                if count:
                    result["tolerations"] = [toleration(dice) for _ in range(count)]
                if dice.random() < 0.1:
                    result["adminAccess"] = True
                results.append(result)
            claim["status"]["allocation"] = {"devices": {"results": results}}
            if dice.random() < 0.93:
                uid = pod["metadata"]["uid"] if dice.random() < 0.92 else "another-uid"
                claim["status"]["reservedFor"] = [{"resource": "pods", "name": pod["metadata"]["name"], "uid": uid}]
            if group and dice.random() < 0.7:
                claim["status"]["reservedFor"] = [
                    {
                        "apiGroup": "scheduling.k8s.io",
                        "resource": "podgroups",
                        "name": dice.choice([group, group, "other"]),
                        "uid": "group-uid",
                    }
                ]
        way = dice.choice(["name", "name", "template", "extended"])
        if way == "name":
            pod["spec"]["resourceClaims"].append({"name": name, "resourceClaimName": name})
        else:
            owner: Json = {
                "apiVersion": "v1",
                "kind": "Pod",
                "name": pod["metadata"]["name"],
                "uid": pod["metadata"]["uid"],
                "controller": True,
            }
            if group and dice.random() < 0.5:
                owner = {
                    "apiVersion": "scheduling.k8s.io/v1beta1",
                    "kind": "PodGroup",
                    "name": group,
                    "uid": "group-uid",
                    "controller": True,
                }
            if dice.random() < 0.1:
                owner = dict(owner, uid="another-uid", name="another")
            if dice.random() < 0.9:
                claim["metadata"]["ownerReferences"] = [owner]
            if way == "template":
                pod["spec"]["resourceClaims"].append({"name": name, "resourceClaimTemplateName": "t"})
                if dice.random() < 0.93:
                    pod["status"].setdefault("resourceClaimStatuses", []).append(
                        {"name": name, "resourceClaimName": name}
                    )
            else:
                pod["status"]["extendedResourceClaimStatus"] = {
                    "resourceClaimName": name,
                    "requestMappings": [{"containerName": "c", "resourceName": "example.com/gpu", "requestName": "r"}],
                }
        self.claims.append(claim)

    def share_claim(self, pod: Any) -> None:
        for claim in self.claims:
            if (
                claim["metadata"]["namespace"] == pod["metadata"]["namespace"]
                and claim["status"].get("reservedFor")
                and claim["status"]["reservedFor"][0]["resource"] == "pods"
            ):
                claim["status"]["reservedFor"].append(
                    {"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}
                )
                pod["spec"]["resourceClaims"].append({"name": "shared", "resourceClaimName": claim["metadata"]["name"]})
                return

    def add_bystander(self) -> None:
        self.pods.append(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"name": "bystander", "namespace": "default", "uid": "bystander-uid"},
                "spec": {"nodeName": "node-1", "containers": [{"name": "c", "image": "i"}]},
            }
        )

    def question(self) -> Json:
        return {"now": at(0), "slices": self.slices, "rules": self.rules, "claims": self.claims, "pods": self.pods}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=250)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    for number in range(options.count):
        print(
            json.dumps(
                {"id": f"taints-{options.seed}-{number:04d}", "input": World(dice).question()}, separators=(",", ":")
            )
        )


if __name__ == "__main__":
    main()
