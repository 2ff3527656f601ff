"""A pod that every kubelet refuses, even on an empty node.

The topology manager, the CPU manager or the memory manager of every node that dumps describe refuses the pod although
nothing else runs there: a container wants more CPUs than a NUMA node has and the policy is `single-numa-node`, or an
odd number of CPUs with `full-pcpus-only`.

Why: the scheduler knows nothing of NUMA nodes. It binds the pod, the kubelet refuses it, its controller makes another
one, and so on.

Example: a Guaranteed pod with `cpu: 48` on machines with 2 × 32 CPUs and `topologyManagerPolicy: single-numa-node`.

LimitRanges and RuntimeClasses of the input count as they do for new pods.

Instead: smaller containers, `topologyManagerScope`, or another policy on some nodes. The rule is silent unless every
node of the input has a machine and a kubelet configuration.
"""

from collections.abc import Iterator

from dractl.api.core import Pod
from dractl.cluster.node_machine import NodeMachine
from dractl.finding import Severity
from dractl.kubelet import KubeletState, Reason, Refusal, Stopped, admit, start
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted


def check(context: LintContext) -> Iterator[Remark]:
    """Pods and templates of pods that no kubelet would let in."""
    states = _empty_nodes(context)
    if not states:
        return
    for each in context.pod_writings:
        if each.spec.nodeName:
            continue
        pod = context.created(each)
        answers = [_refusal(state, pod) for state in states]
        refusals = [answer for answer in answers if answer is not None and answer.reason is not Reason.UNEXPECTED]
        if len(refusals) == len(states):
            yield Remark(
                "no kubelet would let the pod in, even if nothing else ran there "
                f"({counted(len(context.cluster.nodes), 'node')}; {refusals[0].reason}: {refusals[0].message})",
                each.place,
                each.subject,
                "ask for less in one container, or give a node another topologyManagerPolicy or topologyManagerScope",
            )


def _empty_nodes(context: LintContext) -> list[KubeletState]:
    """The nodes with nothing on them, equal ones once; none if one of them is not known or does not start."""
    known = [context.machines.get(name, NodeMachine()) for name in context.cluster.nodes]
    states: dict[int, KubeletState] = {}
    for node in known:
        if node.machine is None or node.configuration is None:
            return []
        state = start(node.machine, node.configuration, gates=context.gates, devices=node.devices)
        if not isinstance(state, KubeletState):
            return []
        states[id(state.kubelet)] = state
    return list(states.values())


def _refusal(state: KubeletState, pod: Pod) -> Refusal | None:
    answer = admit(state, pod)
    return None if isinstance(answer, Stopped) else answer.refusal


RULE = Rule("DRA504", "pod-fits-no-machine", Severity.WARNING, __doc__, check, needs_slices=True, needs_all=("Node",))
