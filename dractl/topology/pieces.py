"""What one file turns out to be: recognised by its content, never by its name."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from dractl.errors import BadInput, Fault, FieldPath, Origin, Place
from dractl.finding import Finding
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.state_files import CpuManagerState, MemoryManagerState
from dractl.topology.archive import is_archive, read_archive
from dractl.topology.description import Description
from dractl.topology.dumps import Dump, UnknownFormat, Unreadable, decode_text
from dractl.topology.files import FileTree
from dractl.topology.hwloc import is_hwloc, read_hwloc
from dractl.topology.json_values import parse_json
from dractl.topology.kubelet_configuration import is_configz, is_kubelet_configuration, read_kubelet_configuration
from dractl.topology.lscpu import is_lscpu_json, is_lscpu_text, read_lscpu_json, read_lscpu_text
from dractl.topology.machine_info import is_machine_info, read_machine_info
from dractl.topology.numactl import is_numactl, read_numactl
from dractl.topology.pod_resources import PodResources, is_pod_resources, read_pod_resources
from dractl.topology.resource_topology import NodeResources, is_node_resource_topology, read_node_resource_topology
from dractl.topology.state_files import (
    is_cpu_manager_state,
    is_memory_manager_state,
    read_cpu_manager_state,
    read_memory_manager_state,
)
from dractl.topology.sysfs import read_sysfs, sysfs_roots

ReadObjects: TypeAlias = Callable[[str, bytes], Iterable[tuple[Place, Any]]]
"""YAML or JSON objects of a file, as plain data with their places, as the API server reads them; raises BadInput."""

_NO_DUMP: Final = "file that is no dump"
_OBJECT_FILES: Final = (".yaml", ".yml", ".json")
MACHINE_INFO_NAME: Final = "machineinfo.json"
_KNOWN: Final = (
    "dractl reads lscpu, numactl -H, hwloc XML, sysfs trees, MachineInfo, NodeResourceTopology, KubeletConfiguration, "
    "configz, state files and PodResources"
)


class NodeObject(Struct, frozen=True):
    """A Node object: its name, and how many CPUs the kubelet reported (None: it does not say)."""

    name: str
    cpus: int | None = None


class OtherObject(Struct, frozen=True):
    """An object that says nothing about a machine."""

    kind: str


Content: TypeAlias = (
    Description
    | NodeResources
    | KubeletConfiguration
    | CpuManagerState
    | MemoryManagerState
    | PodResources
    | NodeObject
    | OtherObject
)


class Piece(Struct, frozen=True):
    """One thing that a dump says. `names` are the node's names that the content itself gives."""

    content: Content
    place: Place
    dump: Dump
    names: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def pieces_of(dump: Dump, read_objects: ReadObjects, faults: list[Fault]) -> list[Piece]:
    """Everything in a dump; what is wrong with it is added to `faults`."""
    place = Place(Origin(dump.name))
    try:
        return list(_pieces(dump, place, read_objects, faults))
    except UnknownFormat as unknown:
        if not dump.is_asked_for:
            return [Piece(OtherObject(_NO_DUMP), place, dump)]
        faults.append(unknown.fault(place))
    except Unreadable as unreadable:
        faults.append(unreadable.fault(place))
    except BadInput as bad:
        if dump.name.lower().endswith(_OBJECT_FILES) or dump.name.startswith("<"):
            faults += bad.faults
        elif dump.is_asked_for:
            faults.append(UnknownFormat("no dump that dractl knows, and no YAML", _KNOWN).fault(place))
        else:
            return [Piece(OtherObject(_NO_DUMP), place, dump)]
    return []


def _pieces(dump: Dump, place: Place, read_objects: ReadObjects, faults: list[Fault]) -> Iterator[Piece]:
    content = dump.content
    if isinstance(content, FileTree):
        yield from _tree(content, dump, place)
    elif is_archive(content):
        yield from _tree(read_archive(content), dump, place)
    elif not content.strip():
        raise Unreadable("the file is empty", "gather it once more")
    else:
        yield from _text(dump, content, place, read_objects, faults)


def _tree(tree: FileTree, dump: Dump, place: Place) -> Iterator[Piece]:
    """Every sysfs in the tree, and a MachineInfo where a gathering tool has left one."""
    roots = sysfs_roots(tree)
    if not roots:
        raise UnknownFormat(
            "there is no sysfs tree inside",
            "it has to hold devices/system/cpu/cpu0/topology: gather it with hwloc-gather-topology, or pack "
            "/sys/devices/system/cpu and /sys/devices/system/node",
        )
    for root in roots:
        described = read_sysfs(tree, place.origin, root)
        names = described.node_names or ((_folder(root),) if len(roots) > 1 else ())
        yield Piece(described, place, dump, names)
    beside = tree.content(MACHINE_INFO_NAME)
    if beside is not None and len(roots) == 1:
        origin = Origin(f"{dump.name}:{MACHINE_INFO_NAME}")
        data = parse_json(decode_text(beside))
        if is_machine_info(data):
            yield Piece(read_machine_info(data, origin), Place(origin), dump)


