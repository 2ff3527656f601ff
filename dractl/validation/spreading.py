"""How pods are spread over nodes (answers in validate-core)."""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.core import TopologySpreadConstraint
from dractl.validation.affinity import check_label_keys
from dractl.validation.choices import one_of
from dractl.validation.formats import missing
from dractl.validation.label_selectors import check_label_selector
from dractl.validation.violation import Violation, ViolationType, below, invalid

_MUST: Final = "DoNotSchedule"
_ACTIONS: Final = (_MUST, "ScheduleAnyway")
_POLICIES: Final = ("Honor", "Ignore")


def check_spreading(constraints: Sequence[TopologySpreadConstraint]) -> Iterator[Violation]:
    """Each constraint, and that no two say the same; paths begin at the list."""
    for index, constraint in enumerate(constraints):
        yield from below(_check_constraint(constraint), index)
        if any(_is_same(constraint, other) for other in constraints[index + 1 :]):
            yield Violation(
                (index, "{topologyKey, whenUnsatisfiable}"),
                ViolationType.DUPLICATE,
                f"another constraint has the topology key {constraint.topologyKey} and {constraint.whenUnsatisfiable}",
                "keep one of the two",
                written_at=(index, "topologyKey"),
            )


def _is_same(one: TopologySpreadConstraint, other: TopologySpreadConstraint) -> bool:
    return (one.topologyKey, one.whenUnsatisfiable) == (other.topologyKey, other.whenUnsatisfiable)


def _check_constraint(constraint: TopologySpreadConstraint) -> Iterator[Violation]:
    if constraint.maxSkew <= 0:
        yield invalid(f"a skew of {constraint.maxSkew} is not possible", "write 1 or more", "maxSkew")
    if not constraint.topologyKey:
        yield missing("the topology key", "write the label of nodes that counts as one place").below("topologyKey")
    yield from below(one_of(constraint.whenUnsatisfiable, _ACTIONS), "whenUnsatisfiable")
    yield from below(_check_domains(constraint), "minDomains")
    for field in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        policy: str | None = getattr(constraint, field)
        if policy is not None:
            yield from below(one_of(policy, _POLICIES), field)
    yield from below(check_label_selector(constraint.labelSelector), "labelSelector")
    yield from check_label_keys({"matchLabelKeys": constraint.matchLabelKeys or ()}, constraint.labelSelector)


def _check_domains(constraint: TopologySpreadConstraint) -> Iterator[Violation]:
    if constraint.minDomains is None:
        return
    if constraint.minDomains <= 0:
        yield invalid(f"{constraint.minDomains} domains are not possible", "write 1 or more")
    elif constraint.whenUnsatisfiable != _MUST:
        yield invalid(f"`minDomains` is for `whenUnsatisfiable: {_MUST}`", "take it out")
