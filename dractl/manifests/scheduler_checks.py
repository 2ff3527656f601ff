"""What a scheduler refuses of its configuration, or takes otherwise than it looks (kubescheduler.config.k8s.io/v1).

It decodes strictly, so that a field that does not exist keeps it from starting, as does a plugin that is not built in.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from dractl.errors import FieldPath
from dractl.near_misses import did_you_mean

_TOP: Final = (
    *("apiVersion", "kind", "parallelism", "leaderElection", "clientConnection", "enableProfiling"),
    *("enableContentionProfiling", "percentageOfNodesToScore", "podInitialBackoffSeconds", "podMaxBackoffSeconds"),
    *("profiles", "extenders", "delayCacheUntilActive"),
)
_PROFILE: Final = ("schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig")
_POINTS: Final = (
    *("preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore", "score", "reserve", "permit"),
    *("preBind", "bind", "postBind", "multiPoint"),
)
_SCORING: Final = ("score", "multiPoint")
_SET: Final = ("enabled", "disabled")
_PLUGIN: Final = ("name", "weight")
_CONFIG: Final = ("name", "args")
_ALL_NODES: Final = 100
_DEFAULT_NAME: Final = "default-scheduler"


class Objection(Struct, frozen=True):
    """What is wrong with a field; `is_fault` where the scheduler does not start with it."""

    message: str
    remedy: str
    path: FieldPath
    is_fault: bool = True


def objections(data: Mapping[str, Any], plugins: Collection[str]) -> Iterator[Objection]:
    """Everything about one configuration; `plugins` are those that are built in."""
    yield from _unknown_fields(data, _TOP, ())
    yield from _share_of_nodes(data, ())
    taken: set[str] = set()
    for number, profile in _maps(data.get("profiles")):
        path: FieldPath = ("profiles", number)
        yield from _unknown_fields(profile, _PROFILE, path)
        yield from _share_of_nodes(profile, path)
        name = str(profile.get("schedulerName", _DEFAULT_NAME))
        if name in taken:
            message = f"two profiles have the schedulerName {name}"
            yield Objection(message, "give one of them another name", (*path, "schedulerName"))
        taken.add(name)
        yield from _of_plugins(profile, path, plugins)


def _unknown_fields(data: Mapping[str, Any], known: Collection[str], path: FieldPath) -> Iterator[Objection]:
    for name in data:
        if name not in known:
            remedy = did_you_mean(str(name), known) or f"known here: {', '.join(known)}"
            yield Objection(f"there is no field {name}", remedy, (*path, name))


def _share_of_nodes(data: Mapping[str, Any], path: FieldPath) -> Iterator[Objection]:
    field = "percentageOfNodesToScore"
    share = data.get(field)
    if isinstance(share, int) and not 0 <= share <= _ALL_NODES:
        message = f"{field}: not in valid range [0-{_ALL_NODES}]"
        yield Objection(message, "write 0 for the scheduler's choice", (*path, field))


def _of_plugins(profile: Mapping[str, Any], path: FieldPath, known: Collection[str]) -> Iterator[Objection]:
    points = _map(profile.get("plugins"))
    yield from _unknown_fields(points, _POINTS, (*path, "plugins"))
    for point, change in points.items():
        at = (*path, "plugins", point)
        yield from _unknown_fields(_map(change), _SET, at)
        for part in _SET:
            for number, entry in _maps(_map(change).get(part)):
                yield from _unknown_fields(entry, _PLUGIN, (*at, part, number))
                yield from _misspelt_plugin(entry, known, (*at, part, number))
        if point in _SCORING:
            yield from _weights(_map(change), known, at)
    for number, entry in _maps(profile.get("pluginConfig")):
        yield from _unknown_fields(entry, _CONFIG, (*path, "pluginConfig", number))
        yield from _misspelt_plugin(entry, known, (*path, "pluginConfig", number))


def _weights(change: Mapping[str, Any], known: Collection[str], path: FieldPath) -> Iterator[Objection]:
    for number, entry in _maps(change.get("enabled")):
        if entry.get("weight") == 0 and entry.get("name") in known:
            message = f"weight 0 of {entry.get('name')} counts as 1"
            at = (*path, "enabled", number, "weight")
            yield Objection(message, "disable the plugin in `score`", at, is_fault=False)


def _misspelt_plugin(entry: Mapping[str, Any], known: Collection[str], path: FieldPath) -> Iterator[Objection]:
    """Other names are those of plugins that a scheduler of one's own may have."""
    name = str(entry.get("name", ""))
    remedy = "" if name in known else did_you_mean(name, known)
    if remedy:
        yield Objection(f"there is no plugin {name}", remedy, (*path, "name"), is_fault=False)


def _map(value: Any) -> Mapping[str, Any]:
    """What is no map is told when it is read."""
    return value if isinstance(value, dict) else {}


def _maps(value: Any) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, each in enumerate(value if isinstance(value, list) else ()):
        yield number, _map(each)
