"""What dractl reads of a KubeletConfiguration (kubelet.config.k8s.io/v1beta1), under Kubernetes' own names."""

from dractl.api.base import ApiStruct
from dractl.api.quantity import Quantity


class MemoryReservation(ApiStruct, frozen=True):
    """Memory and huge pages of one NUMA node that pods do not get."""

    numaNode: int = 0
    limits: dict[str, Quantity] | None = None


class KubeletConfiguration(ApiStruct, frozen=True):
    """The fields on which CPU, memory, device and topology managers depend.

    An empty text and None stand for a field that is absent, so that the kubelet's default holds; a value is kept as it
    is written, because the kubelet refuses some only when it starts (kubelet.md §3.1, §5, §6.1).
    """

    cpuManagerPolicy: str = ""
    cpuManagerPolicyOptions: dict[str, str] | None = None
    reservedSystemCPUs: str = ""
    kubeReserved: dict[str, str] | None = None
    systemReserved: dict[str, str] | None = None
    evictionHard: dict[str, str] | None = None
    mergeDefaultEvictionSettings: bool = False
    memoryManagerPolicy: str = ""
    reservedMemory: list[MemoryReservation] | None = None
    topologyManagerPolicy: str = ""
    topologyManagerScope: str = ""
    topologyManagerPolicyOptions: dict[str, str] | None = None
    featureGates: dict[str, bool] | None = None
