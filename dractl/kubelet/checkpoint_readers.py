"""Which kubelets read state files that another one wrote (kubelet.md §14.7)."""

from enum import StrEnum
from typing import Final

_WITH_POD_ENTRIES: Final = "1.36"
_WITH_DATA: Final = "1.37"


class Reading(StrEnum):
    """How much of a file is understood."""

    WHOLE = "whole"
    WITHOUT_PODS = "without sets and blocks of whole pods"
    REFUSED = "refused"


def reading_of(written_by: str, read_by: str, *, writer_gate: bool, reader_gate: bool) -> Reading:
    """What a kubelet of one release (`1.36`) makes of files of another; of 1.35 and before all are alike.

    The gates tell whether PodLevelResourceManagers is on where the file was written and where it is read. 1.36 with
    the gate covers sets of pods by its checksum even when there are none, and kubelets before cannot check that.
    """
    writer, reader = _minor(written_by), _minor(read_by)
    if writer == _minor(_WITH_POD_ENTRIES) and writer_gate and reader < writer:
        return Reading.REFUSED
    has_pods = writer >= _minor(_WITH_POD_ENTRIES) and writer_gate
    if has_pods and (reader < min(writer, _minor(_WITH_DATA)) or not reader_gate):
        return Reading.WITHOUT_PODS
    return Reading.WHOLE


def _minor(release: str) -> int:
    return int(release.removeprefix("v").split(".")[1])
