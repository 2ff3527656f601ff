"""Everything that is said about an input beside its plan, in a fixed order."""

from collections.abc import Iterator

from dractl.api.objects import ObjectSet
from dractl.cluster.features import Features
from dractl.finding import Finding
from dractl.gates import Gates
from dractl.observe.containers import container_findings
from dractl.observe.eviction_findings import eviction_findings
from dractl.observe.gate_effects import gate_findings
from dractl.observe.health import health_findings
from dractl.observe.ignored import ignored_findings
from dractl.observe.node_calls import node_call_findings
from dractl.observe.roles import role_findings
from dractl.observe.sharing import sharing_findings


def observations(objects: ObjectSet, gates: Gates, features: Features) -> Iterator[Finding]:
    """The findings about objects to which what controllers make of them has been added."""
    yield from gate_findings(objects, gates, features)
    yield from container_findings(objects)
    yield from node_call_findings(objects)
    yield from health_findings(objects)
    yield from eviction_findings(objects, gates)
    yield from role_findings(objects, gates)
    yield from sharing_findings(objects, gates.enabled)
    yield from ignored_findings(objects)
