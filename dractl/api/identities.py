"""Who is who: one type for every identity that dractl passes around."""

from typing import Final

from msgspec import Struct


class PoolId(Struct, frozen=True, order=True):
    """A pool of devices: names of pools are unique within one driver only (dra.md, vocabulary)."""

    driver: str
    pool: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}"


class DeviceId(Struct, frozen=True, order=True):
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


class ClaimRef(Struct, frozen=True, order=True):
    """A ResourceClaim by namespace and name."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class RequestRef(Struct, frozen=True, order=True):
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


class PodRef(Struct, frozen=True, order=True):
    """A Pod by namespace and name."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


class ObjectRef(Struct, frozen=True, order=True):
    """Any object by kind, namespace (empty for cluster kinds) and name."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        path = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {path}".rstrip()


NAMELESS: Final = ObjectRef("", "", "")
"""An object of which nothing is known."""
