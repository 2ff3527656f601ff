"""What the API server says to the user although it takes the object (validation.md §3, driver)."""

import json
from collections.abc import Iterator
from typing import Any

from dractl.api.resource import ResourceSlice


def warnings_of(value: Any) -> Iterator[str]:
    """The server's own texts."""
    if isinstance(value, ResourceSlice) and value.spec.driver != value.spec.driver.lower():
        driver = json.dumps(value.spec.driver, ensure_ascii=False)
        yield f"spec.driver: driver names should be lowercase; {driver} contains uppercase characters"
