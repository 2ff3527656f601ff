"""Files from which Helm or kustomize make manifests: they are none before that."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from dractl.cli.dumps import read_objects
from dractl.cli.inputs import Inputs
from dractl.errors import BadInput
from dractl.manifests import Source

_KUSTOMIZATIONS: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_PATCHES: Final = ("patches", "patchesJson6902", "patchesStrategicMerge", "replacements")


def without_unrendered(inputs: Inputs) -> Inputs:
    """The input without values and templates of charts, and without the patches of kustomizations.

    A file of a chart without any `{{` is a manifest as others, and so is what a kustomization has for a resource.
    """
    patches = frozenset(_patches(inputs.sources))
    kept = [source for source in inputs.sources if not _is_of_chart(source) and _path(source) not in patches]
    return replace(inputs, sources=tuple(kept), unrendered_files=len(inputs.sources) - len(kept))


def _is_of_chart(source: Source) -> bool:
    """Whether a file is what Helm reads: `values.yaml` beside a `Chart.yaml`, or a template in `templates/` there."""
    path = Path(source.name)
    if path.name.startswith("values") and _has_chart(path.parent):
        return True
    folders = path.parents
    return b"{{" in source.content and any(each.name == "templates" and _has_chart(each.parent) for each in folders)


def _has_chart(folder: Path) -> bool:
    return (folder / "Chart.yaml").is_file()


# --- kustomize -------------------------------------------------------------------------------------------------------


def _patches(sources: Sequence[Source]) -> Iterator[Path]:
    """The files that kustomizations of the input, or beside a file of it, name as patches."""
    for path in {folder / name for folder in {_path(source).parent for source in sources} for name in _KUSTOMIZATIONS}:
        if path.is_file():
            yield from ((path.parent / name).resolve() for name in _named_patches(path))


def _named_patches(kustomization: Path) -> Iterator[str]:
    """What it names; nothing if it is broken, which is told where it is among the input."""
    try:
        read = read_objects(str(kustomization), kustomization.read_bytes())
    except (BadInput, OSError):
        return
    for _, data in read:
        for field in _PATCHES:
            entries = data.get(field) if isinstance(data, dict) else None
            for entry in entries if isinstance(entries, list) else ():
                name = entry.get("path") if isinstance(entry, dict) else entry
                if isinstance(name, str) and "\n" not in name:
                    yield name


def _path(source: Source) -> Path:
    return Path(source.name).resolve()
