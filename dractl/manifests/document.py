"""One document read in the notation that it has."""

import re
from typing import Final

from dractl.manifests.compose import read_yaml
from dractl.manifests.json_text import read_json
from dractl.manifests.source import Document, Notation
from dractl.manifests.tree import Tree

_LIKE_JSON: Final = re.compile(r"\s*\{\s*(?:[\"}]|$)")


def read_document(document: Document, *, positions: bool = False) -> Tree:
    """The data of a document, with its faults. What starts like JSON and is no YAML either is reported as JSON."""
    if document.notation is Notation.JSON:
        return read_json(document, positions=positions)
    tree = read_yaml(document, positions=positions)
    if tree.faults and document.maybe_json and _LIKE_JSON.match(document.text):
        as_json = read_json(document, positions=positions)
        return as_json if as_json.faults else tree
    return tree
