"""The device metadata files that containers will see, if the drivers write them (metadata.md §2, §3, §6)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from dractl.api.base import ObjectMeta
from dractl.api.codec import to_plain
from dractl.api.core import Pod
from dractl.api.device_metadata import (
    ENTRY_ANNOTATION,
    FOLDER,
    KIND,
    VERSIONS,
    DeviceMetadata,
    MetadataDevice,
    MetadataFile,
    MetadataRequest,
)
from dractl.api.identities import ClaimRef, DeviceId, ObjectRef
from dractl.api.pods import claims_by_entry
from dractl.api.resource import DeviceAttribute, ResourceClaim, ResourceSlice
from dractl.api.uids import derived_uid
from dractl.cluster.pools import pool_of
from dractl.observe.containers import container_devices
from dractl.observe.node_calls import PREPARE, skipped_calls

Attributes = Mapping[DeviceId, Mapping[str, DeviceAttribute]]
"""What slices say about devices; a driver should repeat it in the file."""

Written = Mapping[str, tuple[str, ...]]
"""The versions that a driver is known to write, in its order."""

_PLUGINS: Final = "/var/lib/kubelet/plugins"
_CDI: Final = "/var/run/cdi"
_FIRST_GENERATION: Final = 1
_ESCAPED: Final = re.compile("[<>&\u2028\u2029]")


class ExpectedFile(Struct, frozen=True):
    """A file as a driver's library writes it when it prepares the claim, before any container starts.

    `containers` are those that see it at `path`; `host_path` and `cdi_spec` are where the library keeps it by default.
    `not_fixed` are fields whose values only the cluster will know.
    `is_written` is true if a file that was given shows that the driver writes metadata: no API object tells.
    """

    claim: ClaimRef
    request: str
    driver: str
    path: str
    host_path: str
    cdi_spec: str
    cdi_device: str
    containers: tuple[str, ...]
    versions: tuple[str, ...]
    is_written: bool
    object: DeviceMetadata
    not_fixed: tuple[str, ...] = ()

    def text(self) -> str:
        """The file's content: the object once for each version, byte for byte as Go writes it."""
        return "".join(_encoded(self.object, version) + "\n" for version in self.versions)


def container_path(claim: ResourceClaim, request: str, driver: str) -> str:
    """Where a container finds the file of a request and a driver.

    The claim's annotation decides between the two forms; of an alternative the request's name counts.
    """
    entry = entry_of(claim)
    folder = f"resourceclaimtemplates/{entry}" if entry else f"resourceclaims/{claim.metadata.name}"
    return f"{FOLDER}/{folder}/{base_name(request)}/{driver}-metadata.json"


def entry_of(claim: ResourceClaim) -> str:
    """The entry of `spec.resourceClaims` that the claim was made for, empty for any other claim."""
    return (claim.metadata.annotations or {}).get(ENTRY_ANNOTATION, "")


def base_name(request: str) -> str:
    """`npu` for `npu/large`."""
    return request.partition("/")[0]


def slice_attributes(slices: Iterable[ResourceSlice]) -> Attributes:
    """The attributes of every device in the slices; a later generation of a pool wins."""
    newest: dict[DeviceId, tuple[int, Mapping[str, DeviceAttribute]]] = {}
    for slice_ in slices:
        pool = pool_of(slice_)
        for device in slice_.spec.devices or ():
            key = DeviceId(pool.driver, pool.pool, device.name)
            generation = slice_.spec.pool.generation
            if key not in newest or newest[key][0] <= generation:
                newest[key] = (generation, device.attributes or {})
    return {device: attributes for device, (_, attributes) in newest.items()}


def versions_written(files: Sequence[MetadataFile]) -> Written:
    """What the given files show about the drivers that wrote them."""
    return {
        device.driver: tuple(dict.fromkeys(version for version in file.versions if version in VERSIONS))
        for file in files
        for request in file.object.requests or ()
        for device in request.devices or ()
    }


def expected_files(
    pod: Pod, claims: Mapping[ClaimRef, ResourceClaim], attributes: Attributes, written: Written
) -> tuple[ExpectedFile, ...]:
    """The files for the pod's claims as far as they are allocated: one for each claim, request and driver.

    Files of a claim that no container names are written too, and seen by nobody. There are none of drivers that the
    kubelet does not call, nor of requests for which a driver has no device.
    """
    seen_by = _containers_by_file(pod, claims)
    return tuple(
        file
        for ref in _claims_of(pod)
        if ref in claims
        for file in _files_of(ref, claims[ref], attributes, written, seen_by)
    )


