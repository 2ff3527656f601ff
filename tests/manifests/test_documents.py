"""Where documents begin and end, in which notation they are, and which bytes they may hold."""

# FEATURE: A1

import subprocess
import sys
from typing import Any

import pytest

from dractl.errors import BadInput, Position
from dractl.manifests import Source, excerpt, read, survey
from dractl.manifests.document import read_document
from dractl.manifests.source import Notation, decode, split


def values(text: str) -> list[Any]:
    return [read_document(document).value for document in split("test", text)]


def notations(text: str) -> list[tuple[str, int, int, int]]:
    return [
        (document.notation.name, document.origin.document, document.origin.line, document.column)
        for document in split("test", text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n", []),
        ("# only a comment\n", [None]),
        ("a: 1\n", [{"a": 1}]),
        ("---\na: 1\n---\n", [{"a": 1}]),
        ("a: 1\n--- # comment\nb: 2\n---\n---\nc: 3", [{"a": 1}, {"b": 2}, {"c": 3}]),
        ("a: |\n  ---\n  x\n---\nb: 2\n", [{"a": "---\nx\n"}, {"b": 2}]),
        ("%YAML 1.1\n---\na: 1\n", [{"a": 1}]),
        ("# comment\n%TAG ! tag:example.com,2000:\n---\na: 1\n", [{"a": 1}]),
        ("a: 1\r\n---\r\nb: 2\r\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n...\n", [{"a": 1}]),
        ("null\n---\n~\n", [None, None]),
    ],
)
def test_yaml_is_split_at_lines_that_begin_with_three_dashes(text: str, expected: list[Any]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', [("JSON", 0, 1, 1)]),
        ('\n  {"a": 1}\n', [("JSON", 0, 2, 3)]),
        ('{"a": 1}{"b": 2}\n{"c": 3}', [("JSON", 0, 1, 1), ("JSON", 1, 1, 9), ("JSON", 2, 2, 1)]),
        ('{"a": 1}\n---\nb: 2\n', [("JSON", 0, 1, 1), ("YAML", 1, 3, 1)]),
        ("{a: 1}\n---\nb: 2\n", [("YAML", 0, 1, 1), ("YAML", 1, 3, 1)]),
        ('{"a": 1,}', [("YAML", 0, 1, 1)]),
        ('["a"]', [("YAML", 0, 1, 1)]),
    ],
)
def test_text_that_starts_with_a_brace_is_json_and_falls_back_to_yaml(text: str, expected: list[Any]) -> None:
    assert notations(text) == expected


def test_a_third_json_value_that_is_broken_is_told_as_json() -> None:
    text = '{"a": 1}\n{"b": 2}\n{"c" 3}\n'
    broken = split("test", text)[2]
    (fault,) = read_document(broken).faults
    assert broken.notation is Notation.JSON
    assert fault.message == "not JSON: found '3' after the key 'c', where `:` is expected"
    assert fault.position == Position(3, 6, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [1 2}', "found '2' after the list item, where `,` or `]` is expected"),
        ('{"a": 1 "b": 2}', "found '\"' after the value, where `,` or `}` is expected"),
        ('{"a": 01}', "a number cannot be written as '01'"),
        ('{"a": +1}', "found '+' where a value is expected"),
        ('{"a": NaN}', "found 'N' where a value is expected"),
        ('{"a": "\t"}', "invalid control character"),
        ('{"a": "\\q"}', "invalid \\escape"),
        ('{"a": "b', "unterminated string starting"),
        ('{"a": {', "the text ends where a key in double quotes is expected"),
        ('{"a": 1} x', "found 'x' after the end of the value"),
        ("{'a': 1}", 'found "\'" where a key in double quotes is expected'),
    ],
)
def test_broken_json(text: str, message: str) -> None:
    from dractl.errors import Origin
    from dractl.manifests.json_text import read_json
    from dractl.manifests.source import Document

    (fault,) = read_json(Document(Origin("test.json"), text, Notation.JSON)).faults
    assert fault.message.startswith(f"not JSON: {message}")


def test_json_strings_and_numbers() -> None:
    text = '{"a": "\\u00e9\\n\\ud83d\\ude00", "b": "\\ud800", "c": -0, "d": 1.5e3, "e": 12345678901234567890123}'
    assert values(text) == [{"a": "é\n😀", "b": "\ufffd", "c": 0, "d": 1500.0, "e": 12345678901234567890123}]


def test_text_behind_the_end_of_a_document_is_a_finding() -> None:
    reading = read([Source("a.yaml", b"apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n...\nb: 1\n")])
    assert [finding.rule for finding in reading.findings] == ["reading/text-after-end"]
    assert "line 5" in reading.findings[0].message


def test_only_a_comment_may_follow_the_dashes() -> None:
    reading = survey([Source("a.yaml", b"apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n--- {b: 1}\n# end\n")])
    (fault,) = reading.faults
    assert fault.position == Position(4, 1, 3)
    assert "{b: 1}" in fault.message


def test_another_yaml_version_is_refused() -> None:
    (tree,) = [read_document(document) for document in split("test", "%YAML 1.2\n---\na: 1\n")]
    assert [fault.message for fault in tree.faults] == ["YAML 1.2 is not what Kubernetes reads"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_encodings(encoding: str) -> None:
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    assert decode(Source("a", mark + "ключ: é\n".encode(encoding))) == "ключ: é\n"


def test_bytes_that_are_no_text_are_told_with_their_place() -> None:
    with pytest.raises(BadInput) as caught:
        decode(Source("a", b"a: 1\nb: \xff\n"))
    (fault,) = caught.value.faults
    assert fault.message == "the file is not text: byte 0xff is not UTF-8"
    assert fault.position == Position(2, 4)


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x7f", "\x9b", "\ufffe"])
def test_control_characters_are_refused_in_yaml(character: str) -> None:
    (fault,) = read_document(split("test", f"a: 1\nb: x{character}\n")[0]).faults
    assert fault.position == Position(2, 5)
    assert f"U+{ord(character):04X}" in fault.message


def test_excerpt_gives_the_line() -> None:
    source = Source("a", b"one\r\ntwo\nthree")
    assert [excerpt(source, Position(line, 1)) for line in (1, 2, 3, 4)] == ["one", "two", "three", ""]


def test_the_c_parser_is_in_use() -> None:
    from ruamel.yaml import cyaml

    assert cyaml.CParser.__module__.endswith("_ruamel_yaml")  # type: ignore[attr-defined]
    assert not hasattr(cyaml.CParser, "__dict__") or "parse_node" not in vars(cyaml.CParser)  # type: ignore[attr-defined]


def test_the_yaml_library_is_loaded_only_when_yaml_is_read() -> None:
    code = "import sys, dractl.manifests; sys.exit(any(name.startswith('ruamel') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
