"""Devices may be used here and now: nodes, taints, holders."""

# FEATURE: D2 D11 D12
from msgspec.structs import replace

from dractl.api.base import NodeSelector, ObjectMeta, Toleration
from dractl.api.core import Node, NodeStatus
from dractl.api.resource import CELDeviceSelector, DeviceClass, DeviceClassSpec, DeviceSelector
from dractl.cluster.features import Features, Implementation
from tests.verify.builders import (
    DRIVER,
    TAINTED,
    allocation,
    broken,
    claim,
    device,
    holding,
    node,
    numa,
    only_on,
    problem,
    published,
    took,
    wants,
    where,
)

SINGLE = claim("single", wants("gpu"))
WATCHER = claim("watcher", wants("gpu", adminAccess=True))
TWO = [published(device("gpu-0"), device("gpu-1"))]


def test_a_device_of_a_per_device_slice_names_its_node() -> None:
    here = device("gpu-0", nodeName="node-a")
    elsewhere = device("gpu-1", nodeName="node-b")
    asked = problem([published(here, elsewhere, on=None, perDeviceNodeSelection=True)], SINGLE)
    assert broken(asked, allocation(took("gpu", "gpu-0"))) == set()
    assert broken(asked, allocation(took("gpu", "gpu-1"))) == {"every-device-reaches-the-node"}


def test_selectors_of_class_and_request_are_true() -> None:
    def selects(expression: str) -> list[DeviceSelector]:
        return [DeviceSelector(cel=CELDeviceSelector(expression=expression))]

    picky = DeviceClass(metadata=ObjectMeta(name="gpu"), spec=DeviceClassSpec(selectors=selects("device.driver != ''")))
    slices = [published(numa("gpu-0", 0), numa("gpu-1", 1), device("gpu-2"))]
    asks = claim("asks", wants("gpu", selectors=selects(f"device.attributes['{DRIVER}'].numa == 0")))
    asked = problem(slices, asks, classes=[picky])
    assert broken(asked, allocation(took("gpu", "gpu-0"))) == set()
    for name in ("gpu-1", "gpu-2"):  # false, and an error: there is no such attribute
        assert broken(asked, allocation(took("gpu", name))) == {"every-selector-is-true"}


def test_a_taint_needs_a_toleration() -> None:
    tainted = [published(device("gpu-0", taints=[{"key": "broken", "value": "yes", "effect": "NoSchedule"}]))]
    assert broken(problem(tainted, SINGLE), allocation(took("gpu", "gpu-0"))) == {"every-taint-is-tolerated"}
    toleration = Toleration(key=TAINTED.key, operator="Exists")
    tolerant = claim("tolerant", wants("gpu", tolerations=[toleration]))
    stated = [{"key": TAINTED.key, "operator": "Exists"}]
    assert broken(problem(tainted, tolerant), allocation(took("gpu", "gpu-0", tolerations=stated))) == set()
    off = replace(Features(), device_taints=False)
    assert broken(problem(tainted, SINGLE, features=off), allocation(took("gpu", "gpu-0"))) == set()


def test_held_devices_stay_with_their_holders() -> None:
    held = [holding("other", took("gpu", "gpu-0"))]
    asked = problem(TWO, SINGLE, held=held)
    assert broken(asked, allocation(took("gpu", "gpu-1"))) == set()
    assert broken(asked, allocation(took("gpu", "gpu-0"))) == {"held-devices-stay-with-their-holders"}
    watching = allocation(took("gpu", "gpu-0", adminAccess=True))
    assert broken(problem(TWO, WATCHER, held=held), watching) == set()


def test_admin_access_holds_nothing() -> None:
    held = [holding("other", took("gpu", "gpu-0", adminAccess=True))]
    assert broken(problem(TWO, SINGLE, held=held), allocation(took("gpu", "gpu-0"))) == set()


def test_a_normal_request_comes_before_admin_access() -> None:
    normal, watching = allocation(took("gpu", "gpu-0")), allocation(took("gpu", "gpu-0", adminAccess=True))
    assert broken(problem(TWO, SINGLE, WATCHER), normal, watching) == set()
    assert broken(problem(TWO, WATCHER, SINGLE), watching, normal) == {"each-device-is-taken-once"}


