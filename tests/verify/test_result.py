"""The results and configs of an allocation say what the API server would store."""

# FEATURE: D3 D10 D13
import pytest

from dractl.api.base import ObjectMeta, Toleration
from dractl.api.resource import (
    AllocationResult,
    DeviceAllocationConfiguration,
    DeviceClaimConfiguration,
    DeviceClass,
    DeviceClassConfiguration,
    DeviceClassSpec,
    DeviceRequestAllocationResult,
)
from tests.verify.builders import (
    allocation,
    broken,
    claim,
    device,
    opaque,
    problem,
    published,
    took,
    wants,
    wants_first_of,
)

FOUR = [published(*(device(f"gpu-{n}") for n in range(4)))]
CONFIGS = "configs-are-complete-and-in-order"


@pytest.mark.parametrize(
    ("result", "rule"),
    [
        (took("gpu", "gpu-0", adminAccess=True), "admin-access-is-stated-where-asked"),
        (took("gpu", "gpu-0", tolerations=[{"operator": "Exists"}]), "tolerations-are-those-of-the-request"),
        (took("gpu", "gpu-0", shareID="share-1"), "shares-and-nothing-else-have-a-share-id"),
        (took("gpu", "gpu-0", bindingConditions=["ready"]), "binding-conditions-are-those-of-the-device"),
        (took("gpu", "gpu-0", skipNodeOperations=["Prepare"]), "skipped-operations-are-those-of-the-slice"),
    ],
)
def test_a_result_says_nothing_that_is_not_so(result: DeviceRequestAllocationResult, rule: str) -> None:
    asked = problem(FOUR, claim("single", wants("gpu")))
    assert broken(asked, allocation(took("gpu", "gpu-0"))) == set()
    assert broken(asked, allocation(result)) == {rule}


def test_a_result_leaves_nothing_out() -> None:
    tolerant = wants("gpu", tolerations=[Toleration(operator="Exists")])
    assert broken(problem(FOUR, claim("tolerant", tolerant)), allocation(took("gpu", "gpu-0"))) == {
        "tolerations-are-those-of-the-request"
    }
    watching = claim("watching", wants("gpu", adminAccess=True))
    assert broken(problem(FOUR, watching), allocation(took("gpu", "gpu-0"))) == {"admin-access-is-stated-where-asked"}


def test_requests_come_in_order() -> None:
    asked = problem(FOUR, claim("two", wants("one"), wants("two")))
    assert broken(asked, allocation(took("one", "gpu-3"), took("two", "gpu-0"))) == set()
    assert broken(asked, allocation(took("two", "gpu-0"), took("one", "gpu-3"))) == {
        "results-come-in-the-order-of-taking"
    }


def configured(name: str, *texts: str) -> DeviceClass:
    configs = [DeviceClassConfiguration(opaque=opaque(text)) for text in texts]
    return DeviceClass(metadata=ObjectMeta(name=name), spec=DeviceClassSpec(config=configs))


def from_class(text: str, *requests: str) -> DeviceAllocationConfiguration:
    return DeviceAllocationConfiguration(source="FromClass", requests=list(requests) or None, opaque=opaque(text))


def from_claim(text: str, *requests: str) -> DeviceAllocationConfiguration:
    return DeviceAllocationConfiguration(source="FromClaim", requests=list(requests) or None, opaque=opaque(text))


CLASSES = (configured("gpu", "gpu-1", "gpu-2"), configured("nic", "nic-1"))
MIXED = claim(
    "mixed",
    wants("one"),
    wants("net", deviceClassName="nic"),
    wants("two"),
    config=[
        DeviceClaimConfiguration(opaque=opaque("everyone")),
        DeviceClaimConfiguration(requests=["net"], opaque=opaque("net")),
        DeviceClaimConfiguration(requests=["two", "net", "one"], opaque=opaque("all three")),
    ],
)


def mixed(*config: DeviceAllocationConfiguration) -> AllocationResult:
    return allocation(took("one", "gpu-0"), took("net", "gpu-1"), took("two", "gpu-2"), config=config)


SOUND = (
    from_class("gpu-1", "one", "two"),
    from_class("gpu-2", "one", "two"),
    from_class("nic-1", "net"),
    from_claim("everyone"),
    from_claim("net", "net"),
    from_claim("all three"),
)


def test_configs_of_classes_and_claim() -> None:
    assert broken(problem(FOUR, MIXED, classes=CLASSES), mixed(*SOUND)) == set()


@pytest.mark.parametrize(
    "config",
    [
        (),
        SOUND[:-1],
        (*SOUND, from_claim("more")),
        (SOUND[1], SOUND[0], *SOUND[2:]),
        (*SOUND[3:], *SOUND[:3]),
        (from_class("gpu-1", "one"), *SOUND[1:]),
        (from_class("gpu-1", "two", "one"), *SOUND[1:]),
        (from_class("other", "one", "two"), *SOUND[1:]),
        (*SOUND[:5], from_claim("all three", "two", "net", "one")),
    ],
)
def test_tampered_configs_are_named(config: tuple[DeviceAllocationConfiguration, ...]) -> None:
    assert broken(problem(FOUR, MIXED, classes=CLASSES), mixed(*config)) == {CONFIGS}


def test_configs_follow_the_selected_alternative() -> None:
    configs = [
        DeviceClaimConfiguration(requests=[name], opaque=opaque(name)) for name in ("gpu", "gpu/big", "gpu/small")
    ]
    asked = problem(FOUR, claim("either", wants_first_of("gpu", big=2, small=1), config=configs), classes=CLASSES)
    classes = (from_class("gpu-1"), from_class("gpu-2"))
    result = took("gpu/small", "gpu-0")
    assert broken(asked, allocation(result, config=[*classes, from_claim("gpu"), from_claim("gpu/small")])) == set()
    assert broken(asked, allocation(result, config=[*classes, from_claim("gpu"), from_claim("gpu/big")])) == {CONFIGS}
