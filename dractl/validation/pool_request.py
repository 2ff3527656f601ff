"""ResourcePoolStatusRequest (validation.md §13)."""

from collections.abc import Iterator
from typing import Final

from dractl.api.resource import ResourcePoolStatusRequest
from dractl.validation.formats import fully_qualified_name, missing, pool_or_empty, subdomain_in_any_case
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below

_LARGEST_LIMIT: Final = 1000


def check_pool_request(request: ResourcePoolStatusRequest, _: Rulebook) -> Iterator[Violation]:
    """What is wrong with the spec of a request."""
    spec = request.spec
    if spec.driver:
        yield from below(subdomain_in_any_case(spec.driver), "spec", "driver")
    else:
        yield missing("the driver", "write `driver: gpu.example.com`").below("spec", "driver")
    if spec.poolName is not None:
        yield from below(pool_or_empty(spec.poolName), "spec", "poolName")
    if spec.limit is not None and not 1 <= spec.limit <= _LARGEST_LIMIT:
        message = f"{spec.limit} is out of range: from 1 to {_LARGEST_LIMIT}"
        yield Violation(("spec", "limit"), ViolationType.INVALID, message, "leave it out for 100")
    attribute = spec.defaultPartitionTypeAttribute
    if attribute is not None:
        yield from below(fully_qualified_name(attribute), "spec", "defaultPartitionTypeAttribute")
