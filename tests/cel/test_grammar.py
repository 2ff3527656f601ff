# FEATURE: D5
"""What may be written (cel.md, What the grammar lacks and wrongly accepts)."""

from pathlib import Path
from typing import Any

import pytest

from dractl.cel import CompileFault, compile_selector
from dractl.cel.grammar import extended_grammar, installed_grammar, parser
from dractl.errors import InternalError
from tests.cel.asking import REFUSED, asked


@pytest.mark.parametrize(
    "expression",
    [
        '{"a": 1}.?a.hasValue()',
        '{"a": 1} . ? a.hasValue()',
        '{"a": 1}[?"a"].hasValue()',
        "[?optional.of(1), 2] == [1, 2]",
        '{?"a": optional.of(1)} == {"a": 1}',
        "[1, 2,] == [1, 2]",
        "[,] == []",
        "{,} == {}",
        '{"a-b c/d": true}.`a-b c/d`',
        '{"in": true}.`in`',
        '{"package": true}.package',
        "[[1].map(x, x)][0].size() == 1",
        r'r"a\" == "a\\"',
        r"""bR"\n" == b"\\n" """,
        "'''a\r\nb''' == 'a\\nb'",
        '"""say "hi" """ == "say \\"hi\\" "',
        r'"\u00e9\x41\101\?\`" == "éAA?`"',
        r'b"\xff".size() == 1 && "\xff" == "ÿ"',
        "-1.5 < .5 && 1e3 == 1000.0",
        "--1 == 1 && !!true && 1--1 == 2",
        "-9223372036854775808 < 0",
        "0x10 == 16 && 007 == 7 && 1U == 1u",
        "true ? true : false ? true : false",
        "[true, false]\n  .exists(x, // a comment\n x)",
        "1 in[1]",
    ],
)
def test_is_taken(expression: str) -> None:
    assert asked(expression) is True


@pytest.mark.parametrize(
    "expression",
    [
        "package == 1",
        "[1].all(var, true)",
        "as()",
        "in == 1",
        '{"in": 1}.in == 1',
        "dyn(1).null == 1",
        "true() == 1",
        "1. == 1.0",
        "1.e3 == 1",
        "1e400 > 1.0",
        r'"\d" == "d"',
        r'"\x4" == "d"',
        r'"\uD800" == ""',
        r'"\U00110000" == ""',
        r'"\400" == ""',
        r"""b"\u0041" == b"A" """,
        "'a\rb' == 'x'",
        "'a\nb' == 'x'",
        "-!true",
        "!-1 == 1",
        "9223372036854775808 > 0",
        "0x8000000000000000 > 0",
        "18446744073709551616u > 0u",
        "0XFF == 255",
        '"a" "b" == "ab"',
        "/* no */ true",
        "1 inx",
        "true ? true ? true : false : false",
        "size([1],) == 1",
        "`a` == 1",
        "1 +",
        "(true",
        '"unterminated',
        "",
        "true @ false",
        "has(device)",
        '{"a": 1}["a"]{b: 1} == 1',
    ],
)
def test_is_refused(expression: str) -> None:
    assert asked(expression) == REFUSED


@pytest.mark.parametrize(
    ("expression", "position"),
    [("true &&\n  package", (2, 3)), ("1 == = 1", (1, 6)), ("true && (1", (1, 11)), ("device.nothing == 1", (1, 8))],
)
def test_a_fault_says_where(expression: str, position: tuple[int, int]) -> None:
    compiled = compile_selector(expression)
    assert isinstance(compiled, CompileFault)
    assert compiled.position == position


def test_another_grammar_of_the_package_is_noticed() -> None:
    text = installed_grammar()
    assert extended_grammar(text) != text
    with pytest.raises(InternalError, match="another grammar"):
        extended_grammar(text.replace("[mapinits]", "[inits]"))


@pytest.mark.parametrize("place", ["file", "missing/folder/below/a/file"])
def test_parses_without_a_place_for_the_cache(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / place.replace("missing", "file")))
    parser.cache_clear()
    tree: Any = parser().parse("1 + 2")
    assert tree.data == "addition"
    parser.cache_clear()


def test_the_cache_is_written_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for _ in range(2):
        parser.cache_clear()
        assert parser().parse("a").data == "ident"
    assert [file.name for file in (tmp_path / "dractl").iterdir()] == ["cel-grammar"]
    parser.cache_clear()


def test_a_broken_cache_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "dractl").mkdir()
    (tmp_path / "dractl" / "cel-grammar").write_bytes(b"broken")
    parser.cache_clear()
    assert parser().parse("a").data == "ident"
    parser.cache_clear()
