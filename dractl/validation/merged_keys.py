"""Label keys whose values the server takes from the pod into a selector (answers in validate-core)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dractl.api.base import LabelSelector
from dractl.api.core import PodSpec
from dractl.validation.affinity import pod_terms
from dractl.validation.formats import label_key, label_value
from dractl.validation.violation import Violation, ViolationType, below, echoes

Labels = Mapping[str, str]


def check_merged_keys(spec: PodSpec, labels: Labels) -> Iterator[Violation]:
    """Paths begin at the pod's spec. In a template nothing is merged yet: it has no `labels` to take."""
    for index, constraint in enumerate(spec.topologySpreadConstraints or ()):
        keys = constraint.matchLabelKeys or ()
        found = _check_keys(constraint.labelSelector, keys, (), labels)
        yield from below(found, "topologySpreadConstraints", index)
    for path, term in pod_terms(spec.affinity) if spec.affinity is not None else ():
        found = _check_keys(term.labelSelector, term.matchLabelKeys or (), term.mismatchLabelKeys or (), labels)
        yield from below(found, "affinity", *path)


def _check_keys(
    selector: LabelSelector | None, keys: Sequence[str], others: Sequence[str], labels: Labels
) -> Iterator[Violation]:
    """`keys` may not be in the selector already; `others` are taken over without a look."""
    if selector is None or not (keys or others):
        return
    own = selector.matchExpressions or ()
    times = Counter(
        [*(selector.matchLabels or ()), *(each.key for each in own), *(key for key in keys if key in labels)]
    )
    for key, index in {key: index for index, key in enumerate(keys)}.items():
        if times[key] > 1:
            message = f'the selector has the label "{key}" already'
            remedy = "take it out of the selector, or out of `matchLabelKeys`"
            yield Violation((index,), ViolationType.INVALID, message, remedy, written_at=("matchLabelKeys", index))
    taken = [key for key in (*keys, *others) if key in labels]
    for number, key in enumerate(taken, len(own)):
        flaws = [*below(label_key(key), "key"), *below(label_value(labels[key]), "values", 0)]
        yield from below(echoes(flaws), "labelSelector", "matchExpressions", number)