def _claims_of(pod: Pod) -> list[ClaimRef]:
    """Every claim of the pod once, the one for extended resources last."""
    names = [name for name in claims_by_entry(pod).values() if name is not None]
    status = pod.status.extendedResourceClaimStatus
    names += [status.resourceClaimName] if status is not None else []
    return [ClaimRef(pod.metadata.namespace, name) for name in dict.fromkeys(names)]


def _containers_by_file(
    pod: Pod, claims: Mapping[ClaimRef, ResourceClaim]
) -> Mapping[tuple[ClaimRef, str, str], tuple[str, ...]]:
    """Which containers are given a device of each claim, request and driver."""
    by_entry = claims_by_entry(pod)
    status = pod.status.extendedResourceClaimStatus
    special = status.resourceClaimName if status is not None else None
    seen: dict[tuple[ClaimRef, str, str], dict[str, None]] = {}
    for use in container_devices(pod, claims):
        for device in use.devices:
            name = by_entry.get(device.entry) if device.entry else special
            if name is not None and device.is_prepared:
                key = (ClaimRef(pod.metadata.namespace, name), base_name(device.request), device.device.driver)
                seen.setdefault(key, {})[use.name] = None
    return {key: tuple(names) for key, names in seen.items()}


def _files_of(
    ref: ClaimRef,
    claim: ResourceClaim,
    attributes: Attributes,
    written: Written,
    seen_by: Mapping[tuple[ClaimRef, str, str], tuple[str, ...]],
) -> Iterator[ExpectedFile]:
    allocation = claim.status.allocation
    if allocation is None:
        return
    skipped = skipped_calls(allocation)
    groups: dict[tuple[str, str], list[tuple[str, MetadataDevice]]] = {}
    for result in allocation.devices.results or ():
        if PREPARE in skipped.get(result.driver, ()):
            continue
        known = attributes.get(DeviceId(result.driver, result.pool, result.device)) or None
        device = MetadataDevice(
            driver=result.driver, pool=result.pool, name=result.device, attributes=dict(known) if known else None
        )
        groups.setdefault((base_name(result.request), result.driver), []).append((result.request, device))
    uid = claim.metadata.uid or derived_uid(ObjectRef("ResourceClaim", ref.namespace, ref.name))
    not_fixed = _not_fixed(claim)
    for (request, driver), devices in groups.items():
        yield ExpectedFile(
            claim=ref,
            request=devices[0][0],
            driver=driver,
            path=container_path(claim, request, driver),
            host_path=f"{_PLUGINS}/{driver}/dra-device-metadata/{ref.namespace}_{ref.name}/{request}/metadata.json",
            cdi_spec=f"{_CDI}/{driver}_metadata_{uid}_{request}.json",
            cdi_device=f"{driver}/metadata={uid}_{request}",
            containers=seen_by.get((ref, request, driver), ()),
            versions=written.get(driver) or VERSIONS[:1],
            is_written=driver in written,
            object=_object(claim, uid, devices),
            not_fixed=not_fixed,
        )


def _not_fixed(claim: ResourceClaim) -> tuple[str, ...]:
    """Of a claim that no cluster has yet the uid, and the suffix of a generated name."""
    if not is_made_up(claim):
        return ()
    return ("metadata.name", "metadata.uid") if claim.metadata.generateName else ("metadata.uid",)


def is_made_up(claim: ResourceClaim) -> bool:
    """Whether the claim's uid is not one that a cluster gave."""
    ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
    return claim.metadata.uid in ("", derived_uid(ref))


def _object(claim: ResourceClaim, uid: str, devices: Sequence[tuple[str, MetadataDevice]]) -> DeviceMetadata:
    metadata = claim.metadata
    return DeviceMetadata(
        metadata=ObjectMeta(name=metadata.name, namespace=metadata.namespace, uid=uid, generation=_FIRST_GENERATION),
        podClaimName=entry_of(claim) or None,
        requests=[MetadataRequest(name=devices[0][0], devices=[device for _, device in devices])],
    )


def plain_object(content: DeviceMetadata, version: str) -> dict[str, object]:
    """The object as data, in the order of a file: `kind` before `apiVersion`, attributes by name."""
    plain = {"kind": KIND, "apiVersion": version, **to_plain(content)}
    for request in plain.get("requests", ()):
        for device in request.get("devices", ()):
            if "attributes" in device:
                device["attributes"] = dict(sorted(device["attributes"].items()))
    return plain


def _encoded(content: DeviceMetadata, version: str) -> str:
    """Indented by two spaces, with the characters escaped that Go escapes."""
    text = msgspec.json.format(msgspec.json.encode(plain_object(content, version)), indent=2).decode()
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
