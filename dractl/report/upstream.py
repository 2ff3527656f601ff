"""Known faults of v1.37.2 in words, and what the documented rules would allow; apart from what is advised."""

from collections.abc import Sequence

from dractl.api.identities import DeviceId
from dractl.api.resource import AllocationResult
from dractl.cluster.upstream import UpstreamFault
from dractl.phrases import counted, listed
from dractl.planner.plan import Answer, DocumentedOptimum
from dractl.report.phrases import device_names
from dractl.report.rows import claim_uses
from dractl.solution.outcomes import PodOutcome


def documented_text(answer: Answer, outcome: PodOutcome) -> str:
    """What keeps the pod from its devices although the documented rules do not, or nothing.

    Faults of the scheduler that the pod meets are named as well.
    """
    met = " ".join(f"v1.37.2 {fault.does}." for fault in outcome.faults)
    return f"{met} {_allocator_text(answer, outcome)}".strip()


def _allocator_text(answer: Answer, outcome: PodOutcome) -> str:
    fit = outcome.documented
    if fit is None:
        return ""
    entries = {use.ref: use.entry for use in claim_uses(answer, outcome) if use.ref is not None}
    placement = fit.placement
    gains = [
        f"claim {entries.get(claim, claim.name)} would get {_devices(allocation, placement.node)}"
        for claim, allocation in placement.allocations.items()
    ]
    would = f"{listed(gains)} on {placement.node}" if gains else f"the pod would run on {placement.node}"
    rules = listed([fault.documented for fault in fit.faults], at_most=len(UpstreamFault))
    return f"v1.37.2 {_listed(fit.faults)}; by the documented rules {would}: {rules}."


def documented_line(optimum: DocumentedOptimum, total: int) -> str:
    """How many pods could be placed by the documented rules, and what would have to be fixed."""
    number = f"{optimum.placed} of {counted(total, 'pod')}"
    return f"by the documented rules {number}: needs {_fixes(optimum.faults)}"


def _listed(faults: Sequence[UpstreamFault]) -> str:
    return listed([f"{fault.does} ({fault.reference})" for fault in faults], at_most=len(UpstreamFault))


def _fixes(faults: Sequence[UpstreamFault]) -> str:
    """Faults by their issues; where nobody has reported one, by what v1.37.2 does."""
    return listed(
        [
            f"the fix of {fault.reference}"
            if fault.issue is not None
            else f"a fix of what has no known issue (v1.37.2 {fault.does})"
            for fault in faults
        ],
        at_most=len(UpstreamFault),
    )


def _devices(allocation: AllocationResult, node: str) -> str:
    taken = [DeviceId(each.driver, each.pool, each.device) for each in allocation.devices.results or ()]
    return listed(device_names(taken, node)) or "no device"
