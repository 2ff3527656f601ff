"""The lines of the table: one per pod and request, whichever format shows them."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from dractl.api.identities import ClaimRef
from dractl.api.pods import claims_by_entry
from dractl.api.resource import DeviceRequestAllocationResult, ResourceClaim
from dractl.planner.plan import Answer
from dractl.solution.outcomes import PodOutcome, Verdict


class ClaimUse(Struct, frozen=True):
    """A claim as a pod uses it: the entry of its spec, the claim's name, and the claim if it exists.

    The claim that the scheduler makes for extended resources has no entry: it goes by its `resources`, in brackets.
    """

    entry: str
    ref: ClaimRef | None
    claim: ResourceClaim | None
    resources: tuple[str, ...] = ()


class Row(Struct, frozen=True):
    """One request of one claim of one pod; a pod without claims has a single row without `use`.

    `request` is the full name, with the alternative that was chosen. `results` are empty if there is no allocation.
    """

    outcome: PodOutcome
    use: ClaimUse | None
    request: str = ""
    results: tuple[DeviceRequestAllocationResult, ...] = ()

    @property
    def node(self) -> str:
        """The node, or nothing."""
        return self.outcome.placement.node if self.outcome.placement is not None else ""


def claim_uses(answer: Answer, outcome: PodOutcome) -> Iterator[ClaimUse]:
    """The claims of a pod in the order of its spec, the one for its extended resources last."""
    pod = answer.pods[outcome.pod]
    for entry, name in claims_by_entry(pod).items():
        ref = ClaimRef(outcome.pod.namespace, name) if name is not None else None
        yield ClaimUse(entry, ref, answer.claims.get(ref) if ref is not None else None)
    special = pod.status.extendedResourceClaimStatus
    if special is not None:
        ref = ClaimRef(outcome.pod.namespace, special.resourceClaimName)
        resources = tuple(dict.fromkeys(mapping.resourceName for mapping in special.requestMappings or ()))
        yield ClaimUse(f"({', '.join(resources)})", ref, answer.claims.get(ref), resources)


def rows_of(answer: Answer, outcomes: Iterable[PodOutcome]) -> Iterator[Row]:
    """The rows of these pods, in the order of the outcomes."""
    for outcome in outcomes:
        rows = [row for use in claim_uses(answer, outcome) for row in _claim_rows(outcome, use)]
        yield from rows or [Row(outcome, None)]


def _claim_rows(outcome: PodOutcome, use: ClaimUse) -> Iterator[Row]:
    if use.claim is None:
        yield Row(outcome, use)
        return
    allocation = use.claim.status.allocation
    results = (allocation.devices.results if allocation is not None else None) or ()
    for request in use.claim.spec.devices.requests or ():
        mine = tuple(result for result in results if result.request.partition("/")[0] == request.name)
        names = list(dict.fromkeys(result.request for result in mine)) or [request.name]
        for name in names:
            yield Row(outcome, use, name, tuple(result for result in mine if result.request == name))


def is_placed(outcome: PodOutcome) -> bool:
    """Whether nothing has to be explained about the pod."""
    return outcome.verdict is Verdict.PLACED
