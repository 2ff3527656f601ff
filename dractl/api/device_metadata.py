"""Device metadata files: what drivers tell containers about their devices (metadata.md §2, §3)."""

from typing import Final

from msgspec import Struct

from dractl.api.base import ApiStruct, ObjectMeta
from dractl.api.resource import DeviceAttribute, NetworkDeviceData
from dractl.errors import Place
from dractl.finding import Finding

GROUP: Final = "metadata.resource.k8s.io"
KIND: Final = "DeviceMetadata"
VERSIONS: Final = (f"{GROUP}/v1beta1", f"{GROUP}/v1alpha1")
"""The versions that v1.37 knows, which have the same fields; a driver has to write the first."""

FOLDER: Final = "/var/run/kubernetes.io/dra-device-attributes"
"""Where a container finds the files."""

ENTRY_ANNOTATION: Final = "resource.kubernetes.io/pod-claim-name"
"""Which entry of a pod's or group's `spec.resourceClaims` a claim was made for; not there on other claims."""


class MetadataDevice(ApiStruct, frozen=True):
    driver: str = ""
    pool: str = ""
    name: str = ""
    attributes: dict[str, DeviceAttribute] | None = None
    networkData: NetworkDeviceData | None = None


class MetadataRequest(ApiStruct, frozen=True):
    name: str = ""
    devices: list[MetadataDevice] | None = None


class DeviceMetadata(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    podClaimName: str | None = None
    requests: list[MetadataRequest] | None = None


class MetadataFile(Struct, frozen=True):
    """A file that was given: the first object that a reader understands, which is all that counts of it.

    `versions` are those of all objects in the file, in order, as far as they can be read. `findings` are what reading
    has to say besides.
    """

    object: DeviceMetadata
    version: str
    versions: tuple[str, ...]
    place: Place
    findings: tuple[Finding, ...] = ()

    @property
    def file(self) -> str:
        """The file's name as it was given."""
        return self.place.origin.file

    @property
    def subject(self) -> str:
        """What findings are about: the file's claim."""
        metadata = self.object.metadata
        return f"{KIND} {metadata.namespace}/{metadata.name}"
