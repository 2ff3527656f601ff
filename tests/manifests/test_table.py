"""The table of fields against the API types, and the quick check against the careful one."""

# FEATURE: A1

import types
import typing
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from dractl.api.base import ApiStruct
from dractl.api.quantity import Quantity
from dractl.manifests.kinds import Version, kinds
from dractl.manifests.shapes import ListOf, MapOf, Shape, Simple, Structure, fields_of
from dractl.manifests.source import Notation
from dractl.manifests.strict import is_clean
from dractl.manifests.walk import walk

VERSIONS = [version for kind in kinds().values() for version in kind.versions]
SHARED = {"observedGeneration"}
"""Fields of a type that several kinds share, of which some lack the field."""

SIMPLE_TYPES: dict[Simple, set[object]] = {
    Simple.STRING: {str},
    Simple.TIME: {str},
    Simple.BOOLEAN: {bool},
    Simple.INT32: {int},
    Simple.INT64: {int},
    Simple.QUANTITY: {Quantity},
    Simple.INT_OR_STRING: {int, str},
}


def disagreements(kind: Any, shape: Shape, path: str) -> Iterator[str]:
    """Where an API type has a field that the table lacks, or of another type."""
    wanted = {part for part in typing.get_args(kind) or (kind,) if part is not types.NoneType}
    if typing.get_origin(kind) in (list, dict):
        wanted = {kind}
    if shape is Simple.ANY or wanted == {Any}:
        return
    if isinstance(shape, Simple):
        if wanted != SIMPLE_TYPES[shape]:
            yield f"{path}: {wanted} is not {shape}"
        return
    (inner,) = wanted
    if isinstance(shape, Structure):
        if not issubclass(inner, ApiStruct):
            yield f"{path}: {inner} is not {shape}"
            return
        for field in msgspec.structs.fields(inner):
            below = fields_of(shape.name).get(field.encode_name)
            if below is None and field.name in SHARED:
                continue
            if below is None:
                yield f"{path}.{field.name} is not in the table"
            else:
                yield from disagreements(field.type, below, f"{path}.{field.name}")
    elif isinstance(shape, ListOf):
        yield from disagreements(typing.get_args(inner)[0], shape.item, f"{path}[]")
    elif isinstance(shape, MapOf):
        yield from disagreements(typing.get_args(inner)[1], shape.value, f"{path}{{}}")


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.shape)
def test_api_types_have_only_fields_of_the_table(version: Version) -> None:
    assert list(disagreements(version.type, Structure(version.shape), version.shape)) == []


WRONG: list[Any] = [None, True, 1, 1.0, 1.5, "x", "5Gi", 2**31, 2**63, "2026-01-31T12:00:00Z", [], {}]
SOUND: dict[Simple, Any] = {
    Simple.STRING: "x",
    Simple.BOOLEAN: False,
    Simple.INT32: 3,
    Simple.INT64: 2**40,
    Simple.QUANTITY: "5Gi",
    Simple.TIME: "2026-01-31T12:00:00Z",
    Simple.INT_OR_STRING: "25%",
    Simple.ANY: {"a": None},
}


def random_data(shape: Shape, random: Random, depth: int) -> Any:
    """Mostly sound data for a shape, with some that is not."""
    if random.random() < 0.02:
        return random.choice(WRONG)
    if isinstance(shape, ListOf):
        return [random_data(shape.item, random, depth) for _ in range(random.randrange(3))]
    if isinstance(shape, MapOf):
        return {key: random_data(shape.value, random, depth) for key in "ab"[: random.randrange(3)]}
    if isinstance(shape, Simple):
        return SOUND[shape]
    fields = fields_of(shape.name)
    chosen = random.sample(sorted(fields), min(len(fields), random.randrange(4))) if depth else []
    data = {name: random_data(fields[name], random, depth - 1) for name in chosen}
    return {**data, "unknown": 1} if random.random() < 0.02 else data


@pytest.mark.parametrize("structure", ["V1Pod", "V1Node", "V1ResourceSlice", "ResourceV1ResourceClaim", "V1Device"])
def test_what_the_quick_check_passes_the_careful_one_leaves_alone(structure: str) -> None:
    random = Random(structure)
    passed = 0
    for _ in range(400):
        value = random_data(Structure(structure), random, 6)
        if is_clean(value, structure):
            passed += 1
            assert walk(value, structure, random.choice(list(Notation))) == (value, [])
        else:
            assert walk(value, structure, Notation.JSON) != (value, [])
    assert 50 < passed < 400


def test_the_quick_check_passes_ordinary_objects() -> None:
    device = {"name": "a", "attributes": {"x": {"int": 1}}, "capacity": {"memory": {"value": "80Gi"}}}
    spec = {"driver": "gpu.example.com", "pool": {"name": "p", "generation": 1}, "devices": [device]}
    value = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": spec}
    assert is_clean(value, "V1ResourceSlice")
    assert not is_clean({**value, "Spec": {}}, "V1ResourceSlice")
