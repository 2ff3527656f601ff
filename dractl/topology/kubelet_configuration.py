"""KubeletConfiguration: as a file, as the kubelet's `configz`, or inside OpenShift's KubeletConfig."""

from typing import Any, Final

from dractl.errors import FieldPath
from dractl.machine.configuration import KubeletConfiguration
from dractl.topology.dumps import Unreadable
from dractl.topology.json_values import to_typed, without_nulls

_GROUP: Final = "kubelet.config.k8s.io/"
_VERSION: Final = f"{_GROUP}v1beta1"
_CONFIGZ: Final = "kubeletconfig"
_WRAPPER_GROUP: Final = "machineconfiguration.openshift.io/"
_QUOTES: Final = 'texts and the values of options stand in quotes: full-pcpus-only: "true"'


def is_configz(data: Any) -> bool:
    """Whether data are what `kubectl get --raw /api/v1/nodes/NODE/proxy/configz` prints."""
    return isinstance(data, dict) and isinstance(data.get(_CONFIGZ), dict)


def is_kubelet_configuration(data: Any) -> bool:
    """Whether an object is a KubeletConfiguration, or wraps one."""
    if not isinstance(data, dict):
        return False
    version, kind = str(data.get("apiVersion", "")), data.get("kind")
    return kind == "KubeletConfiguration" or (kind == "KubeletConfig" and version.startswith(_WRAPPER_GROUP))


def read_kubelet_configuration(data: Any, path: FieldPath = ()) -> tuple[KubeletConfiguration, FieldPath]:
    """The configuration, and the path from the document's root at which its fields stand; `path` is where `data` do.

    Fields on which no resource manager depends are ignored. Raises Unreadable with the path of what does not fit.
    """
    if is_configz(data):
        return _read(data[_CONFIGZ], (*path, _CONFIGZ))
    if data.get("kind") == "KubeletConfig":
        return _read_wrapped(data, path)
    version = data.get("apiVersion")
    if version != _VERSION:
        raise Unreadable(f"unknown version {version!r}", f"write {_VERSION}", path=(*path, "apiVersion"))
    return _read(data, path)


def _read_wrapped(data: Any, path: FieldPath) -> tuple[KubeletConfiguration, FieldPath]:
    spec = data.get("spec")
    inner = spec.get("kubeletConfig") if isinstance(spec, dict) else None
    if not isinstance(inner, dict):
        raise Unreadable("the KubeletConfig holds no spec.kubeletConfig", path=path)
    return _read(inner, (*path, "spec", "kubeletConfig"))


def _read(data: Any, path: FieldPath) -> tuple[KubeletConfiguration, FieldPath]:
    return to_typed(without_nulls(data), KubeletConfiguration, path=path, remedy=_QUOTES), path
