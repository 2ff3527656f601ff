"""What a kind of case has to offer to the runner, and where each kind lives."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, Protocol, cast

KINDS: Final = ("allocate", "cel", "schedule", "kubelet", "validate", "taints", "poolstatus")


class Kind(Protocol):
    """A module `tests.conformance.KIND`."""

    def answer(self, case_input: Mapping[str, Any]) -> dict[str, Any]:
        """The product's answer in the form of the corpus' `expect`."""
        ...

    def first_difference(
        self, expect: Mapping[str, Any], answer: Mapping[str, Any], without: frozenset[str]
    ) -> str | None:
        """The first compared field that differs, in words, or None; fields in `without` are not compared."""
        ...


def load(kind: str) -> Kind | None:
    """The kind's module, or None while the product does not answer it yet."""
    name = f"tests.conformance.{kind}"
    try:
        return cast("Kind", import_module(name))
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
