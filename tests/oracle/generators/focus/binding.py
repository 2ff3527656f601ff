"""What binds devices to each other: constraints over every form of attribute, derived attributes, compatibility groups."""

from typing import Any

from tests.oracle.generators.small_worlds import (
    DRIVER,
    OTHER_DRIVER,
    Dice,
    Json,
    Recipe,
    claim,
    device_class,
    exactly,
    gates,
    held,
    result,
    slice_,
    world,
)

VERSIONS = ("1.2.0", "1.10.3", "2.0.0-rc.1", "2.0.0", "2.0.0+build.7", "1.2.0-alpha", "1.2.0-alpha.1", "2.0.0-rc.1+b")
NAMES = ("color", f"{DRIVER}/color", f"{OTHER_DRIVER}/color", "shared.example.org/color", "shared.example.org/size")
DERIVATIONS = (
    "1", "true", '"red"', 'semver("1.2.0")', "[1, 2]", '["red", "blue"]', "[]", "[true]", '[semver("1.2.0")]', "[1].filter(x, x > 1)",
    "[dyn(1), dyn(2)]", "dyn(1)", 'dyn("red")', "[[1]].map(l, l[0])", "device.driver", "size(device.driver)",
    'semver("2.0.0-rc.1+b")', "1 + 1", '"r" + "ed"', "device.allowMultipleAllocations", "[1, 1]", '["red"]',
    'device.attributes["gpu.example.com"].?color.orValue("none")', 'device.attributes["gpu.example.com"].color',
    'device.attributes["shared.example.org"].size', '"color" in device.attributes["gpu.example.com"]',
    'device.attributes["shared.example.org"].?size', '[dyn(1), dyn("a")].filter(x, type(x) == int)',
)  # fmt: skip
BROKEN_DERIVATIONS = (
    "1u", "1.5", "null", '{"a": 1}', 'quantity("1Gi")', 'duration("1s")', 'b"x"', "1 / 0", "[dyn(1), dyn('a')]",
    "[1.5]", "nothing", "1 +", "dyn(1u)", "dyn(1.5)", "dyn({'a': 1})", "[[1]]", "[dyn([1])]", "[null]", "device",
    'device.attributes', "optional.none()", "type(1)", "dyn([])", "[dyn(1u)]", 'timestamp("2026-01-01T00:00:00Z")',
    'device.capacity["gpu.example.com"].memory', 'optional.of(1)', "[optional.none()]", "9223372036854775807 + 1",
)  # fmt: skip


def attribute(dice: Dice) -> Json:
    """A value of any type, single or several, also an object without any."""
    draw = dice.rng.random()
    if draw < 0.04:
        return {}
    kind = dice.one(("int", "int", "bool", "string", "string", "version"))
    values: tuple[Any, ...] = {
        "int": (0, 1, 1, 2),
        "bool": (True, False),
        "string": ("red", "blue", "1", "true", "1.2.0", ""),
    }.get(kind, VERSIONS)
    if dice.maybe(0.45):
        return {f"{kind}s": [dice.one(values) for _ in dice.times(0 if dice.maybe(0.1) else 1, 3)]}
    return {kind: dice.one(values)}


def _device(dice: Dice, name: str, typed: Json | None) -> Json:
    found: Json = {}
    for key in NAMES:
        if dice.maybe(0.6):
            found[key] = attribute(dice) if typed is None or dice.maybe(0.2) else dict(typed)
    if "color" in found and f"{DRIVER}/color" in found and dice.maybe(0.7):
        del found["color"]
    return dice.without_none(name=name, attributes=found or None, allowMultipleAllocations=dice.maybe(0.15) or None)


def _derived(dice: Dice, broken: float) -> list[Json]:
    found = []
    for key in dice.some((*NAMES[1:], "derived/a"), 1, 2):
        expression = dice.one(BROKEN_DERIVATIONS) if dice.maybe(broken) else dice.one(DERIVATIONS)
        found.append({"name": key, "expression": expression})
    return found


def _wanted(dice: Dice, deriving: float, broken: float) -> Json:
    body: Json = {"deviceClassName": dice.one(("any", "any", "gpu", "nic"))}
    if dice.maybe(0.3):
        body |= {"allocationMode": "ExactCount", "count": dice.one((1, 2, 2, 3))}
    elif dice.maybe(0.08):
        body["allocationMode"] = "All"
    if dice.maybe(deriving):
        body["derivedAttributes"] = _derived(dice, broken)
    return body


def _requests(dice: Dice, deriving: float, broken: float) -> list[Json]:
    found: list[Json] = []
    for number in dice.times(1, 3):
        if dice.maybe(0.3):
            options = [{"name": f"s{i}", **_wanted(dice, deriving, broken)} for i in dice.times(1, 3)]
            found.append({"name": f"r{number}", "firstAvailable": options})
        else:
            found.append({"name": f"r{number}", "exactly": _wanted(dice, deriving, broken)})
    return found


