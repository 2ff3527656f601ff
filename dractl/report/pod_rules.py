"""The wording of rules between pods: affinity, anti-affinity and topology spread."""

from dractl.phrases import counted, listed, verb
from dractl.solution.outcomes import NoCompany, PodsInTheWay, TooUneven, TopologyLabelMissing

BetweenPods = TopologyLabelMissing | NoCompany | PodsInTheWay | TooUneven


def pod_rule_text(reason: BetweenPods) -> str:
    """The clause behind "on node N"."""
    match reason:
        case TopologyLabelMissing():
            return f"the node has no label {reason.key}, which the pod's {reason.rule} asks for"
        case NoCompany():
            other = "only where it is another" if reason.is_anywhere else "nor where it is another"
            return (
                f"no pod that the pod's required affinity asks for runs where {reason.key} is {reason.value}, {other}"
            )
        case PodsInTheWay():
            return _apart(reason)
        case TooUneven():
            return _uneven(reason)


def _uneven(reason: TooUneven) -> str:
    number = f"{counted(reason.number, 'pod')} of its kind would run where {reason.key} is {reason.value}"
    least = f"the fewest at any value are {reason.least}"
    if reason.min_domains:
        least = f"the fewest count as 0 while there are not {reason.min_domains} values"
    return f"with the pod {number}, {least}, and its topology spread constraint allows a skew of {reason.max_skew}"


def _apart(reason: PodsInTheWay) -> str:
    names = listed([str(pod) for pod in reason.pods])
    where = f"where {reason.key} is {reason.value}"
    if reason.theirs:
        keep = verb(len(reason.pods), "keeps", "keep")
        return f"{names} {keep} the pod away by anti-affinity, {where}"
    run = verb(len(reason.pods), "runs", "run")
    return f"the pod's anti-affinity keeps it away from {names}, which {run} {where}"
