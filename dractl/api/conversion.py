"""From resource.k8s.io/v1beta1 to v1 (validation.md §1, "Conversion of v1beta1").

v1beta2 and v1alpha3 have the shape of v1 and need none.
"""

from msgspec.structs import asdict

from dractl.api import older, resource


def claim(old: older.ResourceClaim) -> resource.ResourceClaim:
    """A claim; its status has the same shape in both versions."""
    return resource.ResourceClaim(metadata=old.metadata, spec=_claim_spec(old.spec), status=old.status)


def template(old: older.ResourceClaimTemplate) -> resource.ResourceClaimTemplate:
    """A template, by its claim spec."""
    spec = resource.ResourceClaimTemplateSpec(metadata=old.spec.metadata, spec=_claim_spec(old.spec.spec))
    return resource.ResourceClaimTemplate(metadata=old.metadata, spec=spec)


def resource_slice(old: older.ResourceSlice) -> resource.ResourceSlice:
    """A slice: devices lose their `basic`, and an empty `nodeName` or a false `allNodes` of the slice is absent."""
    spec = old.spec
    return resource.ResourceSlice(
        metadata=old.metadata,
        spec=resource.ResourceSliceSpec(
            driver=spec.driver,
            pool=spec.pool,
            nodeName=spec.nodeName or None,
            nodeSelector=spec.nodeSelector,
            allNodes=spec.allNodes or None,
            perDeviceNodeSelection=spec.perDeviceNodeSelection,
            devices=None if spec.devices is None else [_device(device) for device in spec.devices],
            sharedCounters=spec.sharedCounters,
            skipNodeOperations=spec.skipNodeOperations,
            partitionTypeAttribute=spec.partitionTypeAttribute,
        ),
    )


def _device(old: older.Device) -> resource.Device:
    return resource.Device(name=old.name, **asdict(old.basic))


def _claim_spec(old: older.ResourceClaimSpec) -> resource.ResourceClaimSpec:
    devices = old.devices
    requests = None if devices.requests is None else [_request(request) for request in devices.requests]
    return resource.ResourceClaimSpec(
        devices=resource.DeviceClaim(requests=requests, constraints=devices.constraints, config=devices.config)
    )


def _request(old: older.DeviceRequest) -> resource.DeviceRequest:
    exactly = None
    if _is_exact(old):
        exactly = resource.ExactDeviceRequest(
            deviceClassName=old.deviceClassName,
            selectors=old.selectors,
            allocationMode=old.allocationMode,
            count=old.count,
            adminAccess=old.adminAccess,
            tolerations=old.tolerations,
            capacity=old.capacity,
            derivedAttributes=old.derivedAttributes,
        )
    return resource.DeviceRequest(name=old.name, exactly=exactly, firstAvailable=old.firstAvailable)


def _is_exact(old: older.DeviceRequest) -> bool:
    """Whether any of the flat fields is set; an empty list counts as set."""
    texts_and_numbers = old.deviceClassName or old.allocationMode or old.count
    others = (old.selectors, old.adminAccess, old.tolerations, old.capacity, old.derivedAttributes)
    return bool(texts_and_numbers) or any(value is not None for value in others)
