"""A setting of a kubelet that does nothing.

A KubeletConfiguration has a field or an option at which the kubelet does not look under the policy that is set.

Why: nothing fails, and nothing is aligned. Under the topology manager policy `none` not even the names of scopes and
options are checked, so that a slip shows up only when the policy is switched on, and then the kubelet does not start.

Example:

    topologyManagerScope: pod                      # and no topologyManagerPolicy

Other causes: `topologyManagerPolicyOptions` without a policy, `prefer-closest-numa-nodes` under `single-numa-node`,
`reservedMemory` without the memory manager policy `Static`.

Instead: set the policy that was meant, or leave the setting out.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.kubelet.memory_policy import NONE, STATIC
from dractl.kubelet.merging import Scope, TopologyPolicyName
from dractl.kubelet.obstacles import known_values
from dractl.kubelet.options import TopologyOption
from dractl.machine.configuration import KubeletConfiguration
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import Configuration, LintContext
from dractl.observe.lint.rule import Remark, Rule

_SUBJECT = "KubeletConfiguration"


def check(context: LintContext) -> Iterator[Remark]:
    """Every configuration once."""
    for each in context.configurations:
        written = each.configuration
        policy = written.topologyManagerPolicy or TopologyPolicyName.NONE
        if policy == TopologyPolicyName.NONE:
            yield from _without_topology_policy(each)
        elif policy == TopologyPolicyName.SINGLE_NUMA_NODE:
            yield from _among_single_nodes(each)
        if written.reservedMemory and written.memoryManagerPolicy in ("", NONE):
            yield Remark(
                f"reservedMemory does nothing: {_said('memoryManagerPolicy', written)}, so that no memory of a NUMA "
                "node is kept back",
                each.place.at("reservedMemory"),
                _SUBJECT,
                f"set memoryManagerPolicy: {STATIC}, or leave it out",
            )


def _without_topology_policy(each: Configuration) -> Iterator[Remark]:
    written = each.configuration
    why = f"does nothing: {_said('topologyManagerPolicy', written)}, so that the kubelet does not look at it"
    scope, scopes = written.topologyManagerScope, known_values("topologyManagerScope")
    if scope not in ("", Scope.CONTAINER):
        unknown = "" if scope in scopes else f"; with a policy the kubelet would not start: {scope} is no scope"
        remedy = did_you_mean(scope, scopes) if unknown else ""
        yield Remark(
            f"topologyManagerScope {why}{unknown}",
            each.place.at("topologyManagerScope"),
            _SUBJECT,
            remedy or _set_policy(),
        )
    options = known_values("topologyManagerPolicyOptions")
    for name in written.topologyManagerPolicyOptions or ():
        unknown = "" if name in options else f"; with a policy the kubelet would not start: {name} is no option"
        remedy = did_you_mean(name, options) if unknown else ""
        place = each.place.at("topologyManagerPolicyOptions", name)
        yield Remark(f"{name} {why}{unknown}", place, _SUBJECT, remedy or _set_policy())


def _among_single_nodes(each: Configuration) -> Iterator[Remark]:
    name = TopologyOption.PREFER_CLOSEST
    if name in (each.configuration.topologyManagerPolicyOptions or {}):
        yield Remark(
            f"{name} does nothing: under {TopologyPolicyName.SINGLE_NUMA_NODE} no set of several NUMA nodes is chosen",
            each.place.at("topologyManagerPolicyOptions", name),
            _SUBJECT,
            f"leave it out, or set topologyManagerPolicy: {TopologyPolicyName.RESTRICTED}",
        )


def _said(field: str, written: KubeletConfiguration) -> str:
    value = getattr(written, field)
    return f"{field} is {value}" if value else f"there is no {field}"


def _set_policy() -> str:
    return "set topologyManagerPolicy, or leave it out"


RULE = Rule("DRA505", "kubelet-setting-without-effect", Severity.WARNING, __doc__, check)
