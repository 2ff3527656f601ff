"""Amounts: capacity requests and policies, counters, counts near the limit of a claim."""

from typing import Any

from tests.oracle.generators.small_worlds import (
    DRIVER,
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

ORDINARY = (
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "8",
    "10",
    "16",
    "500m",
    "1500m",
    "2500m",
    "1Ki",
    "2Ki",
    "1k",
    "1e3",
    "3e0",
)
ODD = (
    "-1", "-500m", "-1Gi", "0.1", "1n", "1u", "100u", "999n", "1000u", "1e-3", "1E3", "12e6", "1.5Ki", "0.5Mi", "0.3Ki",
    "1Ei", "7Ei", "8Ei", "9E", "10E", "9223372036854775807", "9223372036854775808", "9223372036854775807m",
    "9223372036854775808m", "9223372036854775", "9223372036854776", "1e20", "1e30", "0.0000000001", "2.5", "1.0001Ki",
    "100E", "+3", "0.1Ki", "1.001", "1000m", "1024", "1025", "0.9999", "4.0000000001", "1E", "1000P", "1025Mi", "-0", "0e5",
    "4611686018427387904", "6148914691236517205", "3074457345618258603m", "00007", "1.", ".5", "1e0", "5e-1", "1e18", "1e19",
)  # fmt: skip


def amount(dice: Dice, odd: float = 0.3) -> str:
    return dice.one(ODD) if dice.maybe(odd) else dice.one(ORDINARY)


def positive(dice: Dice) -> str:
    """An amount of more than a thousandth: the scheduler itself crashes on steps of zero."""
    return dice.one(
        [
            text
            for text in (*ORDINARY, *ODD)
            if text[0] != "-" and text not in ("0", "0e5", "1n", "1u", "100u", "999n", "0.0000000001")
        ]
    )


def policy(dice: Dice, odd: float = 0.15) -> Json | None:
    """Every form of a request policy, also those that the API refuses."""
    draw = dice.rng.random()
    if draw < 0.12:
        return None
    default = amount(dice, odd) if dice.maybe(0.85) else None
    if draw < 0.25:
        return dice.without_none(default=default)
    if draw < 0.5:
        values = [amount(dice, odd) for _ in dice.times(1, 4)]
        if dice.maybe(0.6):
            values = [value for value in ("500m", "1", "2", "4", "5", "8", "16") if dice.maybe(0.5)]
        form: Json = dice.without_none(default=default, validValues=values)
        if dice.maybe(0.1):
            form["validRange"] = {"min": "1"}
        return form
    least = amount(dice, odd)
    most = dice.one(("8", "10", "64", "1Ki", "5500m", amount(dice, 0.6))) if dice.maybe(0.5) else None
    step = dice.one(("1", "2", "500m", "3", "1Ki", "0.3", "100u", "1e0", positive(dice))) if dice.maybe(0.75) else None
    return dice.without_none(default=default, validRange=dice.without_none(min=least, max=most, step=step))


def capacity(dice: Dice, odd: float = 0.1) -> Json:
    value = dice.one(("8", "10", "64", "1Ki", "100", "1e2", "8Ei", "10500m")) if dice.maybe(0.8) else amount(dice, 0.7)
    return dice.without_none(value=value, requestPolicy=policy(dice, odd))


def _capacity_device(dice: Dice, name: str, names: list[str]) -> Json:
    body: Json = {"name": name, "capacity": {key: capacity(dice) for key in names if dice.maybe(0.9)}}
    if dice.maybe(0.75):
        body["allowMultipleAllocations"] = dice.maybe(0.93)
    return body


def capacities(dice: Dice) -> Json:
    """Requests for amounts of one or two capacities, with shares held."""
    names = dice.some(("memory", "cores", "gpu.example.com/memory"), 1, 1 if dice.maybe(0.7) else 2)
    devices = [_capacity_device(dice, f"d{number}", names) for number in dice.times(1, 3)]
    claims = []
    for number in dice.times(1, 3):
        requests = []
        for index in dice.times(1, 2):
            asked = {key: amount(dice) for key in names if dice.maybe(0.8)}
            fields: Json = {"capacity": {"requests": asked}} if asked or dice.maybe(0.2) else {}
            if dice.maybe(0.08):
                fields["allocationMode"] = "All"
            if dice.maybe(0.05):
                fields["adminAccess"] = True
            requests.append(exactly(f"r{index}", **fields))
        claims.append(claim(requests, f"claim-{number}"))
    shares = []
    for index in dice.times(0, 2):
        consumed = {key: amount(dice, 0.2) for key in [*names, "unknown"] if dice.maybe(0.6)}
        extra: Json = {"consumedCapacity": consumed} if dice.maybe(0.8) else {}
        shares.append(held(f"held-{index}", [result(dice.one(devices)["name"], shareID=dice.share_id(), **extra)]))
    return world(claims, [slice_(devices)], allocated=shares, **gates(dice, "DRAConsumableCapacity"))


def counters(dice: Dice) -> Json:
    """Odd amounts of counters, several sets, uses of a set twice, partitions held."""
    sets = [
        {"name": f"set-{number}", "counters": {key: {"value": amount(dice, 0.15)} for key in ("memory", "engines")}}
        for number in dice.times(1, 2)
    ]
    devices: list[Json] = []
    for number in dice.times(2, 5):
        uses: list[Json] = []
        for used in dice.some(sets, 0 if dice.maybe(0.2) else 1, 2):
            use: Json = {"counterSet": used["name"], "counters": {}}
            for key in dice.some(("memory", "engines"), 0 if dice.maybe(0.1) else 1, 2):
                use["counters"][key] = {"value": amount(dice, 0.1)}
            if dice.maybe(0.25):
                use["compatibilityGroups"] = dice.some(("x", "y", "z"), 0, 2)
            uses.append(use)
        body: Json = {"name": f"d{number}"}
        if uses:
            body["consumesCounters"] = uses
        if dice.maybe(0.3):
            body["allowMultipleAllocations"] = True
        devices.append(body)
    results = [result(dice.one(devices)["name"], **_hold(dice)) for _ in dice.times(0, 2)]
    requests = [_counted(dice, f"r{number}") for number in dice.times(1, 3)]
    slices = [slice_([], name="s0", count=2, sharedCounters=sets), slice_(devices, name="s1", count=2)]
    if dice.maybe(0.3):
        elsewhere = dice.rng.sample(devices, 1)
        kept = [device for device in devices if device not in elsewhere]
        slices = [
            slice_([], name="s0", count=3, sharedCounters=sets),
            slice_(kept, name="s1", count=3),
            slice_(elsewhere, name="s2", count=3, nodeName="node-b"),
        ]
    if dice.maybe(0.1):
        dice.rng.shuffle(slices)
    return world([claim(requests)], slices, allocated=[held("held", results)] if results else [], **gates(dice))


def _hold(dice: Dice) -> Json:
    extra: Json = {}
    if dice.maybe(0.3):
        extra["shareID"] = dice.share_id()
        if dice.maybe(0.4):
            extra["consumedCapacity"] = {"memory": "1"}
    if dice.maybe(0.15):
        extra["adminAccess"] = dice.maybe(0.7)
    return extra


def _counted(dice: Dice, name: str) -> Json:
    fields: Json = {}
    if dice.maybe(0.3):
        fields |= {"allocationMode": "ExactCount", "count": dice.one((1, 2, 2, 3))}
    elif dice.maybe(0.2):
        fields["allocationMode"] = "All"
    if dice.maybe(0.15):
        fields["adminAccess"] = dice.maybe(0.8)
    return exactly(name, **fields)


def counts(dice: Dice) -> Json:
    """Numbers of devices around 32, over requests, alternatives and claims."""
    total = dice.one((31, 32, 33, 34, 40, 64, 64, 64))
    devices = [{"name": f"d{number:02d}", "attributes": {"half": {"bool": number % 2 == 0}}} for number in range(total)]
    classes = [device_class(), device_class("even", 'device.attributes["gpu.example.com"].half')]
    claims = []
    for number in dice.times(1, 2):
        sizes = _parts(dice, dice.one((2, 30, 31, 32, 32, 33)))
        requests = [_many(dice, f"r{index}", size) for index, size in enumerate(sizes)]
        claims.append(claim(requests, f"claim-{number}"))
    slices = [slice_(devices)]
    if dice.maybe(0.3):
        slices.append(slice_([{"name": "extra"}], name="s9", pool="p1", driver=dice.one((DRIVER, "zzz.example"))))
    return world(claims, slices, classes=classes, **gates(dice, "DRAPrioritizedList"))


def _parts(dice: Dice, total: int) -> list[int]:
    """One to four numbers with this sum."""
    cuts = sorted(dice.some(range(1, total), 0, 3))
    return [after - before for before, after in zip([0, *cuts], [*cuts, total], strict=True)]


def _many(dice: Dice, name: str, size: int) -> Json:
    def wanted(count: int) -> Json:
        body: Json = {"deviceClassName": "any" if dice.maybe(0.8) else "even"}
        if dice.maybe(0.12):
            return body | {"allocationMode": "All"}
        return body | {"allocationMode": "ExactCount", "count": count}

    if dice.maybe(0.4):
        options: list[Any] = [{"name": f"s{n}", **wanted(dice.one((size, size, 17, 33)))} for n in dice.times(1, 3)]
        return {"name": name, "firstAvailable": options}
    return {"name": name, "exactly": wanted(size)}


RECIPES: dict[str, Recipe] = {"capacities": capacities, "counters": counters, "counts": counts}
