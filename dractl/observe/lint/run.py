"""All rules over one input."""

from collections.abc import Collection, Iterator
from typing import Final

from dractl.finding import Finding
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.registry import RULES

COVERED: Final = frozenset(name for rule in RULES for name in rule.covers)
"""Ids of findings that rules make under their own ids."""


TOLD_BY_PLANS: Final = frozenset({"DRA209", "DRA501"})
"""Rules about what a plan takes as it is written and a cluster does not, which nothing else in a plan tells."""


def apply_rules(context: LintContext, names: Collection[str] | None = None) -> Iterator[Finding]:
    """What the rules find, rule by rule, each thing once; `names` are the ids of those to ask, None means all."""
    seen: set[Finding] = set()
    for rule in RULES if names is None else [rule for rule in RULES if rule.id in names]:
        for finding in rule.findings(context):
            if finding not in seen:
                seen.add(finding)
                yield finding
