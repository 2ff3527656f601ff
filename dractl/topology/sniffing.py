"""Whether a file among manifests is a dump of a node, told by its content and without reading all of it."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

import msgspec

from dractl.errors import FieldPath, Place
from dractl.topology.archive import is_archive
from dractl.topology.dumps import UnknownFormat, Unreadable, decode_text
from dractl.topology.hwloc import is_hwloc
from dractl.topology.json_values import parse_json
from dractl.topology.kubelet_configuration import is_configz, is_kubelet_configuration
from dractl.topology.lscpu import is_lscpu_json, is_lscpu_text
from dractl.topology.machine_info import is_machine_info
from dractl.topology.numactl import is_numactl
from dractl.topology.pod_resources import is_pod_resources
from dractl.topology.resource_topology import is_node_resource_topology
from dractl.topology.state_files import is_cpu_manager_state, is_memory_manager_state

KINDS_OF_DUMPS: Final = frozenset({"KubeletConfiguration", "KubeletConfig", "NodeResourceTopology"})
"""Kinds of objects that describe a node or its kubelet."""
_WORDS: Final = (b"KubeletConfig", b"NodeResourceTopology", b'"kubeletconfig"')
"""One of them stands in every file with objects that belong to a node's kubelet."""


_OBJECT: Final = re.compile(r"""^\s*["']?(?:apiVersion|kind)["']?\s*:""", re.MULTILINE)


class Holds(Enum):
    """What a file holds: nothing but a dump, Kubernetes objects, or objects some of which describe a kubelet."""

    DUMP = "dump"
    OBJECTS = "objects"
    BOTH = "both"


class _Peek(msgspec.Struct):
    """The keys that every object or list of objects has."""

    kind: str | msgspec.UnsetType = msgspec.UNSET
    items: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def what_it_holds(content: bytes) -> Holds:
    """What a file is. One that is neither counts as objects: their reader says best what is wrong."""
    if is_archive(content):
        return Holds.DUMP
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return Holds.DUMP if is_hwloc(content) else Holds.OBJECTS
    try:
        text = decode_text(content)
    except UnknownFormat:
        return Holds.OBJECTS
    if is_lscpu_json(text) or _is_json_dump(text):
        return Holds.DUMP
    if (is_lscpu_text(text) or is_numactl(text)) and not _OBJECT.search(text):
        return Holds.DUMP
    return Holds.BOTH if any(word in content for word in _WORDS) else Holds.OBJECTS


def kubelet_objects(place: Place, data: Any) -> Iterator[tuple[Place, Any]]:
    """The objects of a document that describe a node or its kubelet, those of lists too."""
    waiting: list[tuple[Any, FieldPath]] = [(data, place.path)]
    while waiting:
        each, path = waiting.pop()
        if isinstance(each, dict) and isinstance(each.get("items"), list):
            waiting += [(item, (*path, "items", number)) for number, item in enumerate(each["items"])][::-1]
        elif is_kubelet_configuration(each) or is_configz(each) or is_node_resource_topology(each):
            yield Place(place.origin, path), each


def _is_json_dump(text: str) -> bool:
    """JSON without a kind that one of the readers of dumps knows."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        peek = msgspec.json.decode(text, type=_Peek)
        if peek.kind is not msgspec.UNSET or peek.items is not msgspec.UNSET:
            return False
        data = parse_json(text)
    except (msgspec.DecodeError, Unreadable, RecursionError):
        return False  # no dump is nested so deep that msgspec gives up, but manifests may be
    recognisers = (
        is_machine_info,
        is_configz,
        is_cpu_manager_state,
        is_memory_manager_state,
        is_pod_resources,
    )
    return any(recognise(data) for recognise in recognisers)
