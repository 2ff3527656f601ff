"""Which of the nodes that fit is taken (scheduling.md §8, §9)."""

from collections.abc import Iterator, Mapping, Sequence

from dractl.api.resource import AllocationResult, ResourceClaim
from dractl.scheduler.cycle import Cycle, Fit
from dractl.scheduler.scores import best_nodes, plugin_scores
from dractl.scheduler.scores.by_devices import prioritized


def best(cycle: Cycle, fitting: Mapping[str, Fit], alike: Mapping[str, Sequence[str]]) -> list[str]:
    """The nodes with the greatest score, by name; a single node is taken without scoring.

    Of nodes that are alike one is scored: no score depends on how many of them there are.
    """
    if len(fitting) == 1:
        return list(fitting)
    nodes = [cycle.state.nodes[name] for name in alike]
    raw = {name: prioritized(_allocations(cycle, fitting[name])) for name in alike}
    scores = plugin_scores(cycle.info, nodes, cycle.state, raw, cycle.extended.classes)
    winners = best_nodes(scores, nodes, cycle.state.cluster.scheduler.weights)
    return sorted(name for winner in winners for name in alike[winner])


def _allocations(cycle: Cycle, fit: Fit) -> Iterator[tuple[ResourceClaim, AllocationResult]]:
    """Every claim of the pod with what it has, or would get."""
    for each in cycle.claims:
        claim = cycle.state.claims[each.claim]
        allocation = fit.found.allocations.get(each.claim, claim.status.allocation)
        if allocation is not None:
            yield claim, allocation
