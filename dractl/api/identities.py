"""Who is who: one type for every identity that dractl passes around."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class PoolId:
    """A pool of devices: names of pools are unique within one driver only (dra.md, vocabulary)."""

    driver: str
    pool: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}"


@dataclass(frozen=True, slots=True, order=True)
class DeviceId:
    """A device: its name is unique within its pool."""

    driver: str
    pool: str
    device: str

    @property
    def pool_id(self) -> PoolId:
        """The pool that the device belongs to."""
        return PoolId(self.driver, self.pool)

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


@dataclass(frozen=True, slots=True, order=True)
class ClaimRef:
    """A ResourceClaim by namespace and name."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


@dataclass(frozen=True, slots=True, order=True)
class RequestRef:
    """A request of a claim, or one alternative of its `firstAvailable` list."""

    claim: ClaimRef
    request: str
    alternative: str | None = None

    @property
    def name(self) -> str:
        """The full name within the claim, as `allocation.devices.results[].request` has it."""
        return self.request if self.alternative is None else f"{self.request}/{self.alternative}"

    def __str__(self) -> str:
        return f"{self.claim}:{self.name}"


@dataclass(frozen=True, slots=True, order=True)
class PodRef:
    """A Pod by namespace and name."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True, order=True)
class ObjectRef:
    """Any object by kind, namespace (empty for cluster kinds) and name."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        path = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {path}".rstrip()
