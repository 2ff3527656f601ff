"""What is written for devices that were found (dra.md §17). FEATURE: D13"""

from collections.abc import Sequence

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dractl.api.resource import AllocationResult, DeviceClaimConfiguration, ResourceClaim, ResourceSlice
from dractl.problem.faults import AllocationFault
from dractl.search import first_fit
from dractl.solution.allocation import build_allocation
from dractl.solution.picks import Fitting
from tests.verify.builders import claim, device, opaque, problem, published, wants


def result(slices: Sequence[ResourceSlice], asked: ResourceClaim) -> AllocationResult | AllocationFault:
    """The allocation of the only claim, which must fit."""
    world = problem(slices, asked)
    found = first_fit(world)
    assert isinstance(found, Fitting)
    return build_allocation(world, found.claims[0])


def without_os(terms: int) -> NodeSelector:
    exists = NodeSelectorRequirement(key="kubernetes.io/os", operator="DoesNotExist", values=[])
    return NodeSelector(nodeSelectorTerms=[NodeSelectorTerm(matchExpressions=[exists])] * terms)


def test_empty_lists_are_left_out() -> None:
    config = DeviceClaimConfiguration(requests=[], opaque=opaque("all"))
    slices = [published(device("a"), on=None, nodeSelector=without_os(1))]
    found = result(slices, claim("c", wants("r"), config=[config]))
    assert isinstance(found, AllocationResult)
    assert [entry.requests for entry in found.devices.config or ()] == [None]
    assert found.nodeSelector is not None
    terms = found.nodeSelector.nodeSelectorTerms or []
    assert [requirement.values for term in terms for requirement in term.matchExpressions or ()] == [None]


def test_a_selector_with_several_terms_cannot_be_merged() -> None:
    found = result([published(device("a"), on=None, nodeSelector=without_os(2))], claim("c", wants("r")))
    assert isinstance(found, AllocationFault)
    assert found.text == "create NodeSelector for claim c: unsupported ResourceSlice.NodeSelector with 2 terms"
