"""A plan and the device metadata files that were given with its input."""

from collections.abc import Sequence

from msgspec.structs import replace

from dractl.api.device_metadata import MetadataFile
from dractl.observe.metadata import slice_attributes
from dractl.observe.metadata_checks import metadata_findings
from dractl.planner.plan import Plan


def with_metadata(plan: Plan, files: Sequence[MetadataFile]) -> Plan:
    """The plan with the files, and with what is odd about them beside the allocations that it shows."""
    if not files:
        return plan
    attributes = slice_attributes(plan.cluster.slices)
    found = (finding for file in files for finding in metadata_findings(file, plan.prediction.claims, attributes))
    return replace(plan, metadata=tuple(files), findings=(*plan.findings, *found))
