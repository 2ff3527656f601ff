# FEATURE: C1
"""The characters of a text are found in the file, however the text is written."""

import pytest

from dractl.errors import Origin, Place, TextSpot
from dractl.manifests import Locator, Source
from dractl.manifests.document import read_document
from dractl.manifests.source import split

_PLACE = Place(Origin("file"), ("e",))


def value_of(text: str) -> str:
    """The text under `e`."""
    return str(read_document(split("file", text)[0]).value["e"])


def found(text: str, offset: int) -> tuple[int, int]:
    """Where the character at an offset in the value stands."""
    position = Locator([Source("file", text.encode())]).locate(_PLACE.in_text(TextSpot.of(value_of(text), offset)))
    assert position is not None
    return position.line, position.column


@pytest.mark.parametrize(
    "text",
    [
        'e: |\n  a == "x" && bb\n    && c\n',
        'e: |2-  # as it is\n  a == "x" && bb\n\n    && c\n',
        'e: >-\n  a == "x" &&\n  bb\n  && c\n',
        'e: a == "x" && bb\n  && c\n',
        'e: &anchor !!str |\n  a == "x" && bb\n    && c\n',
        "e: 'a == \"x\" && bb\n  && c'\n",
        'e: "a == \\"x\\" && bb\\n\n  && c"\n',
        '{"e": "a == \\"x\\" && bb\\n && c"}',
    ],
)
def test_every_notation(text: str) -> None:
    """The value is `a == "x" && bb && c`, with blanks and line ends of many kinds between the words."""
    for word in ("bb", "c"):
        line, column = found(text, value_of(text).index(word))
        assert text.split("\n")[line - 1][column - 1 :].startswith(word)


def test_what_cannot_be_told_surely_is_the_value() -> None:
    assert found('e: "\\u0061 == b"\n', 5) == (1, 4)
    assert found("x: &x a == b\ne: *x\n", 5) == (2, 4)


def test_the_end_of_a_text_is_behind_its_last_character() -> None:
    assert found("e: |\n  a &&\n", 5) == (2, 7)
