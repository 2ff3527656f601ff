"""Why a part of a pool's status cannot be given, in the controller's words (poolstatus.md §3)."""


class ViewError(Exception):
    """`kind` is the prefix of the text, such as `PartitionTypeMissing`."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
