"""Running pods that the scheduler deletes to make room for pods of the plan (scheduling.md §12)."""

from collections.abc import Iterator, Mapping
from typing import Final

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.finding import Finding, Severity
from dractl.planner.plan import Victim

PREEMPTED: Final = "plan/preempted"


def preemption_findings(cluster: Cluster, preempted: Mapping[PodRef, Victim]) -> Iterator[Finding]:
    """What happens to pods that run already; those of the plan say so themselves."""
    for ref, victim in sorted(preempted.items(), key=lambda item: item[0]):
        pod, preemptor = cluster.pods[ref], cluster.pods[victim.preemptor]
        if not pod.spec.nodeName:
            continue
        doubt = f"; not certain, {victim.uncertain}" if victim.uncertain else ""
        yield Finding(
            PREEMPTED,
            Severity.WARNING,
            f"the scheduler deletes this pod (priority {pod.spec.priority or 0}) on {pod.spec.nodeName} to make room "
            f"for {victim.preemptor} (priority {preemptor.spec.priority or 0}){doubt}",
            cluster.place_of_pod(ref),
            f"Pod {ref}",
            f"with preemptionPolicy: Never {victim.preemptor} would have no pod deleted",
        )
