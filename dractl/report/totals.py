"""The last lines of a plan, and the first one: how much there was, how much is placed, and what the bound proves."""

from collections.abc import Iterator

from dractl.api.pods import is_terminal
from dractl.cluster.cluster import Cluster
from dractl.cluster.pools import pool_of
from dractl.model.takeable import LeftOut
from dractl.phrases import counted, listed, verb
from dractl.planner.plan import Answer, Optimum, Plan
from dractl.report.alignment import aligned_text, alignment_lines
from dractl.report.not_read import NotRead
from dractl.report.phrases import safe
from dractl.report.upstream import documented_line
from dractl.solution.outcomes import Verdict

_LEFT_OUT_SHOWN = 5
REFUSALS_LAST = "kubelets that refuse some pods refuse them beside more as well"
"""What a proof rests on where the courses of a kubelet are too many to be looked at."""


def input_line(plan: Plan, not_read: NotRead) -> str:
    """`Kubernetes 1.37 · 2 nodes · 3 pools, 12 devices · 5 pods, 5 claims (2 ConfigMaps skipped)`."""
    cluster = plan.cluster
    pools, devices = _inventory(cluster)
    pods = [pod for pod in cluster.pods.values() if not is_terminal(pod)]
    running = sum(bool(pod.spec.nodeName) for pod in pods)
    parts = [
        f"Kubernetes {plan.gates.release}",
        counted(len(cluster.nodes), "node"),
        f"{counted(pools, 'pool')}, {counted(devices, 'device')}",
        f"{counted(len(pods), 'pod')}{f' ({running} on nodes already)' if running else ''}, "
        f"{counted(len(cluster.claims), 'claim')}",
    ]
    skipped = f" ({not_read} skipped)" if str(not_read) else ""
    return safe(" · ".join(parts) + skipped)


def closing_lines(plan: Plan) -> Iterator[str]:
    """What the prediction comes to, and the optimum if there is one."""
    aligned = aligned_text(plan.prediction, plan.optimum)
    yield f"Prediction  {_placed(plan.prediction)}{_others(plan.prediction)}{aligned}"
    if plan.optimum is not None:
        aligned = aligned_text(plan.optimum.answer, plan.optimum)
        yield f"Optimum     {_placed(plan.optimum.answer)}, {_proof(plan.optimum)}{aligned}"
        yield from (f"            {each}" for each in alignment_lines(plan))
        if plan.optimum.documented is not None:
            yield f"            {documented_line(plan.optimum.documented, len(plan.optimum.answer.outcomes))}"
        yield from (f"            as predicted: {each}" for each in _kept(plan.optimum))
        left_out = list(_left_out(plan.optimum))
        yield from (f"            left out: {each}" for each in left_out[:_LEFT_OUT_SHOWN])
        if len(left_out) > _LEFT_OUT_SHOWN:
            yield f"            left out: {len(left_out) - _LEFT_OUT_SHOWN} more; -o json has them all"


def _placed(answer: Answer) -> str:
    return f"{answer.count(Verdict.PLACED)} of {counted(len(answer.outcomes), 'pod')} placed"


def _others(answer: Answer) -> str:
    words = {Verdict.WAITING: "waiting", Verdict.UNDECIDED: "undecided"}
    found = [f"{number} {word}" for verdict, word in words.items() if (number := answer.count(verdict))]
    return f" ({listed(found)})" if found else ""


def _proof(optimum: Optimum) -> str:
    if optimum.is_proven:
        without = " without what is left out because it is an error" if optimum.left_out else ""
        given = f" if {REFUSALS_LAST}" if optimum.rests_on_refusals else ""
        return f"proven{without}{given}"
    if optimum.kept and optimum.is_proven_beside:
        number = len(optimum.kept)
        return f"proven while {counted(number, 'pod')} {verb(number, 'stays', 'stay')} as predicted"
    return f"not proven, at most {optimum.bound}"


def _kept(optimum: Optimum) -> Iterator[str]:
    """The pods that the model does not move, by reason; nothing where the optimum is proven all the same."""
    pods: dict[str, list[str]] = {}
    for ref, because in optimum.kept.items():
        pods.setdefault(because, []).append(str(ref))
    if not optimum.is_proven:
        yield from (f"{listed(names)}: {because}" for because, names in pods.items())


def _left_out(optimum: Optimum) -> Iterator[str]:
    """What the model does without, a line for each cause: `4 devices on 2 nodes: a selector of class gpu fails: …`."""
    causes: dict[str, list[LeftOut]] = {}
    for each in optimum.left_out:
        causes.setdefault(each.fault.reason, []).append(each)
    for cause, alike in causes.items():
        nodes = counted(len({each.node for each in alike}), "node")
        devices = {each.device for each in alike if each.device is not None}
        claims = counted(len({each.claim for each in alike}), "claim")
        what = f"{counted(len(devices), 'device')} for {claims}" if devices else claims
        yield f"{what} on {nodes}: {cause}"


def _inventory(cluster: Cluster) -> tuple[int, int]:
    """Pools, and the devices of their newest generation."""
    newest: dict[object, int] = {}
    for slice_ in cluster.slices:
        pool = pool_of(slice_)
        newest[pool] = max(newest.get(pool, 0), slice_.spec.pool.generation)
    devices = sum(
        len(slice_.spec.devices or ())
        for slice_ in cluster.slices
        if slice_.spec.pool.generation == newest[pool_of(slice_)]
    )
    return len(newest), devices
