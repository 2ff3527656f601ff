"""Findings that do not come from rules, but from reading, checking and planning: one line about each."""

from collections.abc import Mapping
from typing import Final

ELSEWHERE: Final[Mapping[str, str]] = {
    "claims/too-many-consumers": "More pods want a claim than may reserve it",
    "containers/unknown-request": "A container asks for a request that its claim does not have",
    "containers/unused-claim": "No container of the pod uses one of its claims",
    "gates/dropped": "The API server drops a field, because its gate is off",
    "node-calls/changed": "Which calls the kubelet skips for a device has changed since it was allocated",
    "pods/devices-elsewhere": "spec.nodeName puts a pod where its devices cannot be reached",
    "pods/never-starts": "spec.nodeName puts a pod on a node, and nobody allocates its devices",
    "pods/starts-without-devices": "spec.nodeName puts a pod on a node that does not list its extended resource",
    "reading/local-tag": "A YAML tag that Kubernetes ignores",
    "reading/merge-overlap": "A YAML merge sets a key that is there already",
    "reading/not-served": "A default cluster does not serve this API version",
    "reading/repeated": "The same object is in the input twice",
    "reading/text-after-end": "Text behind the end of a YAML document, which Kubernetes ignores",
    "reading/unreadable": "The file or object cannot be read as Kubernetes reads it",
    "roles/pool-status": "Nobody may create ResourcePoolStatusRequests",
    "scheduler/ignored": "Something that decides about nodes and is not part of the prediction",
    "scheduler/sampling": "The scheduler looks at a sample of so many nodes, and the prediction at all",
    "topology/misspelt-field": "A field that the kubelet does not know",
    "validation/refused": "The API server refuses the object",
    "validation/undecided": "The API server may refuse the object; the input does not decide it",
    "workloads/assumed-nodes": "Nodes are named, but not described",
    "workloads/other-scheduler": "Another scheduler places the pod",
    "workloads/reserved-for-unread-pod": "A claim is reserved for a pod that is not in the input",
    "workloads/unknown-priority-class": "The pod's priority class is not in the input",
}
"""By id; each may be suppressed like a rule. Ids that are not here have no page and work all the same."""
