"""A counter set is defined twice in a pool.

Why: the pool is invalid, and nothing is allocated from it. The limit that both definitions were meant to share is
none.

Example: `sharedCounters: [{name: gpu-0, …}]` in two slices of one pool and generation.

Instead: each counter set in one slice; devices of all slices of the pool can consume from it.
"""

from collections.abc import Iterator

from dractl.api.objects import Sourced
from dractl.api.resource import ResourceSlice
from dractl.cluster.pools import PoolState
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """The second definition; two in one slice are refused by the API server."""
    for pool in context.pools.values():
        where = context.nodes_with(pool.id, PoolState.INVALID)
        if where is None:
            continue
        first: dict[str, Sourced[ResourceSlice]] = {}
        for each in pool.current:
            for number, counter_set in enumerate(each.object.spec.sharedCounters or ()):
                other = first.setdefault(counter_set.name, each)
                if other is not each:
                    yield Remark(
                        f"slice {other.ref.name} of pool {pool.id} defines counter set {counter_set.name} already: "
                        f"the pool is invalid, nothing is allocated from it{where}",
                        each.place.at("spec", "sharedCounters", number, "name"),
                        str(each.ref),
                        f"define it in one of the two, with the counters of both; devices of {other.ref.name} and of "
                        "this slice may use it there",
                    )


RULE = Rule("DRA307", "counter-set-twice", Severity.ERROR, __doc__, check)
