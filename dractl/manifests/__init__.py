"""Manifests and dumps: bytes to documents to typed objects, and from a place back to line and column.

Nothing is opened here: names and bytes are handed in. Faults are raised all together as `BadInput`.
"""

from dractl.manifests.locate import Locator, excerpt
from dractl.manifests.reader import Reading, Skipped, read, survey
from dractl.manifests.source import STDIN_NAME, Source

__all__ = ["STDIN_NAME", "Locator", "Reading", "Skipped", "Source", "excerpt", "read", "survey"]
