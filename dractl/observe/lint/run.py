"""All rules over one input."""

from collections.abc import Iterator

from dractl.finding import Finding
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.registry import RULES


def apply_rules(context: LintContext) -> Iterator[Finding]:
    """What the rules find, rule by rule, each thing once."""
    seen: set[Finding] = set()
    for rule in RULES:
        for finding in rule.findings(context):
            if finding not in seen:
                seen.add(finding)
                yield finding
