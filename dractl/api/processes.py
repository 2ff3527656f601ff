"""What a container is given and asked while it runs: environment, mounts, probes."""

from typing import Any

from dractl.api.base import ApiStruct

# --- environment -----------------------------------------------------------------------------------------------------


class ObjectFieldSelector(ApiStruct, frozen=True):
    apiVersion: str = ""
    fieldPath: str = ""


class ResourceFieldSelector(ApiStruct, frozen=True):
    containerName: str = ""
    resource: str = ""


class KeySelector(ApiStruct, frozen=True):
    """Of a ConfigMap and of a Secret alike."""

    name: str = ""
    key: str = ""


class EnvVarSource(ApiStruct, frozen=True):
    """Exactly one of them."""

    fieldRef: ObjectFieldSelector | None = None
    resourceFieldRef: ResourceFieldSelector | None = None
    configMapKeyRef: KeySelector | None = None
    secretKeyRef: KeySelector | None = None
    fileKeyRef: Any = None
    """As it is written: files of environments are not looked at."""


class EnvVar(ApiStruct, frozen=True):
    name: str = ""
    value: str = ""
    valueFrom: EnvVarSource | None = None


# --- mounts ----------------------------------------------------------------------------------------------------------


class VolumeMount(ApiStruct, frozen=True):
    name: str = ""
    mountPath: str = ""


# --- probes ----------------------------------------------------------------------------------------------------------


class ExecAction(ApiStruct, frozen=True):
    command: list[str] | None = None


class HTTPGetAction(ApiStruct, frozen=True):
    port: int | str = 0
    scheme: str = ""


class TCPSocketAction(ApiStruct, frozen=True):
    port: int | str = 0


class GRPCAction(ApiStruct, frozen=True):
    port: int = 0


class Probe(ApiStruct, frozen=True):
    """Exactly one of the first four."""

    exec: ExecAction | None = None
    httpGet: HTTPGetAction | None = None
    tcpSocket: TCPSocketAction | None = None
    grpc: GRPCAction | None = None
    initialDelaySeconds: int = 0
    timeoutSeconds: int = 0
    periodSeconds: int = 0
    successThreshold: int = 0
    failureThreshold: int = 0
    terminationGracePeriodSeconds: int | None = None
