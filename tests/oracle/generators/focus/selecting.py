"""Which devices a node sees and a request selects: pools, node selection, taints, selectors that fail."""

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
    node,
    slice_,
    world,
)

LABELS = {"example.com/rack": "r1", "example.com/size": "10", "example.com/empty": "", "example.com/odd": "5x"}


def requirement(dice: Dice, broken: float) -> Json:
    """A node selector requirement; a broken one has no such operator or values that do not belong to it."""
    key = dice.one((*LABELS, "example.com/none"))
    operator = dice.one(("In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))
    body: Json = {"key": key, "operator": operator}
    if operator in ("In", "NotIn"):
        body["values"] = [dice.one(("r1", "r2", "10", "", "5x")) for _ in dice.times(1, 3)]
    elif operator in ("Gt", "Lt"):
        body["values"] = [dice.one(("9", "10", "11", "09", "0"))]
    if dice.maybe(broken):
        body |= dice.one(
            ({"operator": "Near"}, {"values": []}, {"values": ["x", "y"]}, {"values": ["x"]}, {"key": ""}, {"key": "a b"}, {"operator": ""},
             {"values": ["no value!"]}, {"values": ["-1"]}, {"values": ["-5x"]})
        )  # fmt: skip
    return body


def field_requirement(dice: Dice, broken: float) -> Json:
    body: Json = {
        "key": "metadata.name",
        "operator": dice.one(("In", "In", "NotIn")),
        "values": [dice.one(("node-a", "node-a", "node-b"))],
    }
    if dice.maybe(broken):
        body |= dice.one(({"operator": "Exists", "values": []}, {"key": "metadata.namespace"}, {"values": ["node-a", "node-b"]}, {"values": []},
                          {"operator": "Gt"}, {"key": "spec.unschedulable"}))  # fmt: skip
    return body


def term(dice: Dice, broken: float) -> Json:
    body: Json = {}
    if dice.maybe(0.85):
        body["matchExpressions"] = [requirement(dice, broken) for _ in dice.times(1, 3)]
    if dice.maybe(0.25):
        body["matchFields"] = [field_requirement(dice, broken)]
    return body


def node_selector(dice: Dice, terms: int, broken: float) -> Json:
    return {"nodeSelectorTerms": [term(dice, broken) for _ in range(terms)]}


def placement(dice: Dice, terms: int = 1, broken: float = 0.0) -> Json:
    """Any one of the ways to say on which nodes something is, or several at once where that is broken."""
    options: list[Json] = [
        {"nodeName": "node-a"}, {"nodeName": "node-b"}, {"allNodes": True},
        {"nodeSelector": node_selector(dice, terms, broken)}, {"nodeSelector": node_selector(dice, terms, broken)},
    ]  # fmt: skip
    if dice.maybe(broken):
        options += [{"nodeName": ""}, {"allNodes": False}, {}, {"nodeSelector": {"nodeSelectorTerms": []}}]
        return dice.one(options) | dice.one(options)
    return dice.one(options)


def _placed_slices(dice: Dice, broken: float) -> list[Json]:
    slices = []
    for number in dice.times(1, 4):
        devices: list[Json] = [{"name": f"d{n}"} for n in dice.times(0, 2)]
        spec: Json = placement(dice, dice.one((1, 1, 1, 1, 2)), broken)
        if dice.maybe(0.35):
            spec = {"perDeviceNodeSelection": dice.maybe(0.95)}
            for body in devices:
                body |= placement(dice, dice.one((1, 1, 1, 2, 3)) if dice.maybe(0.4) else 1, broken)
        for body in devices:
            if dice.maybe(0.1):
                body["bindsToNode"] = True
            if dice.maybe(broken):
                body |= placement(dice)
        if not spec:
            spec = {"allNodes": False}
        slices.append(slice_(devices, name=f"s{dice.one((number, 9 - number))}-{number}", pool=f"p{number}", **spec))
    return slices


def _selecting_nodes(dice: Dice, broken: float) -> Json:
    requests = [exactly(f"r{n}", allocationMode="ExactCount", count=dice.one((1, 1, 2, 3))) for n in dice.times(1, 2)]
    if dice.maybe(0.2):
        requests[0] = exactly("r0", allocationMode="All")
    more: Json = gates(dice)
    if dice.maybe(0.7):
        more["node"] = node(**{key: value for key, value in LABELS.items() if dice.maybe(0.8)})
    here = world([claim(requests)], _placed_slices(dice, broken), **more)
    if dice.maybe(broken):
        here["node"]["metadata"].pop("labels")
    return here


def node_selection(dice: Dice) -> Json:
    """Node selectors of all operators on slices and devices, and the selector of the result."""
    return _selecting_nodes(dice, 0.0)


def broken_node_selection(dice: Dice) -> Json:
    """Node selection that the API refuses: operators that do not exist, several ways at once, no way at all."""
    return _selecting_nodes(dice, 0.25)


def pools(dice: Dice) -> Json:
    """Generations, counts, slices elsewhere, names twice, counter sets twice or missing; All beside ExactCount."""
    slices: list[Json] = []
    for pool in dice.some(("pa", "pb", "pc"), 1, 3):
        driver, base = dice.one((DRIVER, DRIVER, OTHER_DRIVER)), dice.one((1, 5))
        number = dice.rng.randint(1, 3)
        for index in range(number + (dice.maybe(0.2))):
            spec: Json = dice.one(
                ({"nodeName": "node-a"}, {"nodeName": "node-a"}, {"allNodes": True}, {"nodeName": "node-b"})
            )
            devices: list[Json] = [{"name": f"d{index}{n}"} for n in dice.times(0, 2)]
            if dice.maybe(0.06) and devices:
                devices[-1]["name"] = "d00"
            for body in devices:
                if dice.maybe(0.1):
                    body["consumesCounters"] = [
                        {
                            "counterSet": dice.one(("set", "set", "gone")),
                            "counters": {dice.one(("u", "u", "v")): {"value": "1"}},
                        }
                    ]
                    if dice.maybe(0.3):
                        body["consumesCounters"][0]["compatibilityGroups"] = ["a"]
                if dice.maybe(0.06):
                    body["bindingConditions"] = ["ready"]
            if dice.maybe(0.15):
                spec["sharedCounters"] = [{"name": "set", "counters": {"u": {"value": "3"}}}]
                devices = [] if dice.maybe(0.8) else devices
            if dice.maybe(0.08):
                spec = {"perDeviceNodeSelection": True} | (
                    {"sharedCounters": spec["sharedCounters"]} if "sharedCounters" in spec else {}
                )
                for body in devices:
                    body["nodeName"] = dice.one(("node-a", "node-b"))
            spec["generation"] = base + (dice.one((-1, 1, 1)) if dice.maybe(0.12) else 0)
            spec["count"] = number if dice.maybe(0.85) else dice.one((0, 1, 2, 3, 4, -1))
            slices.append(slice_(devices, name=f"{dice.one('stu')}{index}-{pool}", driver=driver, pool=pool, **spec))
    if dice.maybe(0.6):
        dice.rng.shuffle(slices)
    requests: list[Json] = []
    for index in dice.times(1, 3):
        fields: Json = dice.one(({}, {}, {"allocationMode": "All"}, {"allocationMode": "ExactCount", "count": 2}))
        if dice.maybe(0.3):
            options: list[Any] = [
                {"name": f"s{n}", "deviceClassName": "any", **({} if n else fields)} for n in range(2)
            ]
            requests.append({"name": f"r{index}", "firstAvailable": options})
        else:
            requests.append(exactly(f"r{index}", dice.one(("any", "any", "gpu")), **fields))
    classes = [device_class(), device_class("gpu", f'device.driver == "{DRIVER}"')]
    return world([claim(requests)], slices, classes=classes, **gates(dice))


def taints(dice: Dice) -> Json:
    """Every operator, effect and value, empty and absent, of taints and tolerations."""

    def taint() -> Json:
        return dice.without_none(
            key=dice.one(("a", "a", "b", "", None)), value=dice.one((None, "", "x", "y")),
            effect=dice.one(("NoSchedule", "NoSchedule", "NoExecute", "None", "PreferNoSchedule", "", None)),
        )  # fmt: skip

    def toleration() -> Json:
        return dice.without_none(
            key=dice.one(("a", "a", "b", "", None)), value=dice.one((None, None, "", "x", "y")),
            operator=dice.one(("Exists", "Equal", "Equal", None, "", "Lt", "exists")),
            effect=dice.one(("NoSchedule", "NoExecute", "", None, None, "None")),
            tolerationSeconds=dice.one((None, None, None, 0, 10)),
        )  # fmt: skip

    devices = [{"name": f"d{n}", "taints": [taint() for _ in dice.times(0, 2)]} for n in dice.times(1, 4)]
    for body in devices:
        if not body["taints"] and dice.maybe(0.5):
            del body["taints"]
    requests: list[Json] = []
    for index in dice.times(1, 2):
        fields: Json = {"tolerations": [toleration() for _ in dice.times(0, 3)]}
        if dice.maybe(0.3):
            requests.append(
                {
                    "name": f"r{index}",
                    "firstAvailable": [
                        {"name": f"s{n}", "deviceClassName": "any", **(fields if n else {})} for n in range(2)
                    ],
                }
            )
        else:
            extra: Json = dice.one(
                ({}, {}, {"adminAccess": True}, {"allocationMode": "All"}, {"allocationMode": "ExactCount", "count": 2})
            )
            requests.append(exactly(f"r{index}", **fields, **extra))
    return world([claim(requests)], [slice_(devices)], **gates(dice, "DRAPrioritizedList"))


EXPRESSIONS = (
    "true", "true", "false", 'device.driver == "gpu.example.com"', 'device.attributes["gpu.example.com"].slot == 0',
    'device.attributes["gpu.example.com"].slot < 2', 'device.attributes["gpu.example.com"].?slot.orValue(0) < 2',
    'has(device.attributes["gpu.example.com"].slot)', 'device.attributes["gpu.example.com"].name == "a"',
    'device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("2Gi"))', "device.allowMultipleAllocations", "1 / 0 == 1",
    'device.attributes["gpu.example.com"].slot', "dyn(true)", "dyn(1)", 'device.attributes["other.example"].slot == 1',
    '[1, 2, 3].all(i, [1, 2, 3].all(j, i * j < device.attributes["gpu.example.com"].slot + 10))', "device.attributes.size() == 1",
    'device.attributes["gpu.example.com"].tags.exists(t, t == "a")', 'device.attributes["gpu.example.com"].tags.includes("a")',
    'device.attributes["gpu.example.com"].slot.includes(0)', "device.nothing == 1", 'device.capacity["gpu.example.com"].?memory.hasValue()',
    'device.attributes["gpu.example.com"].version.isLessThan(semver("2.0.0"))', '"gpu.example.com" in device.attributes',
)  # fmt: skip


def failing_selectors(dice: Dice) -> Json:
    """Selectors that are false or fail on some devices, in classes and requests, on devices that are reached or not."""
    slices = []
    for number in dice.times(1, 3):
        devices: list[Json] = []
        for index in dice.times(1, 4):
            attributes: Json = {
                "slot": dice.one(({"int": 0}, {"int": 3}, {"string": "0"}, {"ints": [0, 1]})), "name": {"string": "a"},
                "tags": dice.one(({"strings": ["a"]}, {"string": "a"})), "version": {"version": "1.0.0"},
            }  # fmt: skip
            body: Json = {
                "name": f"d{number}{index}",
                "attributes": {k: v for k, v in attributes.items() if dice.maybe(0.75)},
            }
            if dice.maybe(0.4):
                body["capacity"] = {"memory": {"value": dice.one(("1Gi", "4Gi"))}}
            if dice.maybe(0.15):
                body["allowMultipleAllocations"] = True
            if dice.maybe(0.15):
                body["taints"] = [{"key": "a", "effect": "NoSchedule"}]
            devices.append(body)
        spec: Json = {}
        if dice.maybe(0.25):
            spec["perDeviceNodeSelection"] = True
            for body in devices:
                body["nodeName"] = dice.one(("node-a", "node-a", "node-b"))
        slices.append(
            slice_(
                devices, name=f"s{number}", pool=f"p{number}", driver=dice.one((DRIVER, DRIVER, OTHER_DRIVER)), **spec
            )
        )
    classes = [device_class(name, *(dice.one(EXPRESSIONS) for _ in dice.times(0, 2))) for name in ("any", "gpu")]
    claims = []
    for number in dice.times(1, 2):
        requests: list[Json] = []
        for index in dice.times(1, 2):
            wanted: list[Json] = []
            for _ in dice.times(1, 2):
                body = {"deviceClassName": dice.one(("any", "gpu"))}
                if dice.maybe(0.6):
                    body["selectors"] = [cel(dice.one(EXPRESSIONS)) for _ in dice.times(1, 2)]
                body |= dice.one(({}, {}, {}, {"allocationMode": "All"}, {"allocationMode": "ExactCount", "count": 2}))
                wanted.append(body)
            if dice.maybe(0.3):
                requests.append(
                    {"name": f"r{index}", "firstAvailable": [{"name": f"s{n}", **w} for n, w in enumerate(wanted)]}
                )
            else:
                requests.append({"name": f"r{index}", "exactly": wanted[0]})
        claims.append(claim(requests, f"claim-{number}"))
    return world(claims, slices, classes=classes, **gates(dice, "DRAPrioritizedList"))


RECIPES: dict[str, Recipe] = {
    "node-selection": node_selection,
    "broken-node-selection": broken_node_selection,
    "pools": pools,
    "taints": taints,
    "failing-selectors": failing_selectors,
}
