"""Texts that the scheduler writes into a pod's condition (scheduling.md §14)."""

from collections import Counter
from collections.abc import Iterable

NO_NODES = "no nodes available to schedule pods"


def available(nodes: int, reasons: Iterable[tuple[str, ...]]) -> str:
    """`0/N nodes are available: COUNT REASON, ….`; a node with several shortages counts once for each."""
    counts = Counter(text for texts in reasons for text in texts)
    listed = ", ".join(sorted(f"{count} {text}" for text, count in counts.items()))
    return f"0/{nodes} nodes are available: {listed}."


def refused_for_all(nodes: int, text: str) -> str:
    """A problem that was found before any node was looked at."""
    return f"0/{nodes} nodes are available: {text}."


def filter_error(text: str) -> str:
    """An error that ended the attempt, with the plugin that it came from."""
    return f'running "DynamicResources" filter plugin: {text}'
