"""The kubelet's resource managers on one machine, as pure functions (kubelet.md).

`start` gives a node's state, `admit` its answer to a pod together with the state afterwards; `removed`,
`container_started` and `restart` are the other steps of a node's life.
"""

from dractl.kubelet.admission import Admission, Grant, Isolation, admit, container_started, removed, settled, sight
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.kubelet import Kubelet, KubeletState, uid_of
from dractl.kubelet.refusal import Reason, Refusal
from dractl.kubelet.starting import MissingFacts, Restart, StartFailure, readmitted, restart, running, start
from dractl.kubelet.stopped import Stop, Stopped

__all__ = [
    "Admission",
    "Grant",
    "Isolation",
    "Kubelet",
    "KubeletFault",
    "KubeletState",
    "MissingFacts",
    "Reason",
    "Refusal",
    "Restart",
    "StartFailure",
    "Stop",
    "Stopped",
    "admit",
    "container_started",
    "readmitted",
    "removed",
    "restart",
    "running",
    "settled",
    "sight",
    "start",
    "uid_of",
]
