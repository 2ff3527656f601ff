"""A suppression that suppresses nothing.

The annotation `dractl.dev/ignore` of an object, or an entry of `ignore` in `.dractl.yaml`, names a rule that finds
nothing there, or one that cannot be suppressed: what makes the input bad (`reading/unreadable`,
`validation/refused`) is always shown.

Why: what it excused is gone, or its name is misspelt. Left behind it hides the next mistake.

Example:

    metadata:
      annotations:
        dractl.dev/ignore: DRA101

Instead: take the name out. Not told are entries of `.dractl.yaml` without `paths`, or for files that were not read,
and rules that compare with devices where the input has no ResourceSlice.
"""

from dractl.finding import Severity
from dractl.observe.lint.rule import Rule

RULE = Rule("DRA901", "unused-suppression", Severity.INFO, __doc__, lambda _: ())
"""Found while suppressions are applied (`dractl.observe.lint.suppression`), so that there is nothing to check."""
