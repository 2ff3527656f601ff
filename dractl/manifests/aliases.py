"""How much a YAML document may repeat itself by aliases before Kubernetes' reader refuses it (reading.md, "Maps")."""

from typing import Any, Final

_FREE_ALIASED: Final = 100
_FREE_NODES: Final = 1_000
_SMALL: Final = 400_000
_LARGE: Final = 4_000_000
_SMALL_SHARE: Final = 0.99
_LARGE_SHARE: Final = 0.10


class AliasBudget:
    """Counts nodes, written ones and those that aliases repeat, without ever building the repetitions.

    `nodes` are the written ones, aliases included; `is_exceeded` is set once the rule is broken.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self.is_exceeded = False
        self._repeated = 0
        self._sizes: dict[int, int] = {}

    def expand(self, value: Any) -> None:
        """An alias stands for this value."""
        self._repeated += self._size(value)
        total = self.nodes + self._repeated
        if self._repeated > _FREE_ALIASED and total > _FREE_NODES:
            self.is_exceeded = self._repeated / total > _allowed_share(total)

    def _size(self, value: Any) -> int:
        """The nodes of a value with all its repetitions; finished containers only, so there are no cycles."""
        stack = [value]
        while stack:
            top = stack[-1]
            children = _children(top)
            open_children = [child for child in children if _is_container(child) and id(child) not in self._sizes]
            if open_children:
                stack += open_children
                continue
            stack.pop()
            if _is_container(top):
                below = sum(self._sizes[id(child)] if _is_container(child) else 1 for child in children)
                self._sizes[id(top)] = 1 + below + (len(top) if isinstance(top, dict) else 0)
        return self._sizes[id(value)] if _is_container(value) else 1


def _is_container(value: Any) -> bool:
    return isinstance(value, dict | list)


def _children(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _allowed_share(total: int) -> float:
    if total <= _SMALL:
        return _SMALL_SHARE
    if total >= _LARGE:
        return _LARGE_SHARE
    return _SMALL_SHARE - (_SMALL_SHARE - _LARGE_SHARE) * (total - _SMALL) / (_LARGE - _SMALL)
