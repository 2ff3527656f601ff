"""The names of nodes that the input writes down, and which described node may be meant by one that is none."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from dractl.api.base import NodeSelector, NodeSelectorTerm
from dractl.api.core import NodeAffinity, Pod, PodSpec
from dractl.api.pods import is_terminal
from dractl.api.resource import Device, ResourceSlice, ResourceSliceSpec
from dractl.api.selectors import matches_node, why_unreadable
from dractl.errors import Place
from dractl.near_misses import nearest
from dractl.observe.lint.context import LintContext

HOSTNAME: Final = "kubernetes.io/hostname"
_NAME_FIELD: Final = "metadata.name"


class Mention(Struct, frozen=True):
    """A node's name, or its host name where `is_label` is set, with the field that has it."""

    name: str
    place: Place
    subject: str
    is_label: bool = False


def misspelt_nodes(context: LintContext) -> tuple[tuple[Mention, str], ...]:
    """Mentions that name no described node, and the node that is probably meant. Dumps name what was there."""
    return context.once(("misspelt nodes",), lambda: tuple(_misspelt_nodes(context)))


def _misspelt_nodes(context: LintContext) -> Iterator[tuple[Mention, str]]:
    names = dict.fromkeys(node.metadata.name for node in context.described_nodes)
    labels = dict.fromkeys((node.metadata.labels or {}).get(HOSTNAME, "") for node in context.described_nodes)
    for mention in _mentions(context) if names else ():
        known = labels if mention.is_label else names
        meant = nearest(mention.name, known) if mention.name not in known else ""
        if meant:
            yield mention, meant


def _mentions(context: LintContext) -> Iterator[Mention]:
    for piece in context.objects.of(ResourceSlice):
        if not piece.metadata.is_dump:
            yield from _of_slice(context, piece.object, piece.place.at("spec"), str(piece.ref))
    for pod in context.pod_writings:
        is_over = isinstance(pod.source.object, Pod) and is_terminal(pod.source.object)
        if not pod.source.metadata.is_dump and not is_over:
            yield from _of_pod(pod.spec, pod.place, pod.subject)


def _of_slice(context: LintContext, slice_: ResourceSlice, place: Place, subject: str) -> Iterator[Mention]:
    owners: list[tuple[ResourceSliceSpec | Device, Place]] = [(slice_.spec, place)]
    owners += [(each, place.at("devices", number)) for number, each in enumerate(slice_.spec.devices or ())]
    for owner, where in owners:
        if owner.nodeName:
            yield Mention(owner.nodeName, where.at("nodeName"), subject)
        elif owner.nodeSelector is not None and _reaches_some(context, owner.nodeSelector):
            yield from _of_selector(owner.nodeSelector, where.at("nodeSelector"), subject)


def _reaches_some(context: LintContext, selector: NodeSelector) -> bool:
    """Of one that reaches no node at all, what is wrong with it is told with that."""
    return not why_unreadable(selector) and any(matches_node(selector, node) for node in context.described_nodes)


def _of_pod(spec: PodSpec, place: Place, subject: str) -> Iterator[Mention]:
    if spec.nodeName:
        yield Mention(spec.nodeName, place.at("nodeName"), subject)
    host = (spec.nodeSelector or {}).get(HOSTNAME)
    if host:
        yield Mention(host, place.at("nodeSelector", HOSTNAME), subject, is_label=True)
    affinity = spec.affinity.nodeAffinity if spec.affinity is not None else None
    if affinity is not None:
        yield from _of_affinity(affinity, place.at("affinity", "nodeAffinity"), subject)


def _of_affinity(affinity: NodeAffinity, place: Place, subject: str) -> Iterator[Mention]:
    required = affinity.requiredDuringSchedulingIgnoredDuringExecution
    if required is not None:
        yield from _of_selector(required, place.at("requiredDuringSchedulingIgnoredDuringExecution"), subject)
    for number, each in enumerate(affinity.preferredDuringSchedulingIgnoredDuringExecution or ()):
        where = place.at("preferredDuringSchedulingIgnoredDuringExecution", number)
        yield from _of_terms([each.preference], (where.at("preference"),), subject)


def _of_selector(selector: NodeSelector, place: Place, subject: str) -> Iterator[Mention]:
    terms = selector.nodeSelectorTerms or []
    yield from _of_terms(terms, [place.at("nodeSelectorTerms", number) for number in range(len(terms))], subject)


def _of_terms(terms: Sequence[NodeSelectorTerm], places: Sequence[Place], subject: str) -> Iterator[Mention]:
    for term, place in zip(terms, places, strict=True):
        for field, key, requirements in (
            ("matchExpressions", HOSTNAME, term.matchExpressions),
            ("matchFields", _NAME_FIELD, term.matchFields),
        ):
            for number, each in enumerate(requirements or ()):
                for index, value in enumerate((each.values if each.key == key else None) or ()):
                    where = place.at(field, number, "values", index)
                    yield Mention(value, where, subject, is_label=key == HOSTNAME)
