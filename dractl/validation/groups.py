"""Groups of pods, and Workloads that describe them (validation.md §14; answers in validate-core)."""

from collections.abc import Iterator
from typing import Final

from dractl.api.scheduling import PodGroup, PodGroupSchedulingPolicy, PodGroupTemplate, Workload, WorkloadReference
from dractl.validation.choices import exactly_one
from dractl.validation.formats import label, missing, subdomain
from dractl.validation.lists import repeated, too_many
from dractl.validation.nodes import HIGHEST_PRIORITY
from dractl.validation.pod_claims import check_group_claims
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, invalid

_MOST_TEMPLATES: Final = 8


def check_pod_group(group: PodGroup, _: Rulebook) -> Iterator[Violation]:
    """How a group is scheduled, with which claims, and where it comes from."""
    spec = group.spec
    yield from below(_check_policy(spec.schedulingPolicy), "spec", "schedulingPolicy")
    yield from below(check_group_claims(spec.resourceClaims), "spec", "resourceClaims")
    yield from below(_check_priority(spec.priorityClassName, spec.priority), "spec")
    if spec.workloadRef is not None:
        yield from below(_check_reference(spec.workloadRef), "spec", "workloadRef")


def check_workload(workload: Workload, _: Rulebook) -> Iterator[Violation]:
    """The groups that a Workload describes."""
    templates = workload.spec.podGroupTemplates or ()
    if not templates and not workload.spec.compositePodGroupTemplates:
        yield invalid("no template of a group is there", "write `podGroupTemplates: […]`", "spec")
    if len({(each.priorityClassName, each.priority) for each in templates}) > 1:
        message = "the templates have different priorities"
        yield invalid(message, "give all of them the same `priorityClassName` and `priority`", "spec")
    excess = list(too_many(templates, _MOST_TEMPLATES))
    yield from below(excess, "spec", "podGroupTemplates")
    if excess:
        return
    yield from below(repeated((each.name for each in templates), "name"), "spec", "podGroupTemplates")
    for index, template in enumerate(templates):
        yield from below(_check_template(template), "spec", "podGroupTemplates", index)


def _check_template(template: PodGroupTemplate) -> Iterator[Violation]:
    flaws = label(template.name) if template.name else (missing("the template's name", "write `name: …`"),)
    yield from below(flaws, "name")
    yield from below(_check_policy(template.schedulingPolicy), "schedulingPolicy")
    yield from below(check_group_claims(template.resourceClaims), "resourceClaims")
    yield from _check_priority(template.priorityClassName, template.priority)


def _check_policy(policy: PodGroupSchedulingPolicy) -> Iterator[Violation]:
    yield from exactly_one({"basic": policy.basic is not None, "gang": policy.gang is not None})
    if policy.gang is None:
        return
    if policy.gang.minCount == 0:
        # The server takes a written 0 for nothing; the user may have written it.
        message = "the number of pods is missing, or 0"
        remedy = "write how many have to fit: `minCount: …`, 1 or more"
        yield Violation(("gang", "minCount"), ViolationType.REQUIRED, message, remedy)
    elif policy.gang.minCount < 0:
        yield invalid(f"{policy.gang.minCount} pods cannot be", "write 1 or more", "gang", "minCount")


def _check_priority(class_name: str, priority: int | None) -> Iterator[Violation]:
    if class_name:
        yield from below(subdomain(class_name), "priorityClassName")
    if priority is not None and priority > HIGHEST_PRIORITY:
        message = f"{priority} is too high: at most {HIGHEST_PRIORITY} are allowed"
        yield invalid(message, "write a lower one", "priority")


def _check_reference(reference: WorkloadReference) -> Iterator[Violation]:
    for field, name, form in (
        ("workloadName", reference.workloadName, subdomain),
        ("templateName", reference.templateName, label),
    ):
        flaws = form(name) if name else (missing(f"`{field}`", f"write `{field}: …`"),)
        yield from below(flaws, field)
