"""What the scheduler writes into a pod's condition (scheduling.md §14)."""

from dractl.scheduler.texts import available


def test_reasons_are_counted_and_sorted_as_text() -> None:
    reasons = [("Insufficient cpu", "Too many pods"), *[("cannot allocate all claims",)] * 10, ("Insufficient cpu",)]
    assert available(12, reasons) == (
        "0/12 nodes are available: 1 Too many pods, 10 cannot allocate all claims, 2 Insufficient cpu."
    )
