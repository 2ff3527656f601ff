"""The independent checker: every rule of dra.md stated once more, against the allocations as they would be stored.

It shares the problem's data with search and model, and none of their code. An answer that it refuses is not shown.

It knows the rules of v1.37.2 and the documented ones, goes by those of the features, and says which (dra.md §18).
Where only the search differs, because it ends at a constraint on all devices, there is nothing to see in an answer.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from dractl.api.resource import AllocationResult
from dractl.problem.problem import Problem
from dractl.solution.outcomes import Placement
from dractl.solution.verify import (
    all_mode,
    alternatives,
    capacity,
    claims,
    compatibility,
    configs,
    constraints,
    counters,
    counts,
    node_selector,
    nodes,
    occupancy,
    placements,
    references,
    result,
    selectors,
    taints,
)
from dractl.solution.verify.attempt import Attempt, read_back
from dractl.solution.verify.plan import PlanStart, PodUse, Replay, replay
from dractl.solution.verify.violations import Breach, Violation, judge

__all__ = ["PlanStart", "PodUse", "Violation", "check_allocations", "check_placements"]

RULES_OF_AN_ATTEMPT: Final[tuple[Callable[[Attempt], Iterable[Breach]], ...]] = (
    references.the_allocator_would_search,
    references.every_claim_has_one_allocation,
    references.every_result_names_a_request,
    references.every_device_is_offered_on_the_node,
    alternatives.every_request_is_answered,
    alternatives.every_request_keeps_to_one_alternative,
    counts.every_request_gets_its_count,
    counts.no_claim_exceeds_the_limit,
    all_mode.all_leaves_no_matching_device_out,
    all_mode.all_sees_no_unfinished_pool,
    selectors.every_selector_is_true,
    nodes.every_device_reaches_the_node,
    nodes.binding_conditions_have_their_gate,
    nodes.node_operations_are_optional_where_skipped,
    taints.every_taint_is_tolerated,
    occupancy.held_devices_stay_with_their_holders,
    occupancy.each_device_is_taken_once,
    occupancy.no_request_shares_with_itself,
    compatibility.users_of_a_counter_set_are_compatible,
    counters.counters_have_their_gate,
    counters.no_counter_is_overdrawn,
    capacity.every_device_can_give_the_capacity,
    capacity.every_share_says_what_it_consumes,
    capacity.stated_amounts_obey_their_policies,
    capacity.no_capacity_is_exceeded,
    constraints.constrained_devices_have_the_attribute,
    constraints.matching_devices_agree,
    constraints.distinct_devices_differ,
    result.results_come_in_the_order_of_taking,
    result.admin_access_is_stated_where_asked,
    result.tolerations_are_those_of_the_request,
    result.binding_conditions_are_those_of_the_device,
    result.skipped_operations_are_those_of_the_slice,
    result.shares_and_nothing_else_have_a_share_id,
    configs.configs_are_complete_and_in_order,
    node_selector.the_node_selector_is_that_of_the_devices,
    node_selector.device_selectors_can_be_merged,
    node_selector.the_node_selector_admits_the_node,
)

RULES_OF_A_PLAN: Final[tuple[Callable[[Replay], Iterable[Breach]], ...]] = (
    placements.every_placement_names_a_pod_and_a_node,
    placements.every_pod_is_placed_once,
    placements.every_pod_is_on_a_permitted_node,
    placements.no_node_gives_more_than_it_has,
    placements.no_host_port_is_taken_twice,
    placements.every_group_has_enough_pods,
    claims.held_allocations_stay,
    claims.each_claim_is_allocated_once,
    claims.pods_allocate_nothing_but_their_own_claims,
    claims.every_claim_of_a_placed_pod_is_allocated,
    claims.every_claim_is_usable_where_its_pods_run,
    claims.no_claim_has_too_many_users,
    claims.share_ids_are_fresh,
)


def check_allocations(problem: Problem, allocations: Sequence[AllocationResult]) -> tuple[Violation, ...]:
    """What is wrong if the problem's claims, in their order, get these allocations; nothing means that they are sound.

    All claims belong to one pod, one node and one attempt of the allocator. Everything is read from the allocations
    themselves. Whether the scheduler would find these first is not asked, and `allocationTimestamp` is not looked at.
    """
    return judge(RULES_OF_AN_ATTEMPT, read_back(problem, allocations), problem.features.faults)


def check_placements(start: PlanStart, ordered: Sequence[Placement]) -> tuple[Violation, ...]:
    """What is wrong if the plan places these pods, in this order; nothing means that it is sound.

    Serves the prediction, whose order is that of decision, and the optimum in queue order. Pods that are not placed are
    not asked about. Each placement's allocations are checked against the usage that those before it leave.
    """
    played = replay(start, ordered)
    found = list(judge(RULES_OF_A_PLAN, played, start.features.faults))
    for step in played.steps:
        problem = played.problem_of(step)
        if problem is not None:
            allocations = [step.placement.decided[claim.ref] for claim in problem.claims]
            found += check_allocations(problem, allocations)
    return tuple(found)
