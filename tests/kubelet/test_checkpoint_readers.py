"""Which kubelets read which state files (kubelet.md §14.7)."""

# FEATURE: K8

import pytest

from dractl.kubelet.checkpoint_readers import Reading, reading_of


@pytest.mark.parametrize(
    ("written_by", "read_by", "reading"),
    [
        ("1.34", "1.35", Reading.WHOLE),
        ("1.35", "1.37", Reading.WHOLE),
        ("1.36", "1.35", Reading.REFUSED),
        ("1.36", "1.36", Reading.WHOLE),
        ("v1.36.2", "1.37", Reading.WHOLE),
        ("1.37", "1.35", Reading.WITHOUT_PODS),
        ("1.37", "1.36", Reading.WITHOUT_PODS),
        ("1.37", "1.37", Reading.WHOLE),
    ],
)
def test_with_the_gate_everywhere(written_by: str, read_by: str, reading: Reading) -> None:
    assert reading_of(written_by, read_by, writer_gate=True, reader_gate=True) is reading


@pytest.mark.parametrize(("written_by", "read_by"), [("1.36", "1.35"), ("1.37", "1.34"), ("1.36", "1.37")])
def test_without_the_gate_every_file_is_read(written_by: str, read_by: str) -> None:
    assert reading_of(written_by, read_by, writer_gate=False, reader_gate=True) is Reading.WHOLE


def test_a_gate_that_was_switched_off_leaves_the_sets_of_pods_unread() -> None:
    assert reading_of("1.37", "1.37", writer_gate=True, reader_gate=False) is Reading.WITHOUT_PODS
