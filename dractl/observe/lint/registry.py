"""Every rule, in the order of the ids, and the pages of findings that do not come from rules."""

from typing import Final

from msgspec import Struct

from dractl.finding import Severity
from dractl.observe.lint.elsewhere import FAMILIES
from dractl.observe.lint.rule import Rule
from dractl.observe.lint.rules import (
    alternative_never_reached,
    attribute_type_differs,
    binding_misspelt,
    byte_fraction,
    capacity_out_of_reach,
    capacity_taken_whole,
    claim_not_found,
    claim_shared_by_too_many,
    claim_unused,
    class_matches_no_device,
    class_not_found,
    class_unused,
    config_for_no_driver,
    constraint_attribute_missing,
    constraint_names_two,
    constraint_values_disjoint,
    counter_not_defined,
    counter_set_twice,
    counters_beyond_set,
    counters_overdrawn,
    cpu_driver_with_static_policy,
    device_listed_twice,
    device_name_on_several_nodes,
    device_plugin_too,
    extended_resource_not_found,
    extended_resource_twice,
    gang_too_small,
    generated_claim_named,
    group_of_one,
    groups_mixed,
    kubelet_does_not_start,
    kubelet_reservation_missing,
    kubelet_reserves_everything,
    kubelet_setting_without_effect,
    more_than_any_node_has,
    namespace_misspelt,
    node_name_misspelt,
    node_name_with_claims,
    node_operations_unknown,
    option_breaks_promise,
    partition_without_parent,
    pod_fits_no_machine,
    pod_group_not_found,
    pod_selects_no_node,
    pod_toleration_misspelt,
    pool_incomplete,
    priority_class_not_found,
    quota_counts_nothing,
    request_matches_no_device,
    role_rule_misspelt,
    selector_never_true,
    selector_raises,
    service_account_misspelt,
    slice_counts_disagree,
    slice_reaches_no_node,
    slice_stale,
    standard_attribute_misspelt,
    taint_rule_selects_all,
    taint_rule_selects_nothing,
    template_unused,
    toleration_empty,
    toleration_seconds_ignored,
    toleration_stops_no_eviction,
    toleration_tolerates_nothing,
    too_many_devices,
    unused_suppression,
)

_MODULES: Final = (
    # what is asked for
    *(class_matches_no_device, request_matches_no_device, selector_raises, selector_never_true),
    *(constraint_attribute_missing, constraint_values_disjoint, class_not_found, extended_resource_twice),
    *(config_for_no_driver, capacity_out_of_reach, capacity_taken_whole, too_many_devices, more_than_any_node_has),
    *(alternative_never_reached, toleration_tolerates_nothing, toleration_stops_no_eviction, toleration_empty),
    *(class_unused, quota_counts_nothing, toleration_seconds_ignored, constraint_names_two, byte_fraction),
    # who uses it
    *(claim_not_found, template_unused, claim_unused, generated_claim_named, claim_shared_by_too_many),
    *(node_name_with_claims, priority_class_not_found, extended_resource_not_found, namespace_misspelt),
    *(pod_selects_no_node, pod_toleration_misspelt, pod_group_not_found, gang_too_small),
    # what there is
    *(pool_incomplete, slice_counts_disagree, slice_stale, device_listed_twice, device_name_on_several_nodes),
    *(counter_not_defined, counter_set_twice, counters_beyond_set, counters_overdrawn),
    *(groups_mixed, group_of_one, partition_without_parent, slice_reaches_no_node),
    *(standard_attribute_misspelt, attribute_type_differs, device_plugin_too, node_operations_unknown),
    node_name_misspelt,
    # taints
    *(taint_rule_selects_all, taint_rule_selects_nothing),
    # kubelets
    *(cpu_driver_with_static_policy, kubelet_does_not_start, option_breaks_promise, pod_fits_no_machine),
    *(kubelet_setting_without_effect, kubelet_reserves_everything, kubelet_reservation_missing),
    # roles
    *(role_rule_misspelt, binding_misspelt, service_account_misspelt),
    # lint itself
    unused_suppression,
)

RULES: Final[tuple[Rule, ...]] = tuple(module.RULE for module in _MODULES)
"""All rules by id."""


class Page(Struct, frozen=True):
    """What is known of a kind of finding; `severity` is None where it depends on the finding."""

    id: str
    name: str
    severity: Severity | None
    title: str
    text: str = ""


def rule_pages() -> tuple[Page, ...]:
    """The pages of all rules."""
    return tuple(Page(rule.id, rule.name, rule.severity, rule.title, rule.page) for rule in RULES)


def pages() -> tuple[Page, ...]:
    """The pages of all rules, then the families of findings that reading, checking and planning make."""
    return (*rule_pages(), *(Page(f"{name}/…", name, None, title) for name, title in FAMILIES.items()))


def find_page(name: str) -> Page | None:
    """The page of an id or of a rule's name, in capitals or not; of another finding what its family is about."""
    family, slash, _ = name.partition("/")
    if slash:
        return Page(name, name, None, FAMILIES[family]) if family in FAMILIES else None
    return next((page for page in pages() if name.lower() in (page.id.lower(), page.name)), None)
