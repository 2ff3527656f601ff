"""Who else has the device: claims that hold devices in every form, admin access in every position, shares."""

from typing import Any

from tests.oracle.generators.small_worlds import (
    DRIVER,
    OTHER_DRIVER,
    Dice,
    Json,
    Recipe,
    claim,
    device_class,
    gates,
    held,
    result,
    slice_,
    world,
)


def _devices(dice: Dice, prefix: str) -> list[Json]:
    found = []
    for number in dice.times(1, 4):
        body: Json = {"name": f"{prefix}{number}"}
        if dice.maybe(0.5):
            body["allowMultipleAllocations"] = dice.maybe(0.9)
        if dice.maybe(0.6):
            body["capacity"] = {"memory": {"value": "8Gi"}}
            if dice.maybe(0.6):
                body["capacity"]["memory"]["requestPolicy"] = {"default": dice.one(("2Gi", "4Gi", "8Gi"))}
            if dice.maybe(0.2):
                body["capacity"]["cores"] = {"value": "4", "requestPolicy": {"default": "1"}}
        if dice.maybe(0.45):
            body["consumesCounters"] = [
                {"counterSet": "set", "counters": {"units": {"value": dice.one(("1", "2", "3"))}}}
            ]
        if dice.maybe(0.2):
            body["attributes"] = {"slot": {"int": number}}
        found.append(body)
    return found


def _result(dice: Dice, devices: list[Json]) -> Json:
    """A held device in any form: shares, admin access, consumed capacity without a share, devices that are gone."""
    body = result(dice.one(devices)["name"])
    if dice.maybe(0.45):
        body["shareID"] = dice.share_id()
    if dice.maybe(0.4):
        body["consumedCapacity"] = dice.one(
            ({"memory": "2Gi"}, {"memory": "6Gi"}, {"cores": "1"}, {}, {"memory": "9Gi"}, {"gone": "1"})
        )
    if dice.maybe(0.15):
        body["adminAccess"] = dice.maybe(0.7)
    if dice.maybe(0.08):
        body |= dice.one(({"device": "gone"}, {"pool": "gone"}, {"driver": OTHER_DRIVER}))
    return body


def _wanted(dice: Dice, sub: bool) -> Json:
    body: Json = {"deviceClassName": "any"}
    body |= dice.one(({}, {}, {}, {"allocationMode": "All"}, {"allocationMode": "ExactCount", "count": 2}))
    if dice.maybe(0.3):
        body["capacity"] = {"requests": {"memory": dice.one(("1Gi", "3Gi", "8Gi"))}}
    if not sub and dice.maybe(0.35):
        body["adminAccess"] = dice.maybe(0.85)
    if dice.maybe(0.1):
        body["selectors"] = [
            {"cel": {"expression": dice.one(("device.allowMultipleAllocations", "!device.allowMultipleAllocations"))}}
        ]
    return body


def holding(dice: Dice) -> Json:
    """Devices that claims hold in every form, asked for again with and without admin access."""
    devices = _devices(dice, "d")
    counting = any("consumesCounters" in body for body in devices)
    count = 1 + counting
    slices = [slice_(devices, name="s1", count=count)]
    if counting:
        units = dice.one(("2", "4", "6"))
        slices.append(
            slice_(
                [], name="s0", count=count, sharedCounters=[{"name": "set", "counters": {"units": {"value": units}}}]
            )
        )
    if dice.maybe(0.2):
        slices.append(slice_([{"name": "d0"}, {"name": "n0"}], name="s2", driver=OTHER_DRIVER))
    allocated = [held(f"held-{n}", [_result(dice, devices) for _ in dice.times(1, 2)]) for n in dice.times(0, 3)]
    if allocated and dice.maybe(0.08):
        allocated[0]["status"] = dice.one(({}, {"allocation": {}}, {"allocation": {"devices": {}}}))
    claims = []
    for number in dice.times(1, 3):
        requests: list[Json] = []
        for index in dice.times(1, 3):
            if dice.maybe(0.25):
                options: list[Any] = [{"name": f"s{n}", **_wanted(dice, sub=True)} for n in dice.times(1, 2)]
                requests.append({"name": f"r{index}", "firstAvailable": options})
            else:
                requests.append({"name": f"r{index}", "exactly": _wanted(dice, sub=False)})
        constraints: list[Json] = [{"distinctAttribute": f"{DRIVER}/slot"}] if dice.maybe(0.1) else []
        claims.append(claim(requests, f"claim-{number}", constraints=constraints))
    return world(
        claims,
        slices,
        classes=[device_class()],
        allocated=allocated,
        **gates(dice, "DRAPrioritizedList", "DRAAdminAccess"),
    )


RECIPES: dict[str, Recipe] = {"holding": holding}
