"""What allocated claims hold (dra.md §3). FEATURE: D14, D15"""

from msgspec.structs import replace

from dractl.api.identities import DeviceId
from dractl.api.quantity import Quantity
from dractl.cluster.features import Features
from dractl.cluster.usage import Usage
from tests.verify.builders import DRIVER, holding, ref, took

A = DeviceId(DRIVER, "pool", "a")
SHARE = took("r", "a", shareID="s1", consumedCapacity={"memory": "2Gi"})


def test_admin_access_holds_nothing() -> None:
    usage = Usage.of([holding("admin", took("r", "a", adminAccess=True))], Features())
    assert not usage.is_allocated(A)


def test_shares_add_up() -> None:
    usage = Usage.of([holding("one", SHARE), holding("two", SHARE)], Features())
    assert usage.consumed[A]["memory"] == Quantity.parse("4Gi")
    assert usage.holders(A) == (ref("one"), ref("two"))
    assert A not in usage.exclusive


def test_a_share_is_an_exclusive_device_while_the_gate_is_off() -> None:
    usage = Usage.of([holding("one", SHARE)], replace(Features(), consumable_capacity=False))
    assert A in usage.exclusive
    assert A not in usage.consumed


def test_usage_is_never_changed() -> None:
    before = Usage.of([], Features())
    allocation = holding("one", took("r", "a")).status.allocation
    assert allocation is not None
    after = before.with_allocation(ref("one"), allocation, Features())
    assert after.is_allocated(A)
    assert not before.is_allocated(A)
