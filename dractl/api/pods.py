"""In which part of its life a pod is, as controllers and scheduler see it (controllers.md §3, §6)."""

from typing import Final

from dractl.api.core import Pod

DEFAULT_SCHEDULER: Final = "default-scheduler"


def is_terminal(pod: Pod) -> bool:
    """Whether the pod has finished: it holds nothing any more."""
    return pod.status.phase in ("Succeeded", "Failed")


def is_terminating(pod: Pod) -> bool:
    """Whether the pod is being deleted but is still there."""
    return pod.metadata.deletionTimestamp is not None


def is_preempted(pod: Pod) -> bool:
    """Whether the pod is being deleted because the scheduler makes room for another one (scheduling.md §12)."""
    return is_terminating(pod) and any(
        (each.type, each.status, each.reason) == ("DisruptionTarget", "True", "PreemptionByScheduler")
        for each in pod.status.conditions or ()
    )


def is_active(pod: Pod) -> bool:
    """Whether the pod counts for the workload that owns it: neither finished nor being deleted."""
    return not is_terminal(pod) and not is_terminating(pod)


def is_done(pod: Pod) -> bool:
    """Whether the pod will never use its claims again: finished, or deleted before it got a node."""
    return is_terminal(pod) or (is_terminating(pod) and not pod.spec.nodeName)


def claims_by_entry(pod: Pod) -> dict[str, str | None]:
    """The names of the pod's claims by entry of `spec.resourceClaims`, None where the claim is not made yet.

    An entry that is recorded in the status without a name needs no claim and is left out (scheduling.md §3.1).
    """
    made = {status.name: status.resourceClaimName for status in pod.status.resourceClaimStatuses or ()}
    named: dict[str, str | None] = {}
    for entry in pod.spec.resourceClaims or ():
        if entry.resourceClaimName is not None:
            named[entry.name] = entry.resourceClaimName
        elif made.get(entry.name) is not None or entry.name not in made:
            named[entry.name] = made.get(entry.name)
    return named
