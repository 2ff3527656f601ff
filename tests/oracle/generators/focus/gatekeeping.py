"""What is checked before any device is looked at, and what is written into the result: odd requests, gates, configs."""

from typing import Any

from tests.oracle.generators.small_worlds import (
    DRIVER,
    OTHER_DRIVER,
    Dice,
    Json,
    Recipe,
    cel,
    claim,
    device_class,
    exactly,
    gates,
    slice_,
    world,
)


def _devices(dice: Dice) -> list[Json]:
    found = []
    for number in dice.times(1, 4):
        body: Json = {"name": f"d{number}"}
        if dice.maybe(0.25):
            body["bindingConditions"] = dice.some(("ready", "attached"), 0 if dice.maybe(0.2) else 1, 2)
            if dice.maybe(0.7):
                body["bindingFailureConditions"] = dice.some(("failed", "lost"), 0 if dice.maybe(0.2) else 1, 2)
        if dice.maybe(0.1):
            body["bindingFailureConditions"] = ["failed"]
        if dice.maybe(0.15):
            body["bindsToNode"] = dice.maybe(0.7)
        if dice.maybe(0.15):
            body["allowMultipleAllocations"] = dice.maybe(0.8)
        if dice.maybe(0.15):
            body["taints"] = [{"key": "k", "effect": "NoSchedule"}]
        found.append(body)
    return found


def _slices(dice: Dice) -> list[Json]:
    found = []
    for number in dice.times(1, 3):
        spec: Json = {"driver": dice.one((DRIVER, OTHER_DRIVER)), "pool": f"p{number}", "name": f"s{number}"}
        if dice.maybe(0.2):
            spec["skipNodeOperations"] = dice.one(
                (["*"], ["NodePrepareResources"], [], ["NodeUnprepareResources", "*"])
            )
        if dice.maybe(0.3):
            spec["allNodes"] = True
        found.append(slice_(_devices(dice), **spec))
    return found


def _odd_wanted(dice: Dice) -> Json:
    """A request of which some fields are missing, empty or unknown."""
    body: Json = {"deviceClassName": dice.one(("any", "any", "any", "gpu", "gpu", "unknown", ""))}
    if dice.maybe(0.35):
        body["allocationMode"] = dice.one(("ExactCount", "ExactCount", "All", "Most", ""))
    if dice.maybe(0.3):
        body["count"] = dice.one((1, 1, 2, 2, 3, 0, -1, 33, 9223372036854775807))
    if dice.maybe(0.2):
        body["selectors"] = [
            dice.one(({}, cel("true"), cel("true"), cel("false"), cel(""), cel("1"), cel("1 +")))
            for _ in dice.times(0, 2)
        ]
    if dice.maybe(0.2):
        body["capacity"] = dice.one(({}, {"requests": {}}, {"requests": {"memory": "1"}}))
    if dice.maybe(0.15):
        body["derivedAttributes"] = dice.one(([], [{"name": "derived/a", "expression": "1"}]))
    if dice.maybe(0.2):
        body["tolerations"] = dice.one(
            ([], [{"operator": "Exists"}], [{"key": "k"}], [{"key": "k", "operator": "Exists", "tolerationSeconds": 5}])
        )
    return body


def odd_requests(dice: Dice) -> Json:
    """The order in which the allocator refuses what it cannot handle."""
    claims: list[Json] = []
    for number in dice.times(0 if dice.maybe(0.05) else 1, 3):
        requests: list[Json] = []
        for index in dice.times(0 if dice.maybe(0.1) else 1, 3):
            name = f"r{index}"
            if dice.maybe(0.3):
                options: list[Any] = [
                    {"name": f"s{i}" if dice.maybe(0.95) else "s0", **_odd_wanted(dice)} for i in dice.times(1, 3)
                ]
                requests.append({"name": name, "firstAvailable": options})
            else:
                requests.append({"name": name, "exactly": _odd_wanted(dice)})
                if dice.maybe(0.15):
                    requests[-1]["exactly"]["adminAccess"] = dice.maybe(0.6)
        constraints = [
            dice.one(({}, {"matchAttribute": "a/b"}, {"distinctAttribute": "a/b"}))
            for _ in dice.times(0, 2)
            if dice.maybe(0.2)
        ]
        body = claim(requests, f"claim-{number}" if dice.maybe(0.9) else "claim-0", constraints=constraints)
        if dice.maybe(0.1):
            del body["metadata"]["namespace"]
        claims.append(body)
    classes = [
        device_class(),
        device_class("gpu", *(["1 +"] if dice.maybe(0.05) else [f'device.driver == "{DRIVER}"'])),
    ]
    return world(claims, _slices(dice), classes=classes, **gates(dice))


