"""Pieces of small allocator worlds: objects with only the fields that a subject needs, and dice to choose them."""

import json
import random
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

Json = dict[str, Any]
T = TypeVar("T")

NODE, OTHER_NODE = "node-a", "node-b"
DRIVER, OTHER_DRIVER = "gpu.example.com", "nic.example.net"

ALPHA_GATES = (
    "DRADerivedAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAListTypeAttributes",
    "DRAOptionalNodeOperations",
)
BETA_GATES = ("DRAConsumableCapacity", "DRADeviceBindingConditions", "DRAFractionalCapacityRange")
STABLE_GATES = (
    "DRAAdminAccess", "DRADeviceTaints", "DRAPartitionableDevices", "DRAPrioritizedList", "DRAResourceClaimDeviceStatus"
)  # fmt: skip
GATES = (*STABLE_GATES, *BETA_GATES, *ALPHA_GATES)


class Dice:
    """Random choices of one case."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)

    def maybe(self, probability: float) -> bool:
        return self.rng.random() < probability

    def one(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        """Several different ones, in random order."""
        return self.rng.sample(options, min(len(options), self.rng.randint(least, most)))

    def times(self, least: int, most: int) -> range:
        return range(self.rng.randint(least, most))

    def without_none(self, **fields: Any) -> Json:
        """An object without the fields that are None."""
        return {name: value for name, value in fields.items() if value is not None}

    def share_id(self) -> str:
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))


def cel(expression: str) -> Json:
    return {"cel": {"expression": expression}}


def node(**labels: str) -> Json:
    return {
        "metadata": {"name": NODE, "labels": {"kubernetes.io/hostname": NODE, **labels}},
        "status": {"declaredFeatures": ["DRAOptionalNodeOperations"]},
    }


def device_class(name: str = "any", *expressions: str, config: Sequence[Json] = ()) -> Json:
    spec: Json = {}
    if expressions:
        spec["selectors"] = [cel(expression) for expression in expressions]
    if config:
        spec["config"] = list(config)
    return {"metadata": {"name": name}, "spec": spec}


def slice_(devices: Sequence[Json], *, name: str = "s0", driver: str = DRIVER, pool: str = "p0", **spec: Any) -> Json:
    """A slice of a pool with one slice on the node, unless `spec` says otherwise."""
    number, count = spec.pop("generation", 1), spec.pop("count", 1)
    if not {"nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"} & spec.keys():
        spec["nodeName"] = NODE
    pool_spec = {"name": pool, "generation": number, "resourceSliceCount": count}
    body = {"driver": driver, "pool": pool_spec, **spec}
    if devices:
        body["devices"] = list(devices)
    return {"metadata": {"name": name}, "spec": body}


def exactly(name: str, class_name: str = "any", **fields: Any) -> Json:
    return {"name": name, "exactly": {"deviceClassName": class_name, **fields}}


def claim(requests: Sequence[Json], name: str = "claim-0", **devices: Any) -> Json:
    kept = {key: value for key, value in devices.items() if value}
    return {"metadata": {"name": name, "namespace": "lab"}, "spec": {"devices": {"requests": list(requests), **kept}}}


def held(name: str, results: Sequence[Json]) -> Json:
    """A claim with an allocation; a result lacks nothing but `request`."""
    body = claim([exactly("used")], name)
    body["status"] = {"allocation": {"devices": {"results": [{"request": "used", **result} for result in results]}}}
    return body


def result(device: str, driver: str = DRIVER, pool: str = "p0", **fields: Any) -> Json:
    return {"driver": driver, "pool": pool, "device": device, **fields}


def gates(dice: Dice, *needed: str) -> Json:
    """All gates, the default ones, all but one, or any set; `needed` ones stay on. Sometimes an allocator is forced."""
    draw = dice.rng.random()
    if draw < 0.4:
        return {}
    if draw < 0.6:
        enabled = set(STABLE_GATES) | set(BETA_GATES)
    elif draw < 0.8:
        enabled = set(GATES) - {dice.one(GATES)}
    else:
        enabled = set(dice.some(GATES, 2, len(GATES)))
    enabled |= set(needed)
    chosen: Json = {"features": sorted(enabled)}
    if dice.maybe(0.3):
        chosen["allocator"] = dice.one(_able(enabled))
    return chosen


def _able(enabled: Iterable[str]) -> list[str]:
    """The implementations that know all of these gates."""
    on = set(enabled)
    able = ["experimental"]
    if not on & set(ALPHA_GATES):
        able.append("incubating")
        if not on & set(BETA_GATES):
            able.append("stable")
    return able


def world(claims: Sequence[Json], slices: Sequence[Json], **more: Any) -> Json:
    """The input of a case; with a class `any`, nothing held and an ordinary node unless `more` says otherwise."""
    return {
        "node": more.pop("node", None) or node(), "claims": list(claims),
        "classes": more.pop("classes", [device_class()]), "slices": list(slices), "allocated": more.pop("allocated", []),
        **more,
    }  # fmt: skip


Recipe = Callable[[Dice], Json]


def cases(kind: str, recipes: dict[str, Recipe], seed: int, count: int) -> Iterator[Json]:
    """Unanswered cases, the recipes in turn; the same seed gives the same cases."""
    names = list(recipes)
    for number in range(count):
        name = names[number % len(names)]
        dice = Dice(f"{kind}/{name}/{seed}/{number}")
        yield {"id": f"{kind}-{name}-{seed}-{number:05d}", "input": recipes[name](dice)}


def write(found: Iterable[Json]) -> None:
    """Write the cases to standard output."""
    for case in found:
        sys.stdout.write(json.dumps(case, separators=(",", ":"), ensure_ascii=False) + "\n")
