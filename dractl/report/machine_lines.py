"""One machine as lines: sockets, their NUMA nodes, the caches that cores share, and the cores with their threads."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Cache, Core, CoreKind, HugePages, Machine, NumaNode
from dractl.phrases import counted
from dractl.report.canvas import Canvas
from dractl.report.view import View

_WIDTH = 100
"""Where there is no terminal to fill."""

_SHARED_CACHE_LEVEL = 3
_NOTICED = 50
"""Memory that no NUMA node has is told from one part in so many on: the kernel's two counts are never quite equal."""

_PROGRESSION = 4
"""So many numbers at equal distance are written with their first and last only."""

_UNITS = ((1024**4, "TiB"), (1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB"))


def draw_machine(canvas: Canvas, machine: Machine, view: View) -> None:
    """Sockets in order of their ids; each with its part of every NUMA node; then what has no CPUs or is offline."""
    sockets: dict[int, list[tuple[NumaNode, list[Core]]]] = {}
    for node in sorted(machine.nodes, key=lambda each: each.node_id):
        for socket in sorted({core.socket for core in node.cores}):
            cores = [core for core in node.cores if core.socket == socket]
            sockets.setdefault(socket, []).append((node, cores))
    for socket, parts in sorted(sockets.items()):
        canvas.line()
        _draw_socket(canvas, machine, socket, parts, view.width or _WIDTH)
    without = [node for node in sorted(machine.nodes, key=lambda each: each.node_id) if not node.cores]
    if without:
        canvas.line()
        canvas.line("NUMA nodes without CPUs", style="bold")
    for node in without:
        canvas.line(f"  NUMA node {node.node_id}   {' · '.join(_amounts(node)) or 'memory not known'}")
    not_shown = _not_shown(machine, len(sockets))
    if not_shown:
        canvas.line()
        canvas.line(f"on no NUMA node, and so not shown: {' and '.join(not_shown)}", style="yellow")
    if machine.offline:
        canvas.line()
        canvas.line(f"offline CPUs {cpus_text(machine.offline)}", style="yellow")
    if machine.isolated:
        canvas.line(f"CPUs that the kernel keeps isolated {cpus_text(machine.isolated)}")


def _not_shown(machine: Machine, sockets: int) -> list[str]:
    """What the heading counts though no NUMA node has it, as when a node is offline."""
    parts = [counted(machine.sockets - sockets, "socket")] if machine.sockets > sockets else []
    known = [node.memory for node in machine.nodes if node.memory is not None]
    if machine.memory is not None and len(known) == len(machine.nodes):
        rest = machine.memory - sum(known)
        if rest * _NOTICED > machine.memory:
            parts.append(f"{memory_text(rest)} of memory")
    return parts


def draw_distances(canvas: Canvas, rows: Mapping[int, Sequence[int]]) -> None:
    """The matrix, where there is one and more than one node."""
    nodes = sorted(rows)
    if len(nodes) < 2 or not any(rows.values()):
        return
    canvas.line()
    widest = max(len(str(node)) for node in nodes)
    cell = max(4, 1 + max((len(str(value)) for row in rows.values() for value in (*row, *nodes)), default=0))
    canvas.line("distances".ljust(widest + 12) + "".join(str(node).rjust(cell) for node in nodes), style="bold")
    for node in nodes:
        values = "".join(str(value).rjust(cell) for value in rows[node]) or "  not known"
        canvas.line(f"  NUMA node {str(node).ljust(widest)}{values}")


def memory_text(size: int) -> str:
    """Bytes in the largest unit that leaves at least one: `93.0 GiB`."""
    for unit, name in _UNITS:
        if size >= unit:
            amount = size / unit
            return f"{amount:.0f} {name}" if amount >= 100 or size % unit == 0 else f"{amount:.1f} {name}"
    return f"{size} B"


def pages_text(pages: Sequence[HugePages]) -> list[str]:
    """`128 × hugepages-2Mi` for each size of which there are some."""
    return [f"{each.count} × {each.resource}" for each in pages if each.count]


def cpus_text(cpus: CpuSet) -> str:
    """The kernel's list; where CPUs of two sockets alternate `0,2,…,78`, since the whole list would fill lines."""
    numbers = list(cpus)
    steps = {after - before for before, after in pairwise(numbers)}
    if len(numbers) > _PROGRESSION and len(steps) == 1 and steps != {1}:
        return f"{numbers[0]},{numbers[1]},…,{numbers[-1]}"
    return str(cpus)


# --- one socket ----------------------------------------------------------------------------------------------------


def _draw_socket(
    canvas: Canvas, machine: Machine, socket: int, parts: Sequence[tuple[NumaNode, Sequence[Core]]], width: int
) -> None:
    cores = [core for _, own in parts for core in own]
    wide = _caches_over(machine, cores, parts)
    canvas.line(f"socket {socket}   {' · '.join([_count(cores), *map(_cache_text, wide)])}", style="bold")
    for node, own in parts:
        _draw_part(canvas, machine, node, own, width)


def _draw_part(canvas: Canvas, machine: Machine, node: NumaNode, cores: Sequence[Core], width: int) -> None:
    """A NUMA node, or the part of it that is in one socket."""
    groups = _groups(machine, cores)
    own = groups[0].cache if len(groups) == 1 and groups[0].cache and _is_within(groups[0].cache, cores) else None
    head = [_count(cores) + f" {cpus_text(_cpus(cores))}"]
    head += _amounts(node) if len(cores) == len(node.cores) else ["part of the node, the rest is in another socket"]
    head += [_cache_text(own)] if own else []
    canvas.line(f"  NUMA node {node.node_id}   {' · '.join(head)}")
    cell = max(len(_core_text(core)) for core in machine.cores)
    labels = [_cache_text(group.cache) if len(groups) > 1 and group.cache else "" for group in groups]
    indent = 4 + max(len(label) + 3 if label else 0 for label in labels)
    for label, group in zip(labels, groups, strict=True):
        for number, line in enumerate(_core_lines(group.cores, width - indent, cell)):
            canvas.line(f"    {label if number == 0 else ''}".ljust(indent) + line)


def _amounts(node: NumaNode) -> list[str]:
    memory = [memory_text(node.memory)] if node.memory is not None else []
    return memory + pages_text(node.huge_pages)


def _count(cores: Sequence[Core]) -> str:
    return f"{counted(len(cores), 'core')} · {counted(len(_cpus(cores)), 'CPU')}"


def _cpus(cores: Sequence[Core]) -> CpuSet:
    return CpuSet(cpu for core in cores for cpu in core.cpus)


# --- caches --------------------------------------------------------------------------------------------------------


class _Group(Struct, frozen=True):
    """Cores that share a cache; no cache where none is known."""

    cache: Cache | None
    cores: tuple[Core, ...]


def _groups(machine: Machine, cores: Sequence[Core]) -> list[_Group]:
    """The cores by the cache above level 2 that they share, one wider than all of them left out."""
    everyone = _cpus(cores)
    members: dict[Cache | None, list[Core]] = {}
    for core in cores:
        shared = (cache for cache in machine.caches if cache.level >= _SHARED_CACHE_LEVEL and core.cpus <= cache.cpus)
        cache = next((each for each in shared if each.cpus <= everyone), None)
        members.setdefault(cache, []).append(core)
    return [_Group(cache, tuple(group)) for cache, group in members.items()]


def _caches_over(
    machine: Machine, cores: Sequence[Core], parts: Sequence[tuple[NumaNode, Sequence[Core]]]
) -> list[Cache]:
    """Caches of the whole socket that span several NUMA nodes."""
    if len(parts) < 2:
        return []
    everyone = _cpus(cores)
    return [
        cache
        for cache in machine.caches
        if cache.level >= _SHARED_CACHE_LEVEL
        and cache.cpus <= everyone
        and not any(cache.cpus <= _cpus(own) for _, own in parts)
    ]


def _is_within(cache: Cache, cores: Sequence[Core]) -> bool:
    return cache.cpus <= _cpus(cores)


def _cache_text(cache: Cache) -> str:
    size = f" {memory_text(cache.size)}" if cache.size else ""
    number = f" (id {cache.cache_id})" if cache.cache_id is not None else ""
    return f"L{cache.level}{size}{number}"


# --- cores ---------------------------------------------------------------------------------------------------------


def _core_lines(cores: Sequence[Core], width: int, cell: int) -> Iterator[str]:
    """Each core as its threads, `[0 40]`; one with a single thread is just its number. Hybrid kinds apart."""
    kinds = [kind for kind in CoreKind if any(core.kind is kind for core in cores)]
    for kind in kinds:
        label = f"{kind} cores " if len(kinds) > 1 else ""
        words = [_core_text(core) for core in cores if core.kind is kind]
        yield from _wrapped(label, words, width, cell)


def _core_text(core: Core) -> str:
    threads = " ".join(str(cpu) for cpu in core.cpus)
    return f"[{threads}]" if len(core.cpus) > 1 else threads


def _wrapped(label: str, words: Sequence[str], width: int, cell: int) -> Iterator[str]:
    """Words, each `cell` characters wide, in lines of at most `width` characters."""
    per_line = max(1, (width - len(label) + 1) // (cell + 1))
    for start in range(0, len(words), per_line):
        line = " ".join(word.rjust(cell) for word in words[start : start + per_line])
        yield (label if start == 0 else " " * len(label)) + line
