"""RuntimeClasses: what runs the containers, and on which nodes (answers in validate-core)."""

from collections.abc import Iterator

from msgspec.structs import replace

from dractl.api.core import RuntimeClass
from dractl.validation.formats import label, missing
from dractl.validation.lists import repeated
from dractl.validation.metadata import label_flaws
from dractl.validation.node_taints import check_pod_tolerations
from dractl.validation.pod_spec import check_overhead
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, below


def check_runtime_class(runtime_class: RuntimeClass, rulebook: Rulebook) -> Iterator[Violation]:
    """A RuntimeClass."""
    if runtime_class.handler:
        yield from below(label(runtime_class.handler), "handler")
    else:
        yield missing("the handler", "name what the nodes' container runtime knows: `handler: runc`").below("handler")
    for flaw in check_overhead(runtime_class.overhead.podFixed):
        written_at = ("overhead", "podFixed", *(flaw.written_at or ())[1:])
        yield replace(flaw, written_at=written_at)
    scheduling = runtime_class.scheduling
    yield from below(label_flaws(scheduling.nodeSelector), "scheduling", "nodeSelector")
    tolerations = scheduling.tolerations or ()
    flaws = check_pod_tolerations(tolerations, can_compare=rulebook.tolerates_by_comparison)
    yield from below(flaws, "scheduling", "tolerations")
    # How long a taint is tolerated makes no other toleration.
    said = (" ".join(filter(None, (each.key, each.operator, each.value, each.effect))) for each in tolerations)
    yield from below(repeated(said, "toleration"), "scheduling", "tolerations")
