"""Duplicate keys, merges, anchors and aliases (spec/reading.md, "Maps")."""

# FEATURE: A1

import pytest

from dractl.errors import Origin
from dractl.manifests.compose import read_yaml
from dractl.manifests.json_text import read_json
from dractl.manifests.source import Document, Notation
from dractl.manifests.tree import Tree


def read(text: str) -> Tree:
    return read_yaml(Document(Origin("test.yaml"), text))


def messages(tree: Tree) -> list[str]:
    return [fault.message for fault in tree.faults]


@pytest.mark.parametrize(
    "text", ["a: 1\na: 2\n", "{a: 1, a: 2}", 'a: 1\n"a": 2\n', "a: 1\n? a\n: 2\n", "yes: 1\ntrue: 2\n"]
)
def test_a_duplicate_key_is_a_fault_and_the_later_value_counts(text: str) -> None:
    tree = read(text)
    assert list(tree.value.values()) == [2]
    assert len(tree.faults) == 1
    assert "is written twice" in tree.faults[0].message


def test_both_places_of_a_duplicate_are_named() -> None:
    tree = read("x: 0\nmap:\n  a: 1\n  b: 2\n  a: 3\n")
    (fault,) = tree.faults
    assert fault.position is not None
    assert (fault.position.line, fault.position.column, fault.position.length) == (5, 3, 1)
    assert "first in line 3" in fault.message


def test_every_duplicate_is_told() -> None:
    assert len(read("a: {x: 1, x: 2, x: 3}\na: 4\n").faults) == 3


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &a {k: 1}\nb: {<<: *a, l: 2}", {"k": 1, "l": 2}),
        ("a: &a {k: 1}\nb: {<<: [*a, {m: 3}]}", {"m": 3, "k": 1}),
        ("a: &a {k: 1}\nb: {<<: *a, <<: {m: 3}}", {"k": 1, "m": 3}),
        ("a: &a {k: 1}\nb: {!!merge <<: *a}", {"k": 1}),
        ('a: &a {k: 1}\nb: {"<<": 2}', {"<<": 2}),
    ],
)
def test_merges(text: str, value: object) -> None:
    tree = read(text)
    assert (tree.value["b"], tree.faults, tree.findings) == (value, [], [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &a {k: 1}\nb: {<<: *a, k: 2}", {"k": 2}),
        ("a: &a {k: 1}\nb: {k: 2, <<: *a}", {"k": 1}),
        ("a: &a {k: 1}\nb: {<<: [*a, {k: 3}]}", {"k": 1}),
    ],
)
def test_a_key_that_is_merged_and_written_is_a_finding_and_the_later_counts(text: str, value: object) -> None:
    tree = read(text)
    assert tree.value["b"] == value
    assert [finding.rule for finding in tree.findings] == ["reading/merge-overlap"]
    assert tree.faults == []


def test_only_maps_can_be_merged() -> None:
    assert messages(read("a: {<<: 5}")) == ["`<<` merges a map or a list of maps, and this is neither"]
    assert len(read("a: {<<: [1]}").faults) == 1


def test_aliases_share_the_anchored_value_and_a_later_anchor_counts() -> None:
    assert read("- &a 1\n- *a\n- &a {b: 2}\n- *a\n- &k key\n- {*k : *k}\n").value == [
        1,
        1,
        {"b": 2},
        {"b": 2},
        "key",
        {"key": "key"},
    ]


def test_an_alias_must_lead_somewhere_and_not_into_itself() -> None:
    assert messages(read("a: *b")) == ["*b refers to nothing: no &b stands above it"]
    assert messages(read("a: &a [*a]")) == ["*a stands inside &a: a value contains itself"]


def repeated(width: int, depth: int) -> str:
    lines = ["l0: &l0 [" + ", ".join(["x"] * width) + "]"]
    lines += [f"l{n}: &l{n} [" + ", ".join([f"*l{n - 1}"] * width) + "]" for n in range(1, depth)]
    return "\n".join(lines)


def test_an_alias_bomb_is_refused_at_once_and_a_few_repetitions_are_not() -> None:
    assert messages(read(repeated(10, 40))) == ["too many aliases: nearly all of the document is made of repetitions"]
    assert read(repeated(10, 40)).value is None
    assert read(repeated(3, 3)).faults == []


def test_many_aliases_are_fine_beside_enough_other_text() -> None:
    text = "a: &a {k: v}\nlist:\n" + "- *a\n" * 2000
    assert read(text).faults == []


def test_deep_nesting_is_a_fault_and_no_crash() -> None:
    assert read("[" * 5000 + "]" * 5000).faults == []
    assert messages(read("[" * 12_000)) == ["nested deeper than 10000 levels"]
    deep = Document(Origin("test.json"), '{"a":' * 12_000, Notation.JSON)
    assert messages(read_json(deep)) == ["not JSON: nested deeper than 10000 levels"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[http://a:80, b]", ["http://a:80", "b"]),
        ("{image: ubuntu:22.04}", {"image": "ubuntu:22.04"}),
        ("{a:1, b: 2}", {"a:1": None, "b": 2}),
        ("{a:}", {"a:": None}),
        ("[a :b]", ["a :b"]),
        ("{a: b::c}", {"a": "b::c"}),
        ('{"a":1}', {"a": 1}),
        ('["a":1]', [{"a": 1}]),
        ("{a: 'x:y', b: \"x:y\", c: x:y}", {"a": "x:y", "b": "x:y", "c": "x:y"}),
    ],
)
def test_colons_inside_plain_scalars_of_flow_collections(text: str, value: object) -> None:
    tree = read(text)
    assert (tree.value, tree.faults) == (value, [])


def test_positions_stay_true_beside_such_colons() -> None:
    tree = read("{image: ubuntu:22.04, a: 1, a: 2}")
    (fault,) = tree.faults
    assert fault.position is not None
    assert fault.position.column == 29
