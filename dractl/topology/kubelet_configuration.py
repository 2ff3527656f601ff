"""KubeletConfiguration: as a file, as the kubelet's `configz`, or inside OpenShift's KubeletConfig."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from dractl.errors import Place
from dractl.finding import Finding, Severity
from dractl.machine.configuration import KubeletConfiguration
from dractl.near_misses import did_you_mean
from dractl.topology.dumps import Unreadable
from dractl.topology.json_values import to_typed, without_nulls
from dractl.topology.kubelet_fields import WANTED, check_types, to_write

_GROUP: Final = "kubelet.config.k8s.io/"
_VERSION: Final = f"{_GROUP}v1beta1"
_CONFIGZ: Final = "kubeletconfig"
_WRAPPER_GROUP: Final = "machineconfiguration.openshift.io/"


def is_configz(data: Any) -> bool:
    """Whether data are what `kubectl get --raw /api/v1/nodes/NODE/proxy/configz` prints."""
    return isinstance(data, dict) and isinstance(data.get(_CONFIGZ), dict)


def is_kubelet_configuration(data: Any) -> bool:
    """Whether an object is a KubeletConfiguration, or wraps one."""
    if not isinstance(data, dict):
        return False
    version, kind = str(data.get("apiVersion", "")), data.get("kind")
    return kind == "KubeletConfiguration" or (kind == "KubeletConfig" and version.startswith(_WRAPPER_GROUP))


class ReadConfiguration(Struct, frozen=True):
    """A configuration, where its fields stand, and what is to be said about them."""

    configuration: KubeletConfiguration
    place: Place
    findings: tuple[Finding, ...] = ()


def read_kubelet_configuration(data: Any, place: Place) -> ReadConfiguration:
    """What the object at `place` says. Fields on which no resource manager depends are ignored.

    Raises Unreadable with the path, from the document's root, of what does not fit.
    """
    if is_configz(data):
        return _read(data[_CONFIGZ], place.at(_CONFIGZ))
    if data.get("kind") == "KubeletConfig":
        return _read_wrapped(data, place)
    version = data.get("apiVersion")
    if version != _VERSION:
        raise Unreadable(f"unknown version {version!r}", f"write {_VERSION}", path=(*place.path, "apiVersion"))
    return _read(data, place)


def _read_wrapped(data: Any, place: Place) -> ReadConfiguration:
    spec = data.get("spec")
    inner = spec.get("kubeletConfig") if isinstance(spec, dict) else None
    if not isinstance(inner, dict):
        raise Unreadable("the KubeletConfig holds no spec.kubeletConfig", path=place.path)
    return _read(inner, place.at("spec", "kubeletConfig"))


def _read(fields: Mapping[str, Any], place: Place) -> ReadConfiguration:
    configuration = to_typed(without_nulls(fields), KubeletConfiguration, path=place.path, remedy=to_write)
    check_types(fields, place.path)
    return ReadConfiguration(configuration, place, tuple(_misspelt(fields, place)))


def _misspelt(fields: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    """Fields that are nearly ones that there are: the kubelet warns of them in its log and goes by the default."""
    known = (*KubeletConfiguration.__struct_fields__, *WANTED)
    for name in fields:
        meant = "" if name in known else did_you_mean(str(name), known)
        if meant:
            yield Finding(
                "topology/misspelt-field",
                Severity.WARNING,
                f"the kubelet knows no field {name}",
                place.key_at(name),
                "KubeletConfiguration",
                meant,
            )