def test_within_a_claim_a_device_occurs_once() -> None:
    both = claim("both", wants("gpu"), wants("watch", adminAccess=True))
    twice = allocation(took("gpu", "gpu-0"), took("watch", "gpu-0", adminAccess=True))
    assert broken(problem(TWO, both), twice) == {"each-device-is-taken-once"}


def test_two_claims_cannot_have_the_same_device() -> None:
    other = claim("other", wants("gpu"))
    same = allocation(took("gpu", "gpu-0"))
    assert broken(problem(TWO, SINGLE, other), same, same) == {"each-device-is-taken-once"}


def test_binding_conditions_need_their_gate() -> None:
    slices = [published(device("gpu-0", bindingConditions=["ready"], bindingFailureConditions=["failed"]))]
    stated = took("gpu", "gpu-0", bindingConditions=["ready"], bindingFailureConditions=["failed"])
    assert broken(problem(slices, SINGLE), allocation(stated)) == set()
    assert broken(problem(slices, SINGLE), allocation(took("gpu", "gpu-0"))) == {
        "binding-conditions-are-those-of-the-device"
    }
    off = replace(Features(), binding_conditions=False)
    assert broken(problem(slices, SINGLE, features=off), allocation(took("gpu", "gpu-0"))) == {
        "binding-conditions-have-their-gate"
    }


def test_skipped_node_operations_need_a_node_that_declares_them() -> None:
    slices = [published(device("gpu-0"), skipNodeOperations=["Prepare"])]
    able = Node(metadata=ObjectMeta(name="node-a"), status=NodeStatus(declaredFeatures=["DRAOptionalNodeOperations"]))
    stated = allocation(took("gpu", "gpu-0", skipNodeOperations=["Prepare"]))
    assert broken(problem(slices, SINGLE, here=able), stated) == set()
    assert broken(problem(slices, SINGLE), stated) == {"node-operations-are-optional-where-skipped"}
    assert broken(problem(slices, SINGLE, here=able), allocation(took("gpu", "gpu-0"))) == {
        "skipped-operations-are-those-of-the-slice"
    }
    incubating = replace(Features(), optional_node_operations=False, implementation=Implementation.INCUBATING)
    assert broken(problem(slices, SINGLE, features=incubating), allocation(took("gpu", "gpu-0"))) == set()


def test_the_node_selector_is_that_of_the_devices() -> None:
    rack, zone = where(("rack", "r1")), where(("rack", "r1"), ("zone", "z1"))
    slices = [
        published(device("gpu-0"), on=None, pool="rack", nodeSelector=rack),
        published(device("gpu-0"), on=None, pool="zone", nodeSelector=zone),
    ]
    here = node("node-a", rack="r1", zone="z1")
    asked = problem(slices, claim("pair", wants("gpus", 2)), here=here)
    results = [took("gpus", "gpu-0", pool="rack"), took("gpus", "gpu-0", pool="zone")]
    assert broken(asked, allocation(*results, usable=zone)) == set()
    for wrong in (rack, None, only_on("node-a"), where(("zone", "z1"), ("rack", "r1"))):
        assert broken(asked, allocation(*results, usable=wrong)) == {"the-node-selector-is-that-of-the-devices"}


def test_one_bound_device_binds_the_claim_to_the_node() -> None:
    slices = [
        published(device("gpu-0"), on=None, pool="fabric", allNodes=True),
        published(device("gpu-1", bindsToNode=True), on=None, pool="local", allNodes=True),
    ]
    free = problem(slices, SINGLE)
    assert broken(free, allocation(took("gpu", "gpu-0", pool="fabric"), usable=None)) == set()
    assert broken(free, allocation(took("gpu", "gpu-1", pool="local"))) == set()
    assert broken(free, allocation(took("gpu", "gpu-1", pool="local"), usable=only_on("node-b"))) == {
        "the-node-selector-is-that-of-the-devices",
        "the-node-selector-admits-the-node",
    }


def test_selectors_with_several_terms_cannot_be_merged() -> None:
    terms = [*(where(("rack", "r1")).nodeSelectorTerms or ()), *(where(("rack", "r2")).nodeSelectorTerms or ())]
    several = NodeSelector(nodeSelectorTerms=terms)
    slices = [published(device("gpu-0", nodeSelector=several), on=None, perDeviceNodeSelection=True)]
    asked = problem(slices, SINGLE, here=node("node-a", rack="r1"))
    assert "device-selectors-can-be-merged" in broken(asked, allocation(took("gpu", "gpu-0"), usable=several))
