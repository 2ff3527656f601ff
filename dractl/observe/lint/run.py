"""All rules over one input."""

from collections.abc import Iterator
from typing import Final

from dractl.finding import Finding
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.registry import RULES

COVERED: Final = frozenset(name for rule in RULES for name in rule.covers)
"""Ids of findings that rules make under their own ids."""


def apply_rules(context: LintContext) -> Iterator[Finding]:
    """What the rules find, rule by rule, each thing once."""
    seen: set[Finding] = set()
    for rule in RULES:
        for finding in rule.findings(context):
            if finding not in seen:
                seen.add(finding)
                yield finding
