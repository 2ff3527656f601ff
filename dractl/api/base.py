"""The base of every API type, and the metadata that all objects share."""

import msgspec


class ApiStruct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A frozen API type: fields carry Kubernetes' own names; absent and null are the default."""


class OwnerReference(ApiStruct, frozen=True):
    apiVersion: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None
    blockOwnerDeletion: bool | None = None


class ObjectMeta(ApiStruct, frozen=True):
    name: str = ""
    generateName: str = ""
    namespace: str = ""
    uid: str = ""
    resourceVersion: str = ""
    generation: int = 0
    creationTimestamp: str | None = None
    deletionTimestamp: str | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    ownerReferences: list[OwnerReference] | None = None
    finalizers: list[str] | None = None

    @property
    def controller(self) -> OwnerReference | None:
        """The owner that controls the object, if any."""
        return next((owner for owner in self.ownerReferences or () if owner.controller), None)

    @property
    def is_dump(self) -> bool:
        """Whether the object came from an API server: anything else is a manifest (reading.md)."""
        return bool(self.uid or self.resourceVersion)


class NodeSelectorRequirement(ApiStruct, frozen=True):
    key: str = ""
    operator: str = ""
    values: list[str] | None = None


class NodeSelectorTerm(ApiStruct, frozen=True):
    matchExpressions: list[NodeSelectorRequirement] | None = None
    matchFields: list[NodeSelectorRequirement] | None = None


class NodeSelector(ApiStruct, frozen=True):
    nodeSelectorTerms: list[NodeSelectorTerm] | None = None


class LabelSelectorRequirement(ApiStruct, frozen=True):
    key: str = ""
    operator: str = ""
    values: list[str] | None = None


class LabelSelector(ApiStruct, frozen=True):
    matchLabels: dict[str, str] | None = None
    matchExpressions: list[LabelSelectorRequirement] | None = None


class Condition(ApiStruct, frozen=True):
    type: str = ""
    status: str = ""
    observedGeneration: int | None = None
    lastTransitionTime: str | None = None
    reason: str = ""
    message: str = ""


class Toleration(ApiStruct, frozen=True):
    """A toleration of node taints (pods) or of device taints (requests)."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    tolerationSeconds: int | None = None


class Taint(ApiStruct, frozen=True):
    """A taint of a node or of a device."""

    key: str = ""
    value: str = ""
    effect: str = ""
    timeAdded: str | None = None
