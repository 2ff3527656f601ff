"""The kernel's distances between NUMA nodes, from the matrices of hwloc's XML (topology-dumps.md §2.3)."""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.topology.dumps import Unreadable
from dractl.topology.xml_tree import Element

_LATENCY: Final = 4
"""The bit of `kind` that tells a matrix of latencies from one of bandwidths."""


def read_distances(root: Element, numa: Sequence[Element]) -> dict[int, tuple[int, ...]]:
    """The row of each NUMA node, its values in ascending order of node ids; empty where the XML has no matrix."""
    for matrix in root.named("distances2"):
        if matrix.attributes.get("type") == "NUMANode" and _is_latency(matrix):
            ids = _ids(matrix, numa)
            return _rows(matrix, ids, [int(value) for value in _words(matrix, "u64values")])
    for matrix in _matrices_of_first_schema(root):
        if _number(matrix, "nbobjs") == len(numa):
            ids = [int(node.attributes["os_index"]) for node in numa]
            return _rows(matrix, ids, _latencies(matrix))
    return {}


def _is_latency(matrix: Element) -> bool:
    name = matrix.attributes.get("name")
    return name == "NUMALatency" if name is not None else _number(matrix, "kind") & _LATENCY != 0


def _ids(matrix: Element, numa: Sequence[Element]) -> list[int]:
    """The nodes of the matrix by the kernel's number."""
    indexes = [int(word) for word in _words(matrix, "indexes")]
    if matrix.attributes.get("indexing") != "gp":
        return indexes
    by_index = {node.attributes.get("gp_index"): int(node.attributes["os_index"]) for node in numa}
    found = [by_index.get(str(index)) for index in indexes]
    if None in found:
        raise Unreadable("the distances name an object that is not in the XML", line=matrix.line)
    return [number for number in found if number is not None]


def _words(matrix: Element, name: str) -> Iterator[str]:
    """The values of all elements of a name: long lists are split over several."""
    for element in matrix.named(name):
        for word in element.text.split():
            if not word.isdigit():
                raise Unreadable(f"{word!r} among the distances is no number", line=element.line)
            yield word


def _matrices_of_first_schema(element: Element) -> Iterator[Element]:
    yield from element.named("distances")
    for child in element.named("object"):
        if child.attributes.get("type") in ("Machine", "System"):
            yield from _matrices_of_first_schema(child)


def _latencies(matrix: Element) -> list[int]:
    """The first schema has fractions of a base."""
    try:
        base = float(matrix.attributes.get("latency_base", "1"))
        return [round(float(each.attributes["value"]) * base) for each in matrix.named("latency")]
    except (KeyError, ValueError, OverflowError):
        raise Unreadable("the distances are no numbers", line=matrix.line) from None


def _rows(matrix: Element, ids: Sequence[int], values: Sequence[int]) -> dict[int, tuple[int, ...]]:
    count = len(ids)
    if len(values) != count * count:
        raise Unreadable(f"{len(values)} distances for {count} NUMA nodes", line=matrix.line)
    order = sorted(range(count), key=lambda at: ids[at])
    return {ids[row]: tuple(values[row * count + column] for column in order) for row in range(count)}


def _number(element: Element, name: str) -> int:
    text = element.attributes.get(name, "")
    return int(text) if text.isdigit() else 0
