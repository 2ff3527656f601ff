"""Claims that the resourceclaim controller makes from templates, one for each entry of a pod (controllers.md §1)."""

from collections.abc import Collection, Mapping
from typing import TypeAlias

from msgspec import Struct, structs

from dractl.api.base import ObjectMeta
from dractl.api.core import Pod, PodResourceClaim, PodResourceClaimStatus
from dractl.api.device_metadata import ENTRY_ANNOTATION
from dractl.api.identities import ObjectRef, PodRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_terminal, is_terminating
from dractl.api.resource import ResourceClaim, ResourceClaimTemplate
from dractl.api.scheduling import PodGroup
from dractl.api.uids import derived_uid
from dractl.workloads.group_claims import GroupClaims, Owner
from dractl.workloads.naming import Names, claim_generate_name
from dractl.workloads.owners import Owned, controller_reference, is_controlled_by
from dractl.workloads.steps import changed

Statuses: TypeAlias = dict[str, str | None]
"""The claim's name for each entry of a pod; None where no claim is needed."""


class Claims(Struct, frozen=True):
    """The objects with all claims that can be made, and why some pods have to wait for theirs."""

    objects: ObjectSet
    waiting: Mapping[PodRef, str]


class _Answer(Struct, frozen=True):
    """One entry's claim by name (None: it needs none), the claim if it is new, or why there can be none."""

    name: str | None = None
    made: Sourced[ResourceClaim] | None = None
    refusal: str | None = None


def make_claims(objects: ObjectSet, gates: Collection[str] = frozenset()) -> Claims:
    """Make the claims of all pods that are neither finished nor being deleted, in input order.

    `gates` are the feature gates that are on; they decide what becomes of the claims of groups.
    """
    controller = _Controller(objects, gates)
    behind: dict[ObjectRef, list[Sourced[ResourceClaim]]] = {}
    replaced: dict[ObjectRef, Sourced[Pod]] = {}
    waiting: dict[PodRef, str] = {}
    for pod in objects.of(Pod):
        if not pod.object.spec.resourceClaims or is_terminal(pod.object) or is_terminating(pod.object):
            continue
        result = controller.sync(pod)
        if result.made:
            behind[pod.ref] = result.made
        if result.pod is not pod:
            replaced[pod.ref] = result.pod
        if result.problem is not None:
            waiting[PodRef(pod.ref.namespace, pod.ref.name)] = result.problem
    with_claims = changed(objects, behind=behind, replaced=replaced)
    return Claims(changed(with_claims, behind={}, replaced=controller.groups_with_status()), waiting)


class _Synced(Struct, frozen=True):
    pod: Sourced[Pod]
    made: list[Sourced[ResourceClaim]]
    problem: str | None


