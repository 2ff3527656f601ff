"""What a rule is: a stable id, how much it matters, a page that explains it, and a function that finds it."""

from collections.abc import Callable, Collection, Iterable
from inspect import cleandoc
from textwrap import wrap
from typing import Final, TypeAlias

from msgspec import Struct

from dractl.api.identities import ObjectRef
from dractl.errors import Place
from dractl.finding import Finding, Severity
from dractl.observe.lint.context import LintContext
from dractl.phrases import listed

_WIDTH: Final = 120


class Remark(Struct, frozen=True):
    """One thing that a rule has found. `severity` is set where it is not that of the rule."""

    message: str
    place: Place
    subject: str
    remedy: str = ""
    severity: Severity | None = None


Check: TypeAlias = Callable[[LintContext], Iterable[Remark]]


class Rule(Struct, frozen=True):
    """A rule; ids and names never change and are never given anew.

    `text` is the docstring of the rule's module: the first line is the title, the rest the page. A rule that
    `needs_slices` compares with devices, and finds nothing in an input that has none. One that says what is nowhere
    `needs_all` objects of some kinds, and is silent where one of them could not be read or would be refused: it will be
    another one when that is mended. `covers` are ids under which a plan says the same.
    """

    id: str
    name: str
    severity: Severity
    text: str
    check: Check
    needs_slices: bool = False
    needs_all: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """One line, without a full stop."""
        return cleandoc(self.text).partition("\n")[0].rstrip(".")

    @property
    def page(self) -> str:
        """What it is, why it matters, an example, what to write instead, and when the rule is silent."""
        written = cleandoc(self.text).partition("\n")[2].strip()
        return "\n\n".join(filter(None, [written, self._silence]))

    @property
    def _silence(self) -> str:
        """When the rule finds less because the input lacks what it would need."""
        sentences = ["Without a ResourceSlice in the input it finds little or nothing."] if self.needs_slices else []
        if self.needs_all:
            kinds = listed(self.needs_all, at_most=len(self.needs_all))
            sentences.append(
                "Silent if a whole document, or an object of one of these kinds, cannot be read or would be refused: "
                f"{kinds}."
            )
        return "\n".join(wrap(" ".join(sentences), _WIDTH, break_on_hyphens=False))

    def is_blind(self, unread: Collection[ObjectRef]) -> bool:
        """Whether an object is unread (see `LintContext`) that is or may be one of those that the rule needs."""
        return bool(self.needs_all) and any(not ref.kind or ref.kind in self.needs_all for ref in unread)

    def findings(self, context: LintContext) -> Iterable[Finding]:
        """What the rule finds, under its id."""
        if self.is_blind(context.unread):
            return
        for remark in self.check(context):
            yield Finding(
                self.id, remark.severity or self.severity, remark.message, remark.place, remark.subject, remark.remedy
            )
