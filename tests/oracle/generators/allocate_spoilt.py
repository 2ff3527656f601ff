"""Allocator worlds with a few fields dropped, doubled, moved or taken from elsewhere in the same world.

    python -m tests.oracle.generators.allocate_spoilt --seed N --count M > cases.jsonl

The worlds are those of `allocate` and `allocate_focus`. What comes out is often refused by the API server; the question is
what the allocator makes of it. Some of it the oracle cannot read and some makes the scheduler crash: leave those out.
"""

import argparse
import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from tests.oracle.generators import allocate
from tests.oracle.generators.allocate_focus import RECIPES
from tests.oracle.generators.small_worlds import Dice, Json, write

MAPS = ("attributes", "capacity", "counters", "consumedCapacity", "labels", "requests")
"""Fields whose keys are names that somebody chose."""

KEPT = ("name", "metadata", "driver", "pool", "device", "request", "parameters")
"""Identities and what every object has: without them little else is looked at, or Go writes a null."""

Path = tuple[str | int, ...]


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value inside, with its path."""
    pairs: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield (*path, key), inner
        yield from places(inner, (*path, key))


def shape(path: Path) -> Path:
    """The path without numbers and chosen names: places of one shape hold values of one type."""
    found: list[str | int] = []
    for number, key in enumerate(path):
        chosen = isinstance(key, int) or (number > 0 and path[number - 1] in MAPS and not isinstance(key, int))
        found.append("*" if chosen else key)
    return ("claims" if found[0] == "allocated" else found[0], *found[1:])


def holder(world: Json, path: Path) -> Any:
    """The object or list that has the last step of the path."""
    inner: Any = world
    for key in path[:-1]:
        inner = inner[key]
    return inner


def spoil(world: Json, rng: random.Random) -> None:
    """Change one place."""
    found = [(path, value) for path, value in places(world) if len(path) > 2 and path[0] != "features"]
    path, value = rng.choice(found)
    parent = holder(world, path)
    alike = [other for place, other in found if shape(place) == shape(path) and other != value]
    draw = rng.random()
    if draw < 0.5 and alike:
        parent[path[-1]] = copy.deepcopy(rng.choice(alike))
    elif isinstance(parent, list):
        _change_list(parent, value, draw, rng)
    elif path[-1] not in KEPT and draw < 0.8:
        del parent[path[-1]]


def _change_list(items: list[Any], value: Any, draw: float, rng: random.Random) -> None:
    if draw < 0.65:
        items.remove(value)
    elif draw < 0.8:
        rng.shuffle(items)
    else:
        items.append(copy.deepcopy(value))


def names_twice(world: Json) -> bool:
    """Whether two objects of a kind have one name, which no cluster holds, or two requests or alternatives of a claim."""
    for kind in ("slices", "classes", "claims"):
        names = [each.get("metadata", {}).get("name") for each in world[kind]]
        if len(set(names)) < len(names):
            return True
    for claim in world["claims"]:
        requests = claim.get("spec", {}).get("devices", {}).get("requests", [])
        for named in (requests, *(request.get("firstAvailable", []) for request in requests)):
            names = [each.get("name") for each in named]
            if len(set(names)) < len(names):
                return True
    return False


def cases(seed: int, count: int) -> Iterator[Json]:
    """Worlds of both generators in turn, with one to three changes."""
    recipes = [name for name in RECIPES if name != "counts"]
    for number in range(count):
        rng = random.Random(f"spoilt/{seed}/{number}")
        if number % 2:
            name = recipes[number // 2 % len(recipes)]
            world = RECIPES[name](Dice(f"spoilt/{name}/{seed}/{number}"))
        else:
            name, world = "world", allocate.World(rng).case()
        spoilt = json.loads(json.dumps(world))
        for _ in range(rng.choice((1, 1, 2, 3))):
            spoil(spoilt, rng)
        yield {"id": f"spoilt-{name}-{seed}-{number:05d}", "input": world if names_twice(spoilt) else spoilt}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    write(cases(options.seed, options.count))


if __name__ == "__main__":
    main()
