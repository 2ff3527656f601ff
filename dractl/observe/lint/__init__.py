"""What validation cannot see: findings about a whole input, each rule one module whose docstring is its manual page."""

from dractl.observe.lint.context import LintContext
from dractl.observe.lint.registry import RULES, Page, find_page, pages, rule_pages
from dractl.observe.lint.run import COVERED, TOLD_BY_PLANS, apply_rules
from dractl.observe.lint.suppression import IGNORE_ANNOTATION, Suppression, suppress

__all__ = [
    "COVERED",
    "IGNORE_ANNOTATION",
    "RULES",
    "TOLD_BY_PLANS",
    "LintContext",
    "Page",
    "Suppression",
    "apply_rules",
    "find_page",
    "pages",
    "rule_pages",
    "suppress",
]
