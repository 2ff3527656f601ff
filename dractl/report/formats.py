"""The formats of `-o`, loaded only when they are asked for."""

from importlib import import_module
from typing import Final, Protocol, cast

from msgspec import Struct

from dractl.planner.plan import Plan
from dractl.report.view import View


class Renderer(Protocol):
    """What every format's module offers."""

    def render(self, plan: Plan, view: View) -> str:
        """The plan as text that ends with a line break, or nothing."""
        ...


class Format(Struct, frozen=True):
    """A format by the name of its module; one that is for people carries the findings itself."""

    name: str
    carries_findings: bool

    def render(self, plan: Plan, view: View) -> str:
        """The plan in this format."""
        module = cast("Renderer", import_module(f"dractl.report.{self.name}"))
        return module.render(plan, view)


FORMATS: Final = {
    each.name: each
    for each in (
        Format("table", carries_findings=True),
        Format("wide", carries_findings=True),
        Format("tree", carries_findings=True),
        Format("name", carries_findings=False),
        Format("yaml", carries_findings=False),
        Format("json", carries_findings=True),
        Format("metadata", carries_findings=False),
        Format("markdown", carries_findings=True),
        Format("junit", carries_findings=True),
        Format("sarif", carries_findings=True),
        Format("github", carries_findings=True),
    )
}
"""The default comes first."""
