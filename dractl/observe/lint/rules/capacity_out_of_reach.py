"""A capacity request that no device can serve.

The devices that match the request lack the capacity it names, have less of it even when nobody uses them, or have a
policy that forbids the amount.

Why: every such device is skipped without a word. Names are compared as they are written: `memory` and
`gpu.example.com/memory` are two capacities.

Example:

    capacity:
      requests: {memory: 40Gi}          # the slices say gpu.example.com/memory

Instead: the name exactly as in `spec.devices[].capacity` of the slices, and an amount within `requestPolicy`.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed
from dractl.problem.capacity import CapacityRefusal, capacity_share


def check(context: LintContext) -> Iterator[Remark]:
    """Requests that all of their devices refuse, with the reason of the first."""
    for asked in context.asked:
        if asked.demand.capacity and asked.demand.device_class is not None:
            yield from _refused(context, asked)


def _refused(context: LintContext, asked: Asked) -> Iterator[Remark]:
    devices = context.matching(asked.demand.selectors)
    answers = [capacity_share(asked.demand, device, context.cluster.features) for device in devices]
    refusals = [answer for answer in answers if isinstance(answer, CapacityRefusal)]
    if not refusals or len(refusals) < len(answers):
        return
    named = list(dict.fromkeys(refusal.capacity for refusal in refusals))
    known = list(dict.fromkeys(name for device in devices for name in device.device.capacity or ()))
    if named[0] not in known:
        same = next((name for name in known if name.rpartition("/")[2] == named[0].rpartition("/")[2]), "")
        why = "no device that it may get has this capacity"
        remedy = f"did you mean {same}?" if same else did_you_mean(named[0], known) or f"they have {listed(known)}"
    else:
        why, remedy = f"{refusals[0].because} ({devices[0].id})", ""
    yield Remark(
        f"request {asked.demand.ref.name}: {named[0]}: {why}",
        asked.place.at("capacity", "requests", named[0]),
        asked.subject,
        remedy if known else "the devices have no capacities at all",
    )


RULE = Rule(
    "DRA110", "capacity-out-of-reach", Severity.WARNING, __doc__, check, needs_slices=True, needs_all=("ResourceSlice",)
)