class _Controller:
    """The resourceclaim controller: what it knows of claims and templates, and what it does for one pod."""

    def __init__(self, objects: ObjectSet, gates: Collection[str]) -> None:
        self._groups = GroupClaims(objects, gates)
        self._names = Names(objects)
        self._claims = {claim.ref: claim for claim in objects.of(ResourceClaim)}
        self._owned = Owned(objects.of(ResourceClaim))
        self._templates = {template.ref: template for template in objects.of(ResourceClaimTemplate)}

    def groups_with_status(self) -> dict[ObjectRef, Sourced[PodGroup]]:
        """The groups for which claims were made, with those in their status."""
        return self._groups.with_status()

    def sync(self, pod: Sourced[Pod]) -> _Synced:
        """Work through the entries in order, up to the first that fails; the status is written only if none does."""
        recorded = {each.name: each.resourceClaimName for each in pod.object.status.resourceClaimStatuses or ()}
        statuses: Statuses = dict(recorded)
        made: list[Sourced[ResourceClaim]] = []
        missing: str | None = None
        for entry in pod.object.spec.resourceClaims or ():
            if entry.resourceClaimName is not None:
                missing = missing or self._absence(pod, entry.resourceClaimName)
                continue
            answer = self._claim_for(pod, entry, recorded)
            if answer.refusal is not None:
                return _Synced(pod, made, missing or f"PodResourceClaim {entry.name}: {answer.refusal}")
            if answer.made is not None:
                made.append(answer.made)
            statuses[entry.name] = answer.name
        return _Synced(pod if statuses == recorded else _with_statuses(pod, statuses), made, missing)

    def _absence(self, pod: Sourced[Pod], name: str) -> str | None:
        """The scheduler's words for a named claim that does not exist (scheduling.md §3.1)."""
        if ObjectRef("ResourceClaim", pod.ref.namespace, name) in self._claims:
            return None
        return f'could not find ResourceClaim "{pod.ref.namespace}/{name}"'

    def _claim_for(self, pod: Sourced[Pod], entry: PodResourceClaim, recorded: Statuses) -> _Answer:
        wanted = entry.resourceClaimTemplateName
        if wanted is None:
            return _Answer(
                refusal=f'checking for claim before creating it: pod "{pod.ref.namespace}/{pod.ref.name}", '
                f'spec.resourceClaim "{entry.name}": none of the supported fields are set'
            )
        owner = self._groups.owner_of(pod, entry)
        if isinstance(owner, str):
            return _Answer(refusal=owner)
        if owner is not pod and (name := self._groups.recorded(owner.ref, entry.name)) is not None:
            return _Answer(name)
        if entry.name in recorded:
            name = recorded[entry.name]
            if name is None or self._is_own(owner, name):
                return _Answer(name)
        orphan = self._orphan(owner, entry.name)
        if orphan is not None:
            return _Answer(orphan)
        template = self._templates.get(ObjectRef("ResourceClaimTemplate", pod.ref.namespace, wanted))
        if template is None:
            missing = f'resourceclaimtemplate.resource.k8s.io "{wanted}" not found'
            return _Answer(refusal=f'resource claim template "{wanted}": {missing}')
        made = self._make(owner, entry.name, template, recorded.get(entry.name))
        if owner is not pod:
            self._groups.record(owner.ref, entry.name, made.ref.name)
        return _Answer(made.ref.name, made)

    def _is_own(self, pod: Owner, name: str) -> bool:
        claim = self._claims.get(ObjectRef("ResourceClaim", pod.ref.namespace, name))
        return claim is not None and is_controlled_by(claim, pod)

    def _orphan(self, pod: Owner, entry: str) -> str | None:
        """A claim that was made for the entry before, but not recorded in the pod's status."""
        for claim in self._owned.by(pod):
            if (claim.metadata.annotations or {}).get(ENTRY_ANNOTATION) == entry:
                return claim.ref.name
        return None

    def _make(
        self, pod: Owner, entry: str, template: Sourced[ResourceClaimTemplate], recorded: str | None
    ) -> Sourced[ResourceClaim]:
        namespace = pod.ref.namespace
        generate_name = claim_generate_name(pod.ref.name, entry)
        if recorded is not None:
            self._names.take(ObjectRef("ResourceClaim", namespace, recorded))
        ref = self._names.plain_or_numbered("ResourceClaim", namespace, generate_name.removesuffix("-"))
        wanted = template.object.spec
        metadata = ObjectMeta(
            name=ref.name,
            generateName=generate_name,
            namespace=namespace,
            uid=derived_uid(ref),
            labels=wanted.metadata.labels,
            annotations={**(wanted.metadata.annotations or {}), ENTRY_ANNOTATION: entry},
            ownerReferences=[controller_reference(pod, blocks=None)],
        )
        claim = ResourceClaim(metadata=metadata, spec=wanted.spec)
        return Sourced(claim, ref, template.place.at("spec"), template.version, made_by=pod.ref)


def _with_statuses(pod: Sourced[Pod], statuses: Statuses) -> Sourced[Pod]:
    entries = [PodResourceClaimStatus(name=name, resourceClaimName=claim) for name, claim in sorted(statuses.items())]
    status = structs.replace(pod.object.status, resourceClaimStatuses=entries)
    return structs.replace(pod, object=structs.replace(pod.object, status=status))
