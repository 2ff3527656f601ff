"""Given device metadata files against their schema, their path, the allocation and the slices (metadata.md §2-§5)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from dractl.api.device_metadata import FOLDER, VERSIONS, MetadataDevice, MetadataFile, MetadataRequest
from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.resource import DeviceAttribute, NetworkDeviceData, ResourceClaim
from dractl.errors import FieldPath, path_text
from dractl.finding import Finding, Severity
from dractl.observe.metadata import Attributes, base_name, entry_of, is_made_up
from dractl.validation.formats import driver as check_driver
from dractl.validation.formats import label
from dractl.validation.formats import pool as check_pool

_IN_CONTAINER: Final = re.compile(
    r"(?:^|/)(?P<form>resourceclaims|resourceclaimtemplates)/(?P<name>[^/]+)/(?P<request>[^/]+)"
    r"/(?P<driver>[^/]+)-metadata\.json$"
)
_ON_HOST: Final = re.compile(
    r"(?:^|/)dra-device-metadata/(?P<namespace>[^/_]+)_(?P<name>[^/]+)/(?P<request>[^/]+)/metadata\.json$"
)
_TYPES: Final = ("int", "bool", "string", "version", "ints", "bools", "strings", "versions")
_MOST_ATTRIBUTES: Final = 32
_LONGEST_ITEM: Final = 64
_MOST_IPS: Final = 16
_LONGEST_INTERFACE: Final = 256
_LONGEST_ADDRESS: Final = 128


def metadata_findings(
    file: MetadataFile, claims: Mapping[ClaimRef, ResourceClaim], attributes: Attributes
) -> Iterator[Finding]:
    """Everything that is odd about one file; none of it keeps a container from reading it."""
    yield from file.findings
    claim = claims.get(ClaimRef(file.object.metadata.namespace, file.object.metadata.name))
    told = (_invalid(file), _stream(file), _at_path(file, claim), _against_claim(file, claims))
    for check in (*told, _repeated(file, attributes)):
        for remark in check:
            place = file.place.at(*remark.path)
            message = f"{path_text(remark.path)}: {remark.message}" if remark.path else remark.message
            yield Finding(remark.rule, remark.severity, message, place, file.subject, remark.remedy)


class _Remark(Struct, frozen=True):
    """A finding about one field of the file."""

    rule: str
    path: FieldPath
    message: str
    remedy: str = ""
    severity: Severity = Severity.WARNING


# --- the schema ------------------------------------------------------------------------------------------------------


def _invalid(file: MetadataFile) -> Iterator[_Remark]:
    """What a reader that asks for validation is told (metadata.md §5)."""
    content = file.object
    if content.metadata.generation < 0:
        yield _wrong(("metadata", "generation"), "must not be negative")
    if content.podClaimName is not None:
        yield from (_wrong(("podClaimName",), flaw.message) for flaw in label(content.podClaimName))
    for number, request in enumerate(content.requests or ()):
        if not request.name:
            yield _wrong(("requests", number, "name"), "the request's name is missing")
        for index, device in enumerate(request.devices or ()):
            yield from _device(device, ("requests", number, "devices", index))


def _device(device: MetadataDevice, path: FieldPath) -> Iterator[_Remark]:
    for field, flaws in (
        ("driver", check_driver(device.driver)),
        ("pool", check_pool(device.pool)),
        ("name", label(device.name)),
    ):
        yield from (_wrong((*path, field), flaw.message) for flaw in flaws)
    attributes = device.attributes or {}
    if len(attributes) > _MOST_ATTRIBUTES:
        message = f"{len(attributes)} attributes are too many: at most {_MOST_ATTRIBUTES} are allowed"
        yield _wrong((*path, "attributes"), message)
    for name, attribute in attributes.items():
        yield from _attribute(attribute, (*path, "attributes", name))
    if device.networkData is not None:
        yield from _network(device.networkData, (*path, "networkData"))


def _attribute(attribute: DeviceAttribute, path: FieldPath) -> Iterator[_Remark]:
    found = [field for field in _TYPES if getattr(attribute, field) not in (None, [])]
    if len(found) != 1:
        have = " and ".join(found) if found else "none"
        yield _wrong(path, f"must specify exactly one of: {', '.join(_TYPES)}; it has {have}")
    for index, text in enumerate(attribute.strings or ()):
        if len(text.encode()) > _LONGEST_ITEM:
            yield _wrong((*path, "strings", index), f"is longer than {_LONGEST_ITEM} bytes")


def _network(data: NetworkDeviceData, path: FieldPath) -> Iterator[_Remark]:
    for field, limit in (("interfaceName", _LONGEST_INTERFACE), ("hardwareAddress", _LONGEST_ADDRESS)):
        if len(getattr(data, field).encode()) > limit:
            yield _wrong((*path, field), f"is longer than {limit} bytes")
    ips = data.ips or []
    if len(ips) > _MOST_IPS:
        yield _wrong((*path, "ips"), f"{len(ips)} addresses are too many: at most {_MOST_IPS} are allowed")
    for index, ip in enumerate(ips):
        if ip in ips[:index]:
            yield _wrong((*path, "ips", index), f"{ip} is there twice")


def _wrong(path: FieldPath, message: str) -> _Remark:
    remedy = "a reader that validates refuses the file; drivers validate nothing before they write"
    return _Remark("metadata/invalid", path, message, remedy)


# --- the stream ------------------------------------------------------------------------------------------------------


def _stream(file: MetadataFile) -> Iterator[_Remark]:
    if VERSIONS[0] not in file.versions:
        yield _Remark(
            "metadata/versions",
            ("apiVersion",),
            f"the file lacks version {VERSIONS[0]}, which every driver has to write",
            "readers that know only that one cannot use the file",
        )
    for version in dict.fromkeys(file.versions):
        if file.versions.count(version) > 1:
            yield _Remark(
                "metadata/versions",
                (),
                f"version {version} is there {file.versions.count(version)} times: a file holds each version once",
                "only the first is read; was the file appended to instead of replaced?",
            )
    if file.object.metadata.generation == 0:
        yield _Remark(
            "metadata/generation",
            ("metadata",),
            "generation is missing: it is 1 at first and grows with each update",
            "without it a container cannot see that the file has changed",
        )
    number = len(file.object.requests or ())
    if number != 1:
        message = f"the file holds {number} requests: a driver writes one file for each"
        yield _Remark("metadata/path", ("requests",), message)


# --- the path --------------------------------------------------------------------------------------------------------


def _at_path(file: MetadataFile, claim: ResourceClaim | None) -> Iterator[_Remark]:
    """What the file says against the names of its folders, in either form (metadata.md §2).

    The claim decides about the form; where the input lacks it, what the file says of it.
    """
    inside, on_host = _IN_CONTAINER.search(file.file), _ON_HOST.search(file.file)
    content = file.object
    if inside is not None:
        is_template = inside["form"] == "resourceclaimtemplates"
        entry = entry_of(claim) if claim is not None else content.podClaimName
        if bool(entry) != is_template:
            right = f"resourceclaimtemplates/{entry}" if entry else f"resourceclaims/{content.metadata.name}"
            yield _path(("podClaimName",), f"the path says {inside['form']}, but a container looks below {right}")
        elif is_template and entry != inside["name"]:
            yield _path(("podClaimName",), f"is {entry}, but the path says {inside['name']}")
        elif not is_template and content.metadata.name != inside["name"]:
            yield _path(("metadata", "name"), f"is {content.metadata.name}, but the path says {inside['name']}")
        yield from _driver_at(file, inside["driver"])
    elif on_host is not None:
        wanted = ClaimRef(on_host["namespace"], on_host["name"])
        if (content.metadata.namespace, content.metadata.name) != (wanted.namespace, wanted.name):
            own = f"{content.metadata.namespace}/{content.metadata.name}"
            yield _path(("metadata",), f"is about claim {own}, but the path says {wanted}")
    found = inside or on_host
    if found is None:
        return
    for number, request in enumerate(content.requests or ()):
        if request.name and base_name(request.name) != found["request"]:
            yield _path(("requests", number, "name"), f"is {request.name}, but the path says {found['request']}")


def _driver_at(file: MetadataFile, driver: str) -> Iterator[_Remark]:
    for number, request in enumerate(file.object.requests or ()):
        for index, device in enumerate(request.devices or ()):
            if device.driver != driver:
                at = ("requests", number, "devices", index, "driver")
                yield _path(at, f"is {device.driver}, but the path says {driver}: each driver writes its own file")


def _path(path: FieldPath, message: str) -> _Remark:
    remedy = f"in a container the path is {FOLDER}/…/REQUEST/DRIVER-metadata.json, with the request's base name"
    return _Remark("metadata/path", path, message, remedy)


# --- the allocation --------------------------------------------------------------------------------------------------


def _against_claim(file: MetadataFile, claims: Mapping[ClaimRef, ResourceClaim]) -> Iterator[_Remark]:
    metadata = file.object.metadata
    ref = ClaimRef(metadata.namespace, metadata.name)
    claim = claims.get(ref)
    if claim is None:
        message = f"the input has no claim {ref}: what the file says is not compared with an allocation"
        yield _Remark("metadata/no-claim", ("metadata", "name"), message, severity=Severity.INFO)
        return
    if metadata.uid != claim.metadata.uid and not is_made_up(claim):
        message = f"is {metadata.uid or 'missing'}, but claim {ref} has {claim.metadata.uid}"
        yield _stale(("metadata", "uid"), message)
    entry = entry_of(claim)
    if (file.object.podClaimName or "") != entry:
        has = f"was made for {entry}" if entry else "was not made from a template"
        yield _stale(("podClaimName",), f"is {file.object.podClaimName or 'missing'}, but claim {ref} {has}")
    for number, request in enumerate(file.object.requests or ()):
        yield from _request(request, ("requests", number), claim, ref)


def _request(request: MetadataRequest, path: FieldPath, claim: ResourceClaim, ref: ClaimRef) -> Iterator[_Remark]:
    allocation = claim.status.allocation
    results = (allocation.devices.results if allocation is not None else None) or ()
    mine = [result for result in results if base_name(result.request) == base_name(request.name)]
    if not mine:
        message = f"is {request.name}, for which claim {ref} has no device allocated"
        yield _stale((*path, "name"), message)
        return
    names = list(dict.fromkeys(result.request for result in mine))
    if request.name not in names and "/" in request.name:
        yield _stale((*path, "name"), f"is {request.name}, but claim {ref} has {' and '.join(names)} allocated")
    held = {DeviceId(result.driver, result.pool, result.device) for result in mine}
    told = [DeviceId(device.driver, device.pool, device.name) for device in request.devices or ()]
    for index, device in enumerate(told):
        if device not in held:
            yield _stale((*path, "devices", index, "name"), f"{device} is not allocated for {names[0]} of claim {ref}")
    missing = sorted(held - set(told))
    drivers = {device.driver for device in told}
    for device in missing:
        if device.driver in drivers:
            message = f"{device} is allocated for {names[0]} of claim {ref}, but the file does not name it"
            yield _stale((*path, "devices"), message)


def _stale(path: FieldPath, message: str) -> _Remark:
    remedy = "is the file of an earlier claim? A driver writes it when it prepares the claim, and removes it after"
    return _Remark("metadata/allocation", path, message, remedy)


# --- the slices ------------------------------------------------------------------------------------------------------


def _repeated(file: MetadataFile, attributes: Attributes) -> Iterator[_Remark]:
    """Attributes that differ from the slice; keys without a domain mean the driver's (metadata.md §3)."""
    for number, request in enumerate(file.object.requests or ()):
        for index, device in enumerate(request.devices or ()):
            listed = attributes.get(DeviceId(device.driver, device.pool, device.name))
            if listed is None:
                continue
            known = {_full(name, device.driver): value for name, value in listed.items()}
            for name, value in (device.attributes or {}).items():
                full = _full(name, device.driver)
                if full in known and known[full] != value:
                    yield _Remark(
                        "metadata/attributes",
                        ("requests", number, "devices", index, "attributes", name),
                        f"differs from what the slice of {device.name} says: selectors saw another value",
                        "drivers should repeat in the file what their slices say",
                    )


def _full(name: str, driver: str) -> str:
    return name if "/" in name else f"{driver}/{name}"
