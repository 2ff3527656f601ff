"""From a place to line and column."""

# FEATURE: A1

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.compat import StringIO

from dractl.errors import FieldPath, Origin, Place, Position
from dractl.manifests import Locator, Source, excerpt, read

SLICE = """\
# first file
apiVersion: v1
kind: Namespace
metadata: {name: a}
---
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata:
  name: "claim"
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu.example.com
      count:
"""


def locate(text: str, path: FieldPath, document: int = 0, *, key: bool = False) -> tuple[int, int, int] | None:
    locator = Locator([Source("file", text.encode())])
    found = locator.locate(Place(Origin("file", document), path, is_key=key))
    return (found.line, found.column, found.length) if found else None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("metadata", "name"), (9, 9, 7)),
        (("spec", "devices", "requests", 0, "name"), (13, 13, 3)),
        (("spec", "devices", "requests", 0, "exactly", "deviceClassName"), (14, 24, 15)),
        (("spec", "devices", "requests", 0, "exactly", "selectors", 0), (13, 7, 1)),
        (("spec", "devices", "constraints", 0, "matchAttribute"), (12, 5, 1)),
        ((), (6, 1, 1)),
    ],
)
def test_yaml_places_of_an_older_version_too(path: FieldPath, expected: tuple[int, int, int]) -> None:
    assert locate(SLICE, path, 1) == expected


def test_a_key_has_a_place_of_its_own() -> None:
    assert locate(SLICE, ("spec", "devices"), 1, key=True) == (11, 3, 7)


def test_devices_under_basic_are_found_with_the_paths_of_v1() -> None:
    text = "spec:\n  devices:\n  - name: a\n    basic:\n      attributes: {x: {int: 1}}\n"
    assert locate(text, ("spec", "devices", 0, "attributes", "x", "int")) == (5, 29, 1)


def test_merged_fields_are_found_where_they_were_written() -> None:
    assert locate("a: &a {k: value}\nb:\n  <<: *a\n", ("b", "k")) == (1, 11, 5)


def test_unknown_files_and_documents_have_no_place() -> None:
    assert locate("a: 1", ("a",), 7) is None
    assert Locator([]).locate(Place(Origin("nowhere"))) is None


def test_the_places_of_what_was_read_can_be_located() -> None:
    source = Source("file", SLICE.encode())
    claim = read([source]).objects
    places = [found.place.at("metadata", "name") for found in claim]
    assert [Locator([source]).locate(place) for place in places] == [Position(4, 18, 1), Position(9, 9, 7)]


plain_data = st.recursive(
    st.text("abc xz.-/0", min_size=1) | st.integers() | st.booleans() | st.none(),
    lambda below: st.lists(below) | st.dictionaries(st.text("abcxz", min_size=1), below),
    max_leaves=20,
)


def leaves(value: Any, path: FieldPath = ()) -> list[tuple[FieldPath, Any]]:
    if isinstance(value, dict):
        return [leaf for key, child in value.items() for leaf in leaves(child, (*path, key))]
    if isinstance(value, list):
        return [leaf for index, child in enumerate(value) for leaf in leaves(child, (*path, index))]
    return [(path, value)]


@settings(deadline=None, max_examples=25)
@given(value=st.dictionaries(st.text("abcxz", min_size=1), plain_data, min_size=1), indent=st.sampled_from([None, 2]))
def test_every_leaf_of_json_is_found(value: dict[str, Any], indent: int | None) -> None:
    source = Source("file", json.dumps(value, indent=indent).encode())
    locator = Locator([source])
    for path, leaf in leaves(value):
        found = locator.locate(Place(Origin("file"), path))
        assert found is not None
        written = excerpt(source, found)[found.column - 1 :][: found.length]
        assert json.loads(written) == leaf


@settings(deadline=None, max_examples=25)
@given(value=st.dictionaries(st.text("abcxz", min_size=1), plain_data, min_size=1), flow=st.booleans())
def test_every_leaf_of_yaml_is_found(value: dict[str, Any], flow: bool) -> None:
    stream = StringIO()
    writer = YAML(typ="safe", pure=True)
    writer.default_flow_style = flow
    writer.width = 10_000
    writer.dump(value, stream)
    source = Source("file", stream.getvalue().encode())
    locator = Locator([source])
    for path, leaf in leaves(value):
        found = locator.locate(Place(Origin("file"), path))
        assert found is not None
        written = excerpt(source, found)[found.column - 1 :][: found.length]
        if isinstance(leaf, str):
            assert written.strip("'\"") == leaf
        elif leaf is not None:
            assert written == json.dumps(leaf)
