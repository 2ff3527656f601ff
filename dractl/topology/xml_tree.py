"""XML as a tree of elements with their lines; entities and external documents are refused, whatever they hold."""

from collections.abc import Iterator, Mapping
from typing import NoReturn
from xml.parsers import expat

from msgspec import Struct, field

from dractl.topology.dumps import Unreadable

_DEEPEST = 200
_MOST_ELEMENTS = 1_000_000


class Element(Struct):
    """One element; `text` is all text directly inside it."""

    name: str
    attributes: Mapping[str, str]
    line: int
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def named(self, name: str) -> Iterator["Element"]:
        """The children of this name."""
        return (child for child in self.children if child.name == name)


def parse_xml(content: bytes) -> Element:
    """The root element of a document.

    Raises Unreadable where the text is no XML, declares entities (none of the formats that are read does, and they can
    grow without end), or is nested or large beyond reason.
    """
    builder = _Builder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartElementHandler = lambda name, attributes: builder.start(name, attributes, parser.CurrentLineNumber)
    parser.EndElementHandler = lambda _: builder.end()
    parser.CharacterDataHandler = builder.text
    parser.EntityDeclHandler = lambda *_: _refuse_entities(parser.CurrentLineNumber)
    parser.ExternalEntityRefHandler = lambda *_: _refuse_entities(parser.CurrentLineNumber)
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise Unreadable(
            f"not XML: {expat.ErrorString(error.code)}", "the file is cut short or was edited", line=error.lineno
        ) from None
    except (LookupError, ValueError) as error:  # the XML names an encoding that Python or expat does not know
        raise Unreadable(f"not XML: {error}", "hwloc writes UTF-8", line=1) from None
    return builder.root


def _refuse_entities(line: int) -> NoReturn:
    raise Unreadable("the XML declares entities, which are not read", "no hwloc does that", line=line)


class _Builder:
    def __init__(self) -> None:
        self.root = Element("", {}, 1)
        self._open: list[Element] = []
        self._count = 0

    def start(self, name: str, attributes: Mapping[str, str], line: int) -> None:
        element = Element(name, attributes, line)
        self._count += 1
        if len(self._open) >= _DEEPEST or self._count > _MOST_ELEMENTS:
            raise Unreadable("the XML is larger than any machine's", line=line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def end(self) -> None:
        self._open.pop()

    def text(self, text: str) -> None:
        if self._open:
            self._open[-1].text += text
