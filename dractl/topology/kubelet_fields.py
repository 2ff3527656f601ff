"""The fields of a KubeletConfiguration (kubelet.config.k8s.io/v1beta1) that nothing here depends on, with their types.

A kubelet that finds a value of another type in one of them does not start.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from dractl.errors import FieldPath
from dractl.topology.dumps import Unreadable

_DURATION: Final = "a duration"
_WRITTEN: Final[Mapping[str, str]] = {
    "text": "put it in quotes",
    "an integer": "write digits without quotes",
    "true or false": "write true or false without quotes",
    _DURATION: "write it like 10s or 1m30s",
    "a list": "begin each item with `- `",
    "a map": "write `key: value` entries below it",
}
"""What to write where a value of a type is wanted."""

_GO_DURATION: Final = re.compile(r"[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)")

_NAMES: Final[Mapping[str, str]] = {
    "text": """
        address clusterDomain cgroupDriver cgroupRoot configMapAndSecretChangeDetectionStrategy containerLogMaxSize
        containerRuntimeEndpoint contentType hairpinMode healthzBindAddress imageServiceEndpoint kubeReservedCgroup
        kubeletCgroups podCIDR podLogsDir providerID resolvConf showHiddenMetricsForVersion staticPodPath staticPodURL
        systemCgroups systemReservedCgroup tlsCertFile tlsMinVersion tlsPrivateKeyFile volumePluginDir
    """,
    "an integer": """
        containerLogMaxFiles containerLogMaxWorkers eventBurst eventRecordQPS evictionMaxPodGracePeriod healthzPort
        imageGCHighThresholdPercent imageGCLowThresholdPercent iptablesDropBit iptablesMasqueradeBit kubeAPIBurst
        kubeAPIQPS maxOpenFiles maxParallelImagePulls maxPods nodeLeaseDurationSeconds nodeStatusMaxImages oomScoreAdj
        podPidsLimit podsPerCore port readOnlyPort registryBurst registryPullQPS
    """,
    "true or false": """
        cgroupsPerQOS cpuCFSQuota enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler
        enableDebuggingHandlers enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery
        failCgroupV1 failSwapOn kernelMemcgNotification localStorageCapacityIsolation makeIPTablesUtilChains
        protectKernelDefaults registerNode rotateCertificates seccompDefault serializeImagePulls serverTLSBootstrap
        singleProcessOOMKill
    """,
    _DURATION: """
        containerLogMonitorInterval cpuCFSQuotaPeriod cpuManagerReconcilePeriod evictionPressureTransitionPeriod
        fileCheckFrequency httpCheckFrequency imageMaximumGCAge imageMinimumGCAge nodeStatusReportFrequency
        nodeStatusUpdateFrequency runtimeRequestTimeout shutdownGracePeriod shutdownGracePeriodCriticalPods
        streamingConnectionIdleTimeout syncFrequency volumeStatsAggPeriod
    """,
    "a list": """
        allowedUnsafeSysctls clusterDNS enforceNodeAllocatable registerWithTaints shutdownGracePeriodByPodPriority
        tlsCipherSuites
    """,
    "a map": """
        authentication authorization crashLoopBackOff evictionMinimumReclaim evictionSoft evictionSoftGracePeriod
        logging memorySwap qosReserved staticPodURLHeader tracing userNamespaces
    """,
}
WANTED: Final[Mapping[str, str]] = {name: wanted for wanted, names in _NAMES.items() for name in names.split()}
"""What each field wants, in words."""

_TYPES: Final[Mapping[str, type]] = {
    "text": str,
    "an integer": int,
    "true or false": bool,
    _DURATION: str,
    "a list": list,
    "a map": dict,
}


def check_types(fields: Mapping[str, Any], path: FieldPath) -> None:
    """Raises Unreadable, with the path, for the first field whose value has another type than the kubelet wants."""
    for name, value in fields.items():
        wanted = WANTED.get(name)
        if wanted is not None and value is not None and not _fits(wanted, value):
            message = f"must be {wanted}, but is {value!r}" if wanted == _DURATION else f"must be {wanted}"
            raise Unreadable(message, to_write(wanted), path=(*path, name))


def to_write(wanted: str) -> str:
    """What to write where something is wanted, or nothing."""
    return _WRITTEN.get(wanted, "")


def _fits(wanted: str, value: Any) -> bool:
    if not isinstance(value, _TYPES[wanted]) or (wanted == "an integer" and isinstance(value, bool)):
        return False
    return wanted != _DURATION or _GO_DURATION.fullmatch(str(value)) is not None
