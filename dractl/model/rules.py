"""Every rule of the model, in the order in which they are written down; each makes one fact true for all pods."""

from collections.abc import Callable
from typing import Final

from dractl.model import (
    alignment,
    all_mode,
    capacity,
    compatibility,
    constraints,
    counters,
    counts,
    gatherings,
    numa,
    occupancy,
    placing,
    shared_claims,
)
from dractl.model.formula import Formula
from dractl.model.variables import Variables

Rule = Callable[[Formula, Variables], None]

ON_DEVICES: Final[tuple[Rule, ...]] = (
    counts.one_alternative_of_each_request_is_chosen,
    counts.a_chosen_demand_gets_exactly_its_count,
    counts.a_claim_gets_no_more_than_32_devices,
    all_mode.all_takes_every_device_or_is_not_chosen,
    all_mode.no_alternative_follows_one_that_ends_the_attempt,
    occupancy.an_exclusive_device_is_given_away_once,
    occupancy.a_claim_has_an_exclusive_device_once,
    occupancy.admin_access_blocks_later_claims_of_its_pod,
    compatibility.devices_of_a_counter_set_have_a_group_in_common,
    counters.a_consuming_device_needs_a_pool_without_overdrawn_counters,
    counters.devices_taken_together_leave_no_counter_overdrawn,
    capacity.no_share_is_more_than_what_is_left,
    capacity.shares_of_a_device_fit_into_it_together,
    constraints.matching_devices_have_a_value_in_common,
    constraints.distinct_devices_have_no_value_in_common,
)
"""What decides about devices, as far as the allocator's search looks at it."""

ON_PLACEMENTS: Final[tuple[Rule, ...]] = (
    placing.a_placed_pod_is_on_one_node,
    placing.nodes_have_what_their_pods_take,
    placing.a_pod_comes_after_the_one_it_waits_for,
    placing.pods_on_a_node_need_different_ports,
    placing.a_group_gets_enough_nodes_or_none,
    numa.a_node_has_the_cpus_and_memory_that_pods_have_for_themselves,
    numa.what_has_to_be_together_is_on_one_numa_node,
    gatherings.a_node_does_not_get_pods_that_its_kubelet_refuses,
    gatherings.nodes_get_what_some_order_of_admission_lets_in,
    gatherings.pods_lie_as_some_order_of_admission_has_it,
    alignment.a_pod_has_one_home_on_its_node,
    alignment.devices_of_a_pod_with_a_home_sit_there,
    alignment.numa_nodes_have_room_for_those_at_home,
    shared_claims.the_first_placed_pod_has_the_claim_allocated,
    shared_claims.it_is_allocated_on_that_pods_node,
    shared_claims.it_is_usable_where_its_pods_run,
    shared_claims.a_claim_has_no_more_consumers_than_can_be_recorded,
    shared_claims.several_selector_terms_come_after_a_local_device,
)
"""What decides about pods and nodes, and about the allocations that are made of the devices."""
