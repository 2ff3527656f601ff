"""A CPU manager option that cannot keep its promise on the machine.

The option is on, but the node's hardware, as a dump describes it, makes it do something else than it is for.

Why: nothing fails. Containers that were to have cores of their own share them, or are spread where they should not
be.

Example: `full-pcpus-only` on a machine with hybrid cores: the kubelet goes by the average number of threads.

Instead: what the message says; mostly the option is of no use on this hardware.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.kubelet import KubeletState, start
from dractl.kubelet.promises import broken_promises
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Each option once for each configuration, with the first node."""
    for each in context.configurations:
        told: set[str] = set()
        for name in each.nodes:
            known = context.machines[name]
            if known.machine is None:
                continue
            started = start(known.machine, each.configuration, gates=context.gates, devices=known.devices)
            for promise in broken_promises(started.kubelet) if isinstance(started, KubeletState) else ():
                if promise.option not in told:
                    told.add(promise.option)
                    yield Remark(
                        f"{promise.option} does not do on {name} what it is for: {promise.reason}",
                        each.place.at("cpuManagerPolicyOptions", str(promise.option)),
                        "KubeletConfiguration",
                    )


RULE = Rule("DRA503", "option-breaks-promise", Severity.WARNING, __doc__, check)