def _constraint(dice: Dice, requests: list[Json], names: tuple[str, ...]) -> Json:
    kind = dice.one(("matchAttribute", "matchAttribute", "distinctAttribute"))
    body: Json = {kind: dice.one(names)}
    if dice.maybe(0.04):
        body = dice.one(({}, {"matchAttribute": ""}, {"distinctAttribute": ""}, {"matchAttribute": "nodomain"}))
    elif dice.maybe(0.05):
        body = {"matchAttribute": dice.one(names), "distinctAttribute": dice.one(names)}
    if dice.maybe(0.5):
        full = [request["name"] for request in requests]
        full += [f"{r['name']}/{option['name']}" for r in requests for option in r.get("firstAvailable", [])]
        body["requests"] = dice.some([*full, "s0", "unknown"] if dice.maybe(0.1) else full, 1, 3)
    return body


def _constrained(dice: Dice, deriving: float, broken: float) -> Json:
    typed = attribute(dice) if dice.maybe(0.35) else None
    mine = [_device(dice, f"d{number}", typed) for number in dice.times(1, 5)]
    slices = [slice_(mine)]
    if dice.maybe(0.4):
        others = [_device(dice, f"n{number}", typed) for number in dice.times(1, 3)]
        slices.append(slice_(others, name="s1", driver=OTHER_DRIVER))
    names = tuple(dice.some((*NAMES[1:], "derived/a") if deriving else NAMES[1:], 1, 2))
    claims = []
    for number in dice.times(1, 2):
        requests = _requests(dice, deriving, broken)
        constraints = [_constraint(dice, requests, names) for _ in dice.times(1, 3)]
        claims.append(claim(requests, f"claim-{number}", constraints=constraints))
    classes = [
        device_class(),
        *(device_class(n, f'device.driver == "{d}"') for n, d in (("gpu", DRIVER), ("nic", OTHER_DRIVER))),
    ]
    needed = ("DRADerivedAttributes",) if deriving and dice.maybe(0.9) else ()
    return world(claims, slices, classes=classes, **gates(dice, "DRAPrioritizedList", *needed))


def constraints(dice: Dice) -> Json:
    """Published attributes of every form under several constraints."""
    return _constrained(dice, 0, 0)


def derived(dice: Dice) -> Json:
    """Derived attributes that shadow published ones, on some of the requests only."""
    return _constrained(dice, 0.6, 0.05)


def broken_derived(dice: Dice) -> Json:
    """Derived attributes that fail when they are compiled or evaluated, reached or not."""
    return _constrained(dice, 0.6, 0.6)


def groups(dice: Dice) -> Json:
    """Compatibility groups over one or two counter sets, with devices in use, shares and partitions for other nodes."""
    sets = [{"name": f"set-{n}", "counters": {"units": {"value": "100"}}} for n in dice.times(1, 2)]
    devices = []
    for number in dice.times(2, 6):
        uses = []
        for one in dice.some(sets, 1, 2):
            use: Json = {"counterSet": one["name"], "counters": {"units": {"value": "1"}}}
            if dice.maybe(0.7):
                use["compatibilityGroups"] = dice.some(("a", "b", "c"), 0 if dice.maybe(0.1) else 1, 3)
            uses.append(use)
        body: Json = {"name": f"d{number}", "consumesCounters": uses}
        if dice.maybe(0.3):
            body["allowMultipleAllocations"] = True
        devices.append(body)
    results = []
    for device in dice.some(devices, 0, 2):
        share: Json = {"shareID": dice.share_id()} if "allowMultipleAllocations" in device and dice.maybe(0.8) else {}
        results.append(result(device["name"], **share))
    away = devices[-1:] if dice.maybe(0.3) else []
    here = devices[:-1] if away else devices
    number = 2 + bool(away)
    slices = [slice_([], name="s0", count=number, sharedCounters=sets), slice_(here, name="s1", count=number)]
    if away:
        slices.append(slice_(away, name="s2", count=number, nodeName="node-b"))
    claims = []
    for index in dice.times(1, 2):
        fields: list[Json] = [{"count": dice.one((1, 2, 3))} if dice.maybe(0.4) else {} for _ in dice.times(1, 3)]
        requests = [
            exactly(f"r{n}", **{"allocationMode": "ExactCount", "count": 1, **each}) for n, each in enumerate(fields)
        ]
        if dice.maybe(0.15):
            requests[-1]["exactly"] |= {"allocationMode": "All"}
            requests[-1]["exactly"].pop("count")
        claims.append(claim(requests, f"claim-{index}"))
    return world(
        claims,
        slices,
        allocated=[held("held", results)] if results else [],
        **gates(dice, "DRADeviceCompatibilityGroups"),
    )


RECIPES: dict[str, Recipe] = {
    "constraints": constraints,
    "derived": derived,
    "broken-derived": broken_derived,
    "groups": groups,
}
