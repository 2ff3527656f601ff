"""`lscpu -p`, `lscpu -e` and `lscpu -J -e`, with whatever columns they were asked for (topology-dumps.md §2.2).

Without `-y` lscpu numbers cores, sockets and caches anew: which CPUs belong together is right, the ids are not the
kernel's. NUMA nodes and CPUs always have the kernel's ids.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from dractl.errors import Origin
from dractl.machine.idsets import LARGEST_ID, CpuSet
from dractl.machine.machine import Cache
from dractl.topology.description import CoreKey, CpuFacts, Description, DumpFormat, NumaFacts, UncoreKnowledge
from dractl.topology.dumps import Unreadable

Row: TypeAlias = Mapping[str, str]
"""One CPU by column, in lower case; the caches in columns of their own (`l3`). Missing values are left out."""

_PARSABLE_HEADER: Final = re.compile(r"#\s*CPU(?:,|\s*$)", re.IGNORECASE)
_TABLE_HEADER: Final = re.compile(r"\s*CPU(?:\s+[\w%:().]+)*\s*", re.IGNORECASE)
_SUMMARY: Final = re.compile(r"^(?:Architecture|CPU\(s\)|CPU op-mode\(s\)):", re.MULTILINE)
_BARE_DASH: Final = re.compile(r'(":\s*)-(?=\s*[,}\]])')
_CACHE: Final = re.compile(r"l(?P<level>\d)(?P<kind>[di]?)")
_KINDS: Final = {"d": "data", "i": "instruction", "": "unified"}
_NEEDED: Final = ("core", "socket")
_ASK_AGAIN: Final = "run `lscpu -J -e=CPU,CORE,SOCKET,NODE,CACHE,ONLINE -y`, or better gather /sys/devices/system"
_LOWEST_CACHE_LEVEL_SHARED: Final = 3


class _Seen(Struct):
    """What the rows say, gathered."""

    cpus: dict[int, CpuFacts] = field(default_factory=dict)
    offline: list[int] = field(default_factory=list)
    caches: dict[tuple[int, str, int], list[int]] = field(default_factory=dict)
    memory_nodes: set[int] = field(default_factory=set)


# --- recognising ---------------------------------------------------------------------------------------------------


def is_lscpu_json(text: str) -> bool:
    """Whether the text is lscpu's JSON, even where it is no JSON."""
    return re.match(r'\s*\{\s*"(?:cpus|lscpu)"\s*:', text) is not None


def is_lscpu_text(text: str) -> bool:
    """Whether the text is `lscpu -p`, `lscpu -e`, or the summary that plain `lscpu` prints."""
    lines = [line for line in text.split("\n", 20)[:20] if line.strip()]
    if any(_PARSABLE_HEADER.match(line) for line in lines) or _SUMMARY.search(text[:2000]):
        return True
    return bool(lines) and _is_table(lines)


def _is_table(lines: Sequence[str]) -> bool:
    return _TABLE_HEADER.fullmatch(lines[0]) is not None and len(lines) > 1 and lines[1].split()[0].isdigit()


# --- reading -------------------------------------------------------------------------------------------------------


def read_lscpu_json(text: str, origin: Origin) -> Description:
    """What `lscpu -J -e` says. util-linux 2.38 writes a bare `-` for a missing number; it is read as null."""
    try:
        data = json.loads(_BARE_DASH.sub(r"\1null", text))
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: {error.msg.lower()}", "run lscpu once more", line=error.lineno) from None
    except RecursionError:
        raise Unreadable("not lscpu's JSON: nested too deep") from None
    entries = data.get("cpus")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Unreadable("the summary of lscpu has no line for each CPU", _ASK_AGAIN)
    return _describe([(None, _json_row(entry)) for entry in entries], origin)


def read_lscpu_text(text: str, origin: Origin) -> Description:
    """What `lscpu -p` or `lscpu -e` says, as text."""
    numbered = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    header = next((line for _, line in numbered if _PARSABLE_HEADER.match(line)), None)
    if header is not None:
        columns = _columns(header.lstrip("# ").split(","))
        rows = [(number, _cells(columns, line.split(","), number)) for number, line in numbered if line[0] != "#"]
        return _describe(rows, origin)
    if not numbered or not _is_table([line for _, line in numbered]):
        raise Unreadable("the summary of lscpu has no line for each CPU", _ASK_AGAIN)
    columns = _columns(numbered[0][1].split())
    return _describe([(number, _cells(columns, line.split(), number)) for number, line in numbered[1:]], origin)


def _columns(names: Sequence[str]) -> list[str]:
    """Names in lower case; `lscpu -p` leaves one empty, to separate the caches."""
    return [name.strip().lower() for name in names]


def _cells(columns: Sequence[str], cells: Sequence[str], line: int) -> dict[str, str]:
    if len(cells) > len(columns):
        raise Unreadable(f"{len(cells)} values, but the header names {len(columns)} columns", _ASK_AGAIN, line=line)
    return _row(zip(columns, cells, strict=False))


