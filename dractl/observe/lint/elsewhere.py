"""Findings that do not come from rules, but from reading, checking and planning: one line about each family."""

from collections.abc import Mapping
from typing import Final

FAMILIES: Final[Mapping[str, str]] = {
    "claims": "Claims that are not what they seem to be",
    "containers": "What containers ask of their pod's claims, and what none of them uses",
    "device-health": "What kubelets report about the health of devices",
    "device-status": "What drivers report about devices in the status of claims",
    "gates": "Fields and objects that do not count, because their feature gate is off",
    "kubelet": "What the kubelet of a node does with pods, or cannot do",
    "limits": "What LimitRanges give to new pods, and refuse",
    "metadata": "Device metadata files that do not say what they should",
    "node-calls": "Calls to drivers that the kubelet leaves out",
    "plan": "Pods that are not placed",
    "pods": "Pods that spec.nodeName puts on a node without what they need",
    "pools": "Requests for pool status that a cluster would not answer, or not so",
    "quotas": "What ResourceQuotas for devices and extended resources refuse",
    "reading": "What cannot be read, or reads otherwise than it looks",
    "roles": "Roles that do not allow what schedulers, drivers and people need",
    "runtime-class": "What RuntimeClasses refuse of new pods",
    "scheduler": "Mistakes in a scheduler's configuration, and what decides in a cluster but not in a plan",
    "taints": "Device taints that evict pods, or select something else than they seem to",
    "topology": "Dumps of nodes that leave something open, or disagree",
    "upstream": "Known faults of the Kubernetes release that decide something here",
    "validation": "What the API server refuses, or may refuse",
    "workloads": "What controllers make of workloads, and what they do not",
}
"""By the first part of the id, for example `reading` of `reading/local-tag`."""
