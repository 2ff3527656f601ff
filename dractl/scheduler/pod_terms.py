"""Affinity terms of pods: which other pods they mean (scheduling.md §8.3, §8.4)."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from dractl.api.base import LabelSelector, LabelSelectorRequirement
from dractl.api.core import Namespace, Pod, PodAffinityTerm
from dractl.api.selectors import matches_labels

NAME_LABEL: Final = "kubernetes.io/metadata.name"
"""The API server gives it to every namespace."""

Namespaces = Mapping[str, Namespace]


class PodTerm(Struct, frozen=True):
    """A term of a pod, finished: the namespaces and labels that it asks for, and the topology that it speaks of."""

    topology_key: str
    selector: LabelSelector | None
    namespaces: frozenset[str]
    namespace_selector: LabelSelector | None

    def means(self, pod: Pod, namespaces: Namespaces | None) -> bool:
        """Whether the term is about this pod; with None the labels of namespaces are not looked up."""
        space = pod.metadata.namespace
        if space not in self.namespaces and not self._selects_namespace(space, namespaces):
            return False
        return matches_labels(self.selector, pod.metadata.labels)

    def _selects_namespace(self, name: str, namespaces: Namespaces | None) -> bool:
        if self.namespace_selector is None:
            return False
        if namespaces is None:
            return matches_labels(self.namespace_selector, None)
        found = namespaces.get(name)
        given = (found.metadata.labels if found is not None else None) or {}
        return matches_labels(self.namespace_selector, {NAME_LABEL: name, **given})


def finish(term: PodAffinityTerm, owner: Pod) -> PodTerm:
    """A term with the owner's namespace where it names none, and its label keys taken into the selector."""
    namespaces = frozenset(term.namespaces or ())
    if not namespaces and term.namespaceSelector is None:
        namespaces = frozenset((owner.metadata.namespace,))
    selector = with_label_keys(term.labelSelector, owner, term.matchLabelKeys, "In")
    selector = with_label_keys(selector, owner, term.mismatchLabelKeys, "NotIn")
    return PodTerm(term.topologyKey, selector, namespaces, term.namespaceSelector)


def with_label_keys(
    selector: LabelSelector | None, owner: Pod, keys: Sequence[str] | None, operator: str
) -> LabelSelector | None:
    """The selector that also asks for (or against) the owner's own values of these labels."""
    own = owner.metadata.labels or {}
    named = [key for key in keys or () if key in own]
    added = [LabelSelectorRequirement(key=key, operator=operator, values=[own[key]]) for key in named]
    if not added or selector is None:
        return selector
    return msgspec.structs.replace(selector, matchExpressions=[*(selector.matchExpressions or ()), *added])