def _json_row(entry: Mapping[str, Any]) -> dict[str, str]:
    return _row((name.lower(), _json_text(value)) for name, value in entry.items())


def _json_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _row(cells: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Takes `L1d:L1i:L2:L3` apart and leaves out what is missing."""
    row: dict[str, str] = {}
    for name, value in cells:
        names, values = name.split(":"), value.strip().split(":")
        if len(names) != len(values):
            names, values = [name], [value.strip()]
        row |= {each: part for each, part in zip(names, values, strict=True) if each and part not in ("", "-")}
    return row


# --- describing ----------------------------------------------------------------------------------------------------


def _describe(rows: Sequence[tuple[int | None, Row]], origin: Origin) -> Description:
    seen = _Seen()
    for line, row in rows:
        _see(seen, row, line)
    if not seen.cpus:
        raise Unreadable("no CPU is listed", _ASK_AGAIN)
    is_renumbered = _is_renumbered(seen)
    if is_renumbered:
        _check_cores(seen)
    caches = tuple(_caches(seen))
    return Description(
        origin,
        DumpFormat.LSCPU,
        _with_siblings(seen.cpus),
        {node: NumaFacts() for node in sorted(seen.memory_nodes)},
        has_kernel_ids=not is_renumbered,
        has_numa_nodes=bool(seen.memory_nodes),
        uncore=_uncore_knowledge(caches),
        offline=CpuSet(seen.offline) if seen.offline else None,
        caches=caches,
    )


def _see(seen: _Seen, row: Row, line: int | None) -> None:
    cpu = _number(row, "cpu", line)
    if cpu in seen.cpus or cpu in seen.offline:
        raise Unreadable(f"CPU {cpu} is listed twice", "run lscpu once more", line=line)
    if row.get("online", "yes").lower() in ("no", "n"):
        seen.offline.append(cpu)
        return
    for column in _NEEDED:
        if column not in row:
            raise Unreadable(f"CPU {cpu} has no value in the column {column.upper()}", _ASK_AGAIN, line=line)
    node = _number(row, "node", line) if "node" in row else None
    if node is not None:
        seen.memory_nodes.add(node)
    key = CoreKey(
        _number(row, "core", line),
        _number(row, "socket", line, least=-1),
        _number(row, "book", line) if "book" in row else -1,
        _number(row, "drawer", line) if "drawer" in row else -1,
    )
    seen.cpus[cpu] = CpuFacts(key, node)
    for column in row:
        match = _CACHE.fullmatch(column)
        if match:
            cache = (int(match["level"]), match["kind"], _number(row, column, line))
            seen.caches.setdefault(cache, []).append(cpu)


def _number(row: Row, column: str, line: int | None, *, least: int = 0) -> int:
    text = row.get(column, "")
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= LARGEST_ID:
        raise Unreadable(f"{text!r} in the column {column.upper()} is no number of that kind", _ASK_AGAIN, line=line)
    return number


def _with_siblings(cpus: Mapping[int, CpuFacts]) -> dict[int, CpuFacts]:
    """lscpu groups threads by what the hardware calls siblings."""
    threads: dict[CoreKey, list[int]] = {}
    for cpu, facts in cpus.items():
        threads.setdefault(facts.core, []).append(cpu)
    return {cpu: CpuFacts(facts.core, facts.node, CpuSet(threads[facts.core])) for cpu, facts in sorted(cpus.items())}


def _is_renumbered(seen: _Seen) -> bool:
    """lscpu counts sockets and cores from 0 without a gap, through all sockets; others are the kernel's (`-y`)."""
    keys = {facts.core for facts in seen.cpus.values()}
    sockets, cores = {key.socket for key in keys}, {key.core for key in keys}
    return sockets == set(range(len(sockets))) and cores == set(range(len(keys)))


def _check_cores(seen: _Seen) -> None:
    """No core is on two NUMA nodes where cores are counted through all sockets; ids of the kernel's may repeat."""
    first: dict[CoreKey, tuple[int, int | None]] = {}
    for cpu, facts in seen.cpus.items():
        other, node = first.setdefault(facts.core, (cpu, facts.node))
        if node != facts.node:
            key = facts.core
            raise Unreadable(
                f"CPUs {other} and {cpu} share core {key.core} of socket {key.socket}, "
                f"but are on NUMA nodes {node} and {facts.node}",
                _ASK_AGAIN,
            )


def _caches(seen: _Seen) -> Iterator[Cache]:
    for (level, kind, _), cpus in sorted(seen.caches.items()):
        yield Cache(level, CpuSet(cpus), _KINDS[kind])


def _uncore_knowledge(caches: Sequence[Cache]) -> UncoreKnowledge:
    has_shared = any(cache.level >= _LOWEST_CACHE_LEVEL_SHARED for cache in caches)
    return UncoreKnowledge.GROUPS if has_shared else UncoreKnowledge.NOTHING
