"""A pod made from the template of its workload: metadata and spec are the template's (controllers.md §6)."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from dractl.api.base import ObjectMeta
from dractl.api.core import Pod, PodSpec, PodTemplateSpec
from dractl.api.defaults import created_spec
from dractl.api.identities import ObjectRef
from dractl.api.objects import Sourced
from dractl.api.uids import derived_uid
from dractl.workloads.owners import controller_reference


def pod_from_template(
    owner: Sourced[Any],
    ref: ObjectRef,
    *,
    generate_name: str = "",
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    spec: PodSpec | None = None,
) -> Sourced[Pod]:
    """The pod `ref` of a workload that keeps its template in `spec.template`.

    `labels` and `annotations` are added to the template's; `spec` replaces its spec where the controller changes it.
    """
    template: PodTemplateSpec = owner.object.spec.template
    metadata = ObjectMeta(
        name=ref.name,
        generateName=generate_name,
        namespace=ref.namespace,
        uid=derived_uid(ref),
        labels=_with(template.metadata.labels, labels),
        annotations=_with(template.metadata.annotations, annotations),
        ownerReferences=[controller_reference(owner)],
        finalizers=template.metadata.finalizers,
    )
    pod = Pod(metadata=metadata, spec=created_spec(template.spec if spec is None else spec))
    return Sourced(pod, ref, owner.place.at("spec", "template"), "v1", made_by=owner.ref)


def with_hostname(spec: PodSpec, hostname: str) -> PodSpec:
    """The spec of a pod that is to be found under its own name."""
    return structs.replace(spec, hostname=hostname)


def _with(own: dict[str, str] | None, more: Mapping[str, str] | None) -> dict[str, str] | None:
    return {**(own or {}), **(more or {})} or None
