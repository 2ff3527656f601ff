"""Affinity of pods to nodes and to other pods (answers in validate-core)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dractl.api.base import LabelSelector
from dractl.api.core import Affinity, NodeAffinity, PodAffinity, PodAffinityTerm
from dractl.errors import FieldPath
from dractl.validation.formats import label, label_key, missing
from dractl.validation.label_selectors import check_label_selector
from dractl.validation.node_selector import check_node_selector, check_term
from dractl.validation.violation import Violation, ViolationType, below, echoes, invalid

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_HIGHEST_WEIGHT: Final = 100


def check_affinity(affinity: Affinity) -> Iterator[Violation]:
    """Terms and weights; paths begin at the affinity."""
    if affinity.nodeAffinity is not None:
        yield from below(_check_node_affinity(affinity.nodeAffinity), "nodeAffinity")
    for field, of in (("podAffinity", affinity.podAffinity), ("podAntiAffinity", affinity.podAntiAffinity)):
        if of is not None:
            yield from below(_check_weights(of), field)
    for path, term in pod_terms(affinity):
        yield from below(_check_term(term), *path)


def _check_node_affinity(of: NodeAffinity) -> Iterator[Violation]:
    if of.requiredDuringSchedulingIgnoredDuringExecution is not None:
        yield from below(check_node_selector(of.requiredDuringSchedulingIgnoredDuringExecution), _REQUIRED)
    for index, term in enumerate(of.preferredDuringSchedulingIgnoredDuringExecution or ()):
        yield from below(_check_weight(term.weight), _PREFERRED, index)
        preference = check_term(term.preference, looks_at_values=False)
        yield from below(preference, _PREFERRED, index, "preference")


def _check_weight(weight: int) -> Iterator[Violation]:
    if not 1 <= weight <= _HIGHEST_WEIGHT:
        yield invalid(f"{weight} is no weight", f"weights are 1 to {_HIGHEST_WEIGHT}", "weight")


def _check_weights(of: PodAffinity) -> Iterator[Violation]:
    for index, weighted in enumerate(of.preferredDuringSchedulingIgnoredDuringExecution or ()):
        yield from below(_check_weight(weighted.weight), _PREFERRED, index)


def pod_terms(affinity: Affinity) -> Iterator[tuple[FieldPath, PodAffinityTerm]]:
    """Every term about other pods, with its path below the affinity."""
    for field, of in (("podAffinity", affinity.podAffinity), ("podAntiAffinity", affinity.podAntiAffinity)):
        if of is not None:
            for index, term in enumerate(of.requiredDuringSchedulingIgnoredDuringExecution or ()):
                yield (field, _REQUIRED, index), term
            for index, weighted in enumerate(of.preferredDuringSchedulingIgnoredDuringExecution or ()):
                yield (field, _PREFERRED, index, "podAffinityTerm"), weighted.podAffinityTerm


def _check_term(term: PodAffinityTerm) -> Iterator[Violation]:
    yield from below(check_label_selector(term.labelSelector), "labelSelector")
    yield from below(check_label_selector(term.namespaceSelector), "namespaceSelector")
    for index, namespace in enumerate(term.namespaces or ()):
        for flaw in label(namespace):
            yield Violation(("namespace",), flaw.type, flaw.message, flaw.remedy, written_at=("namespaces", index))
    if not term.topologyKey:
        yield missing("the topology key", "write the label of nodes that counts as one place").below("topologyKey")
        yield from echoes(below(label_key(term.topologyKey), "topologyKey"))
    else:
        yield from below(label_key(term.topologyKey), "topologyKey")
    keys = {"matchLabelKeys": term.matchLabelKeys or (), "mismatchLabelKeys": term.mismatchLabelKeys or ()}
    yield from check_label_keys(keys, term.labelSelector)
    for index, key in enumerate(term.matchLabelKeys or ()):
        if key in (term.mismatchLabelKeys or ()):
            message = f'"{key}" is in `mismatchLabelKeys` as well'
            yield invalid(message, "keep it in one of the two", "matchLabelKeys", index)


def check_label_keys(keys: Mapping[str, Sequence[str]], selector: LabelSelector | None) -> Iterator[Violation]:
    """Lists of keys whose values a selector takes from the pod itself."""
    for field, listed in keys.items():
        if listed and selector is None:
            message = f"`{field}` does nothing without a `labelSelector`"
            yield Violation((field,), ViolationType.FORBIDDEN, message, "write a `labelSelector`, or take it out")
            continue
        for index, key in enumerate(listed):
            yield from below(label_key(key), field, index)