def _folder(root: str) -> str:
    """The folder that holds a sysfs tree, as its name."""
    above = root.removesuffix("devices/system/").rstrip("/").removesuffix("sys").rstrip("/")
    return above.rpartition("/")[2]


def _text(dump: Dump, content: bytes, place: Place, read_objects: ReadObjects, faults: list[Fault]) -> Iterator[Piece]:
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        if not is_hwloc(content):
            raise UnknownFormat("XML, but no topology of hwloc", "write it with `lstopo --of xml FILE`")
        yield _described(read_hwloc(content, place.origin), dump, place)
        return
    text = decode_text(content)
    for recognise, read in (
        (is_lscpu_json, read_lscpu_json),
        (is_lscpu_text, read_lscpu_text),
        (is_numactl, read_numactl),
    ):
        if recognise(text):
            yield _described(read(text, place.origin), dump, place)
            return
    data = _json(text)
    if data is not None:
        piece = _from_json(data, dump, place)
        if piece is not None:
            yield piece
            return
    yield from _objects(dump, content, read_objects, faults)


def _described(description: Description, dump: Dump, place: Place) -> Piece:
    return Piece(description, place, dump, description.node_names)


def _json(text: str) -> Any:
    """The data of one JSON value; None for anything else, broken JSON included: the reader of objects tells better."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return parse_json(text)
    except Unreadable:
        return None


def _from_json(data: Any, dump: Dump, place: Place) -> Piece | None:
    """What JSON without a kind is, told by its keys."""
    if is_machine_info(data):
        return Piece(read_machine_info(data, place.origin), place, dump)
    if is_configz(data):
        return _configuration(data, place, dump)
    if is_cpu_manager_state(data):
        return Piece(read_cpu_manager_state(data), place, dump)
    if is_memory_manager_state(data):
        return Piece(read_memory_manager_state(data), place, dump)
    if is_pod_resources(data):
        return Piece(read_pod_resources(data), place, dump)
    if isinstance(data, dict) and "kind" not in data and "items" not in data:
        keys = ", ".join(sorted(map(str, data))[:5]) or "none"
        raise UnknownFormat(f"JSON that dractl does not know (keys: {keys})", _KNOWN)
    return None


def _objects(dump: Dump, content: bytes, read_objects: ReadObjects, faults: list[Fault]) -> Iterator[Piece]:
    """Each object for itself: a broken one does not hide what is wrong with the next."""
    found = False
    for place, data in read_objects(dump.name, content):
        for item, path in _items(data, place.path):
            found = True
            try:
                yield _object(item, Place(place.origin, path), dump)
            except UnknownFormat:
                if len(path) == 0 and not isinstance(item, dict):
                    raise
                faults.append(Fault("no object with a kind", _KNOWN, file=dump.name, place=Place(place.origin, path)))
            except Unreadable as unreadable:
                unreadable.origin = place.origin
                faults.append(unreadable.fault(place))
    if not found:
        raise UnknownFormat("no dump that dractl knows", _KNOWN)


def _items(data: Any, path: FieldPath) -> Iterator[tuple[Any, FieldPath]]:
    """The objects of a list, and of lists inside it."""
    waiting = [(data, path)]
    while waiting:
        each, at = waiting.pop()
        if isinstance(each, dict) and isinstance(each.get("items"), list):
            waiting += [(item, (*at, "items", n)) for n, item in enumerate(each["items"])][::-1]
        else:
            yield each, at


def _object(data: Any, place: Place, dump: Dump) -> Piece:
    if not isinstance(data, dict):
        raise UnknownFormat("no dump that dractl knows", _KNOWN, path=place.path)
    if is_node_resource_topology(data):
        resources = read_node_resource_topology(data, place)
        return Piece(resources, place, dump, resources.description.node_names)
    if is_kubelet_configuration(data) or is_configz(data):
        return _configuration(data, place, dump)
    if data.get("kind") == "Node" and data.get("apiVersion") == "v1":
        node = _node(data)
        return Piece(node, place, dump, (node.name,))
    if not data.get("kind"):
        raise UnknownFormat("no object with a kind", _KNOWN, path=place.path)
    return Piece(OtherObject(str(data["kind"])), place, dump)


def _configuration(data: Any, place: Place, dump: Dump) -> Piece:
    found = read_kubelet_configuration(data, place)
    return Piece(found.configuration, found.place, dump, findings=found.findings)


def _node(data: dict[str, Any]) -> NodeObject:
    """Only what helps to tell whose dump is whose; the object is read in full elsewhere."""
    metadata, status = data.get("metadata"), data.get("status")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    capacity = status.get("capacity") if isinstance(status, dict) else None
    cpus = str(capacity.get("cpu", "")) if isinstance(capacity, dict) else ""
    return NodeObject(str(name or ""), int(cpus) if cpus.isdigit() else None)
