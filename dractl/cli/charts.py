"""Charts of Helm that lie among manifests: what is in them are no manifests before `helm template` has made them."""

from pathlib import Path

from msgspec.structs import replace

from dractl.cli.inputs import Inputs
from dractl.manifests import Source


def without_charts(inputs: Inputs) -> Inputs:
    """The input without values and templates of charts. A file of a chart without any `{{` is a manifest as others."""
    kept = tuple(source for source in inputs.sources if not _is_of_chart(source))
    return replace(inputs, sources=kept, chart_files=len(inputs.sources) - len(kept))


def _is_of_chart(source: Source) -> bool:
    """Whether a file is what Helm reads: `values.yaml` beside a `Chart.yaml`, or a template in `templates/` there."""
    path = Path(source.name)
    if path.name.startswith("values") and _has_chart(path.parent):
        return True
    folders = path.parents
    return b"{{" in source.content and any(each.name == "templates" and _has_chart(each.parent) for each in folders)


def _has_chart(folder: Path) -> bool:
    return (folder / "Chart.yaml").is_file()
