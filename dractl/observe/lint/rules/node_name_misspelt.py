"""A node's name that is nearly that of a node of the input.

A slice, a device, a pod or the template of a workload names a node that is not there, by `nodeName` or by a selector
for `kubernetes.io/hostname` or `metadata.name`.

Why: a name is compared letter by letter, and nobody looks whether there is such a node. The devices are on no node, and
the pod waits for ever.

Example:

    kind: ResourceSlice
    spec: {nodeName: worker1, …}       # the node is worker-1

Instead: the name as `kubectl get nodes` shows it. The rule is silent if the input describes no nodes, about names that
are like none of them, and about those of a series (`worker-3` beside `worker-1`), which may be in the cluster.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.node_names import HOSTNAME, misspelt_nodes
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Each mention at its place."""
    for mention, meant in misspelt_nodes(context):
        what = f"node with {HOSTNAME}={mention.name}" if mention.is_label else f"node {mention.name}"
        yield Remark(f"there is no {what} in the input", mention.place, mention.subject, f"did you mean {meant}?")


RULE = Rule("DRA318", "node-name-misspelt", Severity.WARNING, __doc__, check, needs_all=("Node",))
