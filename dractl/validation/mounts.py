"""Volumes of a pod, and where its containers mount them (answers in validate-core)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from dractl.api.processes import VolumeMount
from dractl.near_misses import did_you_mean
from dractl.validation.choices import one_of
from dractl.validation.formats import label, missing
from dractl.validation.violation import Violation, ViolationType, below, invalid

_NEEDED: Final[Mapping[str, str]] = {
    "configMap": "name",
    "secret": "secretName",
    "hostPath": "path",
    "persistentVolumeClaim": "claimName",
}
"""What a source of this kind cannot do without."""
_SOURCES: Final = (
    "emptyDir",
    "hostPath",
    "secret",
    "nfs",
    "persistentVolumeClaim",
    "configMap",
    "projected",
    "csi",
    "ephemeral",
    "image",
)
"""Where a volume comes from, in the order in which the server looks; some that are rare or gone are left out."""
_HOST_PATHS: Final = (
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
)


def check_volumes(volumes: Sequence[Mapping[str, Any]]) -> Iterator[Violation]:
    """The volumes of a pod; paths begin at the list. A volume that is refused leaves its name to others."""
    names: set[str] = set()
    for index, volume in enumerate(volumes):
        flaws = list(_check_volume(volume))
        yield from below(flaws, index)
        name = str(volume.get("name", ""))
        if name in names:
            message = f'the pod has a volume "{name}" already'
            yield Violation((index, "name"), ViolationType.DUPLICATE, message, "choose another name")
        if not flaws:
            names.add(name)


def mountable(volumes: Sequence[Mapping[str, Any]]) -> Mapping[str, bool]:
    """The names by which containers may mount the volumes, each with whether they can: one that is refused is none."""
    can: dict[str, bool] = {}
    for volume in volumes:
        name = str(volume.get("name", ""))
        can[name] = can.get(name, False) or not any(_check_volume(volume))
    return can


def _check_volume(volume: Mapping[str, Any]) -> Iterator[Violation]:
    name = volume.get("name") or ""
    yield from below(label(name) if name else (missing("the volume's name", "write `name: …`"),), "name")
    kinds = [kind for kind in _SOURCES if volume.get(kind) is not None]
    for kind in kinds[1:]:
        message = f"the volume is a `{kinds[0]}` already"
        yield Violation((kind,), ViolationType.FORBIDDEN, message, "keep one of them")
    if kinds:
        yield from below(_check_source(kinds[0], volume[kinds[0]]), kinds[0])


def _check_source(kind: str, source: Mapping[str, Any]) -> Iterator[Violation]:
    field = _NEEDED.get(kind)
    if field is not None and not source.get(field):
        yield missing(f"`{field}`", f"write `{field}: …`").below(field)
    elif kind == "hostPath" and ".." in str(source["path"]).split("/"):
        yield invalid('".." leads out of the path', "write the path without it", "path")
    elif kind == "hostPath" and source.get("type"):
        yield from below(one_of(source["type"], _HOST_PATHS), "type")


def check_mounts(mounts: Sequence[VolumeMount], volumes: Mapping[str, bool]) -> Iterator[Violation]:
    """The mounts of a container in a pod that has these `mountable` volumes; paths begin at the list."""
    taken: set[str] = set()
    for index, mount in enumerate(mounts):
        if not mount.name:
            yield missing("the volume's name", "write `name: …`").below(index, "name")
        if not volumes.get(mount.name):
            is_echo = not mount.name or mount.name in volumes
            yield replace(_not_found(mount.name, sorted(volumes)), is_echo=is_echo).below(index, "name")
        if not mount.mountPath:
            yield missing("the path", "write `mountPath: …`").below(index, "mountPath")
        if mount.mountPath in taken:
            message = f'the container has a mount at "{mount.mountPath}" already'
            flaw = invalid(message, "choose another path", index, "mountPath")
            yield replace(flaw, is_echo=not mount.mountPath)
        taken.add(mount.mountPath)


def _not_found(name: str, known: Sequence[str]) -> Violation:
    listed = f"its volumes are {', '.join(known)}" if known else "add it to the pod's `volumes`"
    remedy = did_you_mean(name, known) or listed
    return Violation((), ViolationType.NOT_FOUND, f'the pod has no volume "{name}"', remedy, wants=("volumes",))
