"""The table of scalars in spec/reading.md, rule by rule."""

# FEATURE: A1

from typing import Any

import pytest

from dractl.errors import Origin
from dractl.manifests import scalars
from dractl.manifests.compose import read_yaml
from dractl.manifests.source import Document
from dractl.manifests.tree import Tree


def read(text: str) -> Tree:
    return read_yaml(Document(Origin("test.yaml"), text))


PLAIN: list[tuple[str, Any]] = [
    *[(word, None) for word in ("", "~", "null", "Null", "NULL")],
    *[(word, True) for word in ("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE")],
    *[(word, False) for word in ("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE")],
    *[(word, word) for word in ("tRUE", "t", "f", "nULL", "oN", "yES")],
    *[("12", 12), ("+1", 1), ("-1", -1), ("1_000", 1000), ("1__0", 10), ("1_", 1), ("_1", "_1"), ("-0", 0)],
    *[("0644", 420), ("0o14", 12), ("0O14", 12), ("-0o14", -12), ("00", 0), ("007", 7), ("0_0", 0)],
    *[("08", 8.0), ("09", 9.0), ("0_8", 8.0), ("0o9", "0o9"), ("0o", "0o")],
    *[("0x1F", 31), ("0X1F", 31), ("0b11", 3), ("0B11", 3), ("0x_1", 1), ("-0x1F", -31), ("+0b1", 1)],
    *[("0xG", "0xG"), ("0x", "0x"), ("0b2", "0b2"), ("0xFFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFFF")],
    *[("18446744073709551615", 2**64 - 1), ("18446744073709551616", float(2**64)), ("-9223372036854775808", -(2**63))],
    ("-9223372036854775809", -float(2**63)),
    *[("1.0", 1.0), ("1.", 1.0), (".5", 0.5), ("+.5", 0.5), ("1e2", 100.0), ("1E+2", 100.0), ("1e-400", 0.0)],
    *[
        ("._5", "._5"),
        (".5_0", 0.5),
        (".8_", ".8_"),
        ("1_0.5_0", 10.5),
        ("1e400", "1e400"),
        (".5e400", ".5e400"),
        ("-.", "-."),
        ("+", "+"),
    ],
    *[(word, word) for word in ("inf", "nan", "NaN", "12:30:45", "2001-01-01", "2001-12-14t21:59:43.10-05:00")],
    *[(word, word) for word in ("=", "--", "1,000", "1#", "<<", "1.2.3", "v1", "é")],
]


@pytest.mark.parametrize(("text", "value"), PLAIN, ids=[text or "empty" for text, _ in PLAIN])
def test_plain_scalars(text: str, value: Any) -> None:
    read_value = scalars.plain(text)
    assert (type(read_value), read_value) == (type(value), value)
    assert read(f"key: {text}\n").value == {"key": value}


@pytest.mark.parametrize("text", [".inf", "-.Inf", "+.INF", ".nan", ".NaN", ".NAN"])
def test_what_json_has_no_number_for_is_refused(text: str) -> None:
    with pytest.raises(scalars.ScalarFault, match="not a number that JSON knows"):
        scalars.plain(text)


@pytest.mark.parametrize(
    "text",
    ["@a", "`a", "%a", "*unknown", r'"\q"', r'"a\/b"', r'{"a\/b": 1}', "[a", "{a", "'a", "!!int 1.0", "!!null x"],
)
def test_what_the_reader_refuses(text: str) -> None:
    assert read(f"key: {text}\n").faults


TAGGED: list[tuple[str, Any]] = [
    ("!!str 1", "1"),
    ('!!int "1"', 1),
    ("!!int 0x10", 16),
    ("!!float 1", 1.0),
    ("!!bool yes", True),
    ('!!bool "yes"', True),
    ('!!null ""', None),
    ("!!binary aGk=", "hi"),
    ("!!timestamp 2001-01-01", "2001-01-01"),
    ("!foo 1", "1"),
    ("! 1", "1"),
    ("!!foo 1", "1"),
    ("!!merge <<", "<<"),
    ("!!str [a]", ["a"]),
    ("!!map [a]", ["a"]),
    ("!!seq {a: 1}", {"a": 1}),
]


@pytest.mark.parametrize(("text", "value"), TAGGED, ids=[text for text, _ in TAGGED])
def test_tags(text: str, value: Any) -> None:
    tree = read(f"key: {text}\n")
    assert (tree.value, tree.faults) == ({"key": value}, [])


@pytest.mark.parametrize("text", ["!foo 1", "!Ref x", "!!foo 1", "!local {a: 1}", "!local [a]"])
def test_a_tag_that_is_ignored_is_a_finding(text: str) -> None:
    (finding,) = read(f"key: {text}\n").findings
    assert finding.rule == "reading/local-tag"
    assert finding.place is not None
    assert finding.place.path == ("key",)


KEYS = [
    *[("0644", "420"), ("yes", "true"), ("n", "false"), ("1_000", "1000"), ("12e3", "12000"), ("-1", "-1")],
    *[("1.0", "1"), ("0.1", "0.1"), ("123456.0", "123456"), ("1234567.0", "1.234567e+06"), ("1e6", "1e+06")],
    *[("1e18", "1e+18"), ("16777217.0", "1.6777216e+07"), ("0.0001", "0.0001"), ("0.00001", "1e-05")],
    *[("1e39", ".inf"), (".inf", ".inf"), ("-.INF", "-.inf"), (".NaN", ".nan"), ("2001-01-01", "2001-01-01")],
    *[('"0644"', "0644"), ("'yes'", "yes"), ("!!str 1", "1"), ("9223372036854775807", "9223372036854775807")],
]


@pytest.mark.parametrize(("text", "key"), KEYS, ids=[text for text, _ in KEYS])
def test_keys_become_text(text: str, key: str) -> None:
    assert read(f"{text}: value\n").value == {key: "value"}


@pytest.mark.parametrize("text", ["~", "[a]", "{a: b}", "9223372036854775808", "null", ""])
def test_what_cannot_be_a_key(text: str) -> None:
    (fault,) = read(f"? {text}\n: value\n").faults
    assert fault.message.startswith("not a key")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e3, "1000"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5, "1.5"),
        (-0.0, "0"),
        (2.0**63, "9223372036854776000"),
    ],
)
def test_floats_are_written_as_json_numbers(value: float, text: str) -> None:
    assert scalars.number_text(value) == text