def _config(dice: Dice, names: list[str]) -> Json:
    body: Json = {
        "opaque": {
            "driver": dice.one((DRIVER, OTHER_DRIVER)),
            "parameters": dice.one(({"a": 1}, {"b": [1, {"c": None}]}, "x", {})),
        }
    }
    if dice.maybe(0.1):
        body = {}
    if names and dice.maybe(0.65):
        body["requests"] = [dice.one(names) for _ in dice.times(0 if dice.maybe(0.1) else 1, 3)]
    return body


def configs(dice: Dice) -> Json:
    """Configs of classes and claims: for all, for some, for alternatives, twice, for names that do not exist."""
    classes = []
    for name in ("any", "gpu", "nic"):
        selector = {
            "any": (),
            "gpu": (f'device.driver == "{DRIVER}"',),
            "nic": (f'device.driver == "{OTHER_DRIVER}"',),
        }[name]
        classes.append(device_class(name, *selector, config=[_config(dice, []) for _ in dice.times(0, 2)]))
    claims = []
    for number in dice.times(1, 2):
        requests: list[Json] = []
        for index in dice.times(1, 4):
            name = f"r{index}"
            if dice.maybe(0.4):
                options = [
                    {"name": f"s{i}", "deviceClassName": dice.one(("any", "gpu", "nic"))} for i in dice.times(1, 3)
                ]
                requests.append({"name": name, "firstAvailable": options})
            else:
                fields: Json = {"allocationMode": "ExactCount", "count": 2} if dice.maybe(0.2) else {}
                if dice.maybe(0.2):
                    fields["adminAccess"] = dice.maybe(0.7)
                requests.append(exactly(name, dice.one(("any", "gpu", "nic")), **fields))
        names = [r["name"] for r in requests] + [
            f"{r['name']}/{o['name']}" for r in requests for o in r.get("firstAvailable", [])
        ]
        names += ["unknown", "s0"] if dice.maybe(0.2) else []
        claims.append(claim(requests, f"claim-{number}", config=[_config(dice, names) for _ in dice.times(0, 4)]))
    slices = [
        slice_([{"name": f"d{n}"} for n in range(5)], name="s0"),
        slice_([{"name": f"n{n}"} for n in range(3)], name="s1", driver=OTHER_DRIVER, pool="p1"),
    ]
    return world(claims, slices, classes=classes, **gates(dice, "DRAPrioritizedList"))


def gate_by_gate(dice: Dice) -> Json:
    """A use of every feature in one world, with any gates."""
    devices = _devices(dice)
    for number, body in enumerate(devices):
        body["attributes"] = {"kind": dice.one(({"string": "a"}, {"strings": ["a", "b"]}, {"int": 1}))}
        if dice.maybe(0.4):
            body["capacity"] = {
                "memory": {"value": "8Gi", **({"requestPolicy": {"default": "2Gi"}} if dice.maybe(0.5) else {})}
            }
        if dice.maybe(0.3):
            use: Json = {"counterSet": "set", "counters": {"units": {"value": "1"}}}
            if dice.maybe(0.4):
                use["compatibilityGroups"] = [dice.one(("a", "b"))]
            body["consumesCounters"] = [use]
        if number and dice.maybe(0.1):
            body["nodeName"] = "node-a"
    count = 2 if any("consumesCounters" in body for body in devices) else 1
    slices = [slice_(devices, name="s1", count=count)]
    if dice.maybe(0.2):
        slices[0]["spec"]["skipNodeOperations"] = ["*"]
    if count == 2:
        slices.insert(
            0, slice_([], name="s0", count=2, sharedCounters=[{"name": "set", "counters": {"units": {"value": "2"}}}])
        )
    wanted: Json = {}
    if dice.maybe(0.3):
        wanted["capacity"] = {"requests": {"memory": "1Gi"}}
    if dice.maybe(0.15):
        wanted["derivedAttributes"] = [{"name": f"{DRIVER}/kind", "expression": '"a"'}]
    if dice.maybe(0.15):
        wanted["allocationMode"] = "All"
    request: Json = {"name": "r0", "firstAvailable": [{"name": "s0", "deviceClassName": "any", **wanted}]}
    if dice.maybe(0.6):
        admin: Json = {"adminAccess": True} if dice.maybe(0.15) else {}
        request = exactly("r0", **wanted, **admin)
    requests = [request, *(exactly(f"r{n}") for n in dice.times(0, 2) if n)]
    constraint = {dice.one(("matchAttribute", "distinctAttribute")): f"{DRIVER}/kind"}
    more: Json = gates(dice)
    here = world([claim(requests, constraints=[constraint] if dice.maybe(0.4) else [])], slices, **more)
    if dice.maybe(0.5):
        del here["node"]["status"]
    return here


RECIPES: dict[str, Recipe] = {"odd-requests": odd_requests, "configs": configs, "gate-by-gate": gate_by_gate}
