"""What rules look at: the cluster that the input makes, indexed once, and nothing that is hidden."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct

from dractl.api.base import ObjectMeta
from dractl.api.core import Node, Pod, PodResourceClaim, PodSpec
from dractl.api.identities import ClaimRef, DeviceId, ObjectRef, PodRef, PoolId
from dractl.api.objects import ObjectSet, Sourced, written
from dractl.api.pods import claims_by_entry, is_terminal
from dractl.api.resource import (
    DeviceClass,
    DeviceClassSpec,
    DeviceSelector,
    ResourceClaim,
    ResourceClaimSpec,
    ResourceClaimTemplate,
    ResourceSlice,
)
from dractl.api.scheduling import PodGroup, Workload
from dractl.api.selectors import why_unreadable
from dractl.api.workload import CronJob, DaemonSet, Deployment, Job, ReplicaSet, ReplicationController, StatefulSet
from dractl.cluster.cluster import Cluster
from dractl.cluster.node_machine import NodeMachine
from dractl.cluster.pools import Pool, PoolDevice, PoolState, pool_of
from dractl.errors import Place
from dractl.gates import Gates
from dractl.machine.configuration import KubeletConfiguration
from dractl.observe.lint.answers import Answers, Devices
from dractl.phrases import listed
from dractl.problem.demands import ClaimDemand, Demand, demands_of
from dractl.problem.selectors import SelectorChain

T = TypeVar("T")

_WITH_TEMPLATE = (ReplicationController, ReplicaSet, Deployment, StatefulSet, DaemonSet, Job)


class PoolSlices(Struct, frozen=True):
    """The slices of a pool as they are written: those of the newest generation, and older ones."""

    id: PoolId
    current: tuple[Sourced[ResourceSlice], ...]
    stale: tuple[Sourced[ResourceSlice], ...]


class Configuration(Struct, frozen=True):
    """A kubelet configuration, where it stands, and the nodes that it holds for."""

    configuration: KubeletConfiguration
    place: Place
    nodes: tuple[str, ...]


class Asked(Struct, frozen=True):
    """One request or alternative and where it stands: `place` is `exactly` or the item of `firstAvailable`."""

    demand: Demand
    place: Place
    subject: str


class ClaimAsked(Struct, frozen=True, eq=False):
    """A claim or template that somebody has written. `place` is its `spec.devices`."""

    source: Sourced[Any]
    spec: ResourceClaimSpec
    place: Place
    demand: ClaimDemand
    asked: tuple[Asked, ...]

    @property
    def subject(self) -> str:
        """Kind and name."""
        return str(self.source.ref)

    def request_place(self, number: int) -> Place:
        """Where a request stands."""
        return self.place.at("requests", number)


class PodWriting(Struct, frozen=True):
    """The spec of a pod as it is written, in a Pod or in the template of a workload. `place` is that of the spec."""

    source: Sourced[Any]
    spec: PodSpec
    place: Place

    @property
    def subject(self) -> str:
        """Kind and name of the object that has it."""
        return str(self.source.ref)

    @property
    def namespace(self) -> str:
        """Where its claims are looked for."""
        return self.source.ref.namespace


def _as_written(pod: Pod) -> Pod:
    return pod


@dataclass(frozen=True, eq=False)
class LintContext:
    """An input with what controllers make of it. Indexes are made when the first rule asks for them.

    `machines` are what dumps and kubelets' files say of nodes; `of_others` have the kubelet configurations that name
    no node. `passed_by` are objects of kinds that are not read: they may use what nothing else uses. `unread` are
    objects of other kinds that were not read, or not whole, or that would be refused, as far as they are known.
    `admitted` is what the API server makes of a new pod.
    """

    cluster: Cluster
    gates: Gates
    machines: Mapping[str, NodeMachine] = field(default_factory=dict)
    passed_by: frozenset[ObjectRef] = frozenset()
    of_others: Sequence[NodeMachine] = ()
    unread: frozenset[ObjectRef] = frozenset()
    admitted: Callable[[Pod], Pod] = _as_written
    answers: Answers = field(default_factory=Answers, repr=False)
    _facts: dict[tuple[Hashable, ...], Any] = field(default_factory=dict, repr=False)

    @property
    def objects(self) -> ObjectSet:
        """Everything that was read, and what was made from it."""
        return self.cluster.objects

    @cached_property
    def skipped_kinds(self) -> frozenset[str]:
        """The kinds of objects that were not read."""
        return frozenset(ref.kind for ref in self.passed_by)

    @cached_property
    def configurations(self) -> tuple[Configuration, ...]:
        """Every kubelet configuration with the nodes that it holds for."""
        found: dict[Place, tuple[NodeMachine, list[str]]] = {}
        for name, node in self.machines.items():
            if node.configuration is not None and node.place is not None:
                found.setdefault(node.place, (node, []))[1].append(name)
        for other in self.of_others:
            if other.place is not None:
                found.setdefault(other.place, (other, []))
        return tuple(
            Configuration(node.configuration, place, tuple(names))
            for place, (node, names) in found.items()
            if node.configuration is not None
        )

    @cached_property
    def by_ref(self) -> Mapping[ObjectRef, Sourced[Any]]:
        """All objects by kind and name."""
        return {each.ref: each for each in self.objects}

    def may_lack(self, kind: str) -> bool:
        """Whether there may be more objects of the kind, or other ones, than are known."""
        return any(ref.kind in ("", kind) for ref in self.unread)

    def may_be_unread(self, kind: str, namespace: str, name: str) -> bool:
        """Whether an object may be there although it was not read."""
        return any(
            ref.kind in ("", kind) and (not ref.name or (ref.namespace, ref.name) == (namespace, name))
            for ref in self.unread
        )

    @cached_property
    def dumped(self) -> frozenset[tuple[type, str]]:
        """Kinds of objects that were read from a cluster, each with the namespaces and with none."""
        return frozenset(
            (type(each.object), namespace)
            for each in self.objects
            if each.made_by is None and each.metadata.is_dump
            for namespace in ("", each.ref.namespace)
        )

    # --- pools and devices --------------------------------------------------------------------------------------------

    @cached_property
    def pools(self) -> Mapping[PoolId, PoolSlices]:
        """All pools, in input order, without the taints of rules."""
        slices: dict[PoolId, list[Sourced[ResourceSlice]]] = {}
        for each in self.objects.of(ResourceSlice):
            slices.setdefault(pool_of(each.object), []).append(each)
        return {pool: _by_age(pool, members) for pool, members in slices.items()}

    @cached_property
    def devices(self) -> tuple[PoolDevice, ...]:
        """Every device that counts for a node, or would if its pool were complete."""
        newest = {pool: each.current[0].object.spec.pool.generation for pool, each in self.pools.items()}
        current = tuple(
            PoolDevice(DeviceId(pool.driver, pool.pool, device.name), device, slice_)
            for slice_ in self.cluster.slices
            if slice_.spec.pool.generation == newest[pool := pool_of(slice_)]
            for device in slice_.spec.devices or ()
        )
        return (*current, *self._seen_of_old_generations())

    def _seen_of_old_generations(self) -> Iterator[PoolDevice]:
        """Devices of a pool that has moved on elsewhere, but that is complete as a node sees it (dra.md §4)."""
        moved = {pool for pool, slices in self.pools.items() if slices.stale}
        newest = {pool: self.pools[pool].current[0].object.spec.pool.generation for pool in moved}
        seen: set[tuple[DeviceId, str]] = set()
        for pools in self.pools_by_node.values() if moved else ():
            for pool in pools.values():
                for device in pool.devices if pool.id in moved and pool.state is PoolState.COMPLETE else ():
                    key = (device.id, device.slice.metadata.name)
                    if device.slice.spec.pool.generation != newest[pool.id] and key not in seen:
                        seen.add(key)
                        yield device

    def place_of_slice(self, slice_: ResourceSlice) -> Place:
        """Where a slice stands."""
        return self.cluster.places[ObjectRef("ResourceSlice", "", slice_.metadata.name)]

    @cached_property
    def pools_by_node(self) -> Mapping[str, Mapping[PoolId, Pool]]:
        """The pools as each node sees them."""
        return {
            name: {pool.id: pool for pool in self.cluster.pools.for_node(node)}
            for name, node in self.cluster.nodes.items()
        }

    @cached_property
    def devices_by_node(self) -> Mapping[str, frozenset[DeviceId]]:
        """The devices that a node sees, also those of pools that are not complete: that is another mistake."""
        return {
            name: frozenset(
                device.id
                for pool in pools.values()
                for device in pool.devices
                if not device.slice.spec.perDeviceNodeSelection or _is_for(device, self.cluster.nodes[name])
            )
            for name, pools in self.pools_by_node.items()
        }

    @cached_property
    def ids_on_nodes(self) -> frozenset[DeviceId]:
        """The devices that some node sees."""
        return frozenset[DeviceId]().union(*self.devices_by_node.values())

    def nodes_with(self, pool: PoolId, state: PoolState) -> str | None:
        """`on a and b` where some nodes see the pool in this state, nothing where all do or none is known.

        None where no node does. Completeness and validity are judged node by node (dra.md §4).
        """
        seen = {name: pools[pool].state for name, pools in self.pools_by_node.items() if pool in pools}
        found = [name for name, each in seen.items() if each is state]
        if not seen or len(found) == len(seen):
            return ""
        return f" on {listed(found)}" if found else None

    @cached_property
    def described_nodes(self) -> tuple[Node, ...]:
        """The nodes that stand in the input; others are known from what names them."""
        assumed = self.cluster.assumed_nodes
        return tuple(node for name, node in self.cluster.nodes.items() if name not in assumed)

    # --- what is asked for --------------------------------------------------------------------------------------------

    @cached_property
    def claims(self) -> tuple[ClaimAsked, ...]:
        """Claims that wait for devices and templates, as they are written; copies of a template are left out."""
        templates = [each for each in self.objects.of(ResourceClaimTemplate) if each.made_by is None]
        specs = [(each.ref.namespace, each.object.spec.spec) for each in templates]
        found = [
            self._claim(claim, claim.object.spec, claim.place.at("spec", "devices"))
            for claim in self.objects.of(ResourceClaim)
            if claim.made_by is None
            and claim.object.status.allocation is None
            and not (claim.metadata.controller and (claim.ref.namespace, claim.object.spec) in specs)
        ]
        found += [
            self._claim(each, each.object.spec.spec, each.place.at("spec", "spec", "devices")) for each in templates
        ]
        return tuple(found)

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        """Every request and alternative of them."""
        return tuple(asked for claim in self.claims for asked in claim.asked)

    def _claim(self, source: Sourced[Any], spec: ResourceClaimSpec, place: Place) -> ClaimAsked:
        metadata = ObjectMeta(name=source.ref.name, namespace=source.ref.namespace)
        claim = ResourceClaim(metadata=metadata, spec=spec)
        demand = demands_of(claim, self.cluster.classes, self.cluster.features)
        asked = []
        for number, request in enumerate(demand.requests):
            for index, alternative in enumerate(request.alternatives):
                steps = ("firstAvailable", index) if request.is_prioritized else ("exactly",)
                asked.append(Asked(alternative, place.at("requests", number, *steps), str(source.ref)))
        return ClaimAsked(source, spec, place, demand, tuple(asked))

    def matching(self, selectors: SelectorChain) -> Devices:
        """The devices for which all selectors are true; one at which they fail does not count.

        Equal selectors give the same tuple, and mostly so do those that say the same.
        """
        return self.answers.all_true(selectors.selectors, self.devices)

    def about(self, what: str, devices: Devices, compute: Callable[[Devices], T]) -> T:
        """A fact about devices, computed once for each tuple of them; `what` names it."""
        _, found = self.once((what, id(devices)), lambda: (devices, compute(devices)))
        return found

    def once(self, key: tuple[Hashable, ...], compute: Callable[[], T]) -> T:
        """A fact about the input, computed when it is first asked for; the key names it."""
        if key not in self._facts:
            self._facts[key] = compute()
        found: T = self._facts[key]
        return found

    def ids_of(self, devices: Devices) -> frozenset[DeviceId]:
        """The identities of devices."""
        return self.about("ids", devices, lambda each: frozenset(device.id for device in each))

    def drivers_of(self, devices: Devices) -> tuple[str, ...]:
        """Their drivers."""
        return self.about("drivers", devices, lambda each: tuple(dict.fromkeys(device.id.driver for device in each)))

    def most_on_a_node(self, devices: Devices) -> tuple[int, str]:
        """On how many of them one node can lay its hands at most, and which; nothing without nodes."""
        return self.about("most", devices, self._most_on_a_node)

    def _most_on_a_node(self, devices: Devices) -> tuple[int, str]:
        wanted = self.ids_of(devices)
        numbers = ((len(wanted & there), name) for name, there in self.devices_by_node.items())
        return max(numbers, key=lambda found: found[0], default=(0, ""))

    def chain_of_class(self, device_class: DeviceClass) -> SelectorChain:
        """The selectors of a class alone."""
        return chain_of(device_class.metadata.name, device_class.spec)

    # --- pods ---------------------------------------------------------------------------------------------------------

    @cached_property
    def pod_writings(self) -> tuple[PodWriting, ...]:
        """Every pod spec that somebody has written, once."""
        return tuple(_pod_writings(self.objects))

    def created(self, writing: PodWriting) -> Pod:
        """The pod of a spec as the API server stores it, whether or not anybody makes one now."""
        metadata = ObjectMeta(name=writing.source.ref.name, namespace=writing.namespace)
        pod = Pod(metadata=metadata, spec=writing.spec)
        is_stored = isinstance(writing.source.object, Pod) and not writing.source.is_new
        return pod if is_stored else self.admitted(pod)

    @cached_property
    def users(self) -> Mapping[ClaimRef, tuple[PodRef, ...]]:
        """The pods that use a claim and have not ended, in input order."""
        found: dict[ClaimRef, list[PodRef]] = {}
        for ref, pod in self.cluster.pods.items():
            if not is_terminal(pod):
                for name in dict.fromkeys(claims_by_entry(pod).values()):
                    if name is not None:
                        found.setdefault(ClaimRef(ref.namespace, name), []).append(ref)
        return {claim: tuple(pods) for claim, pods in found.items()}

    @cached_property
    def claim_entries(self) -> tuple[tuple[str, PodResourceClaim], ...]:
        """Every reference to a claim or template, with its namespace: of pods, workloads and groups of pods."""
        entries = [(each.namespace, entry) for each in self.pod_writings for entry in each.spec.resourceClaims or ()]
        for group in self.objects.of(PodGroup):
            entries += [(group.ref.namespace, entry) for entry in group.object.spec.resourceClaims or ()]
        for workload in self.objects.of(Workload):
            for template in workload.object.spec.podGroupTemplates or ():
                entries += [(workload.ref.namespace, entry) for entry in template.resourceClaims or ()]
        return tuple(entries)

    def written(self, source: Sourced[Any]) -> Sourced[Any]:
        """The object in the input that led to this one."""
        return written(source, self.by_ref)


def chain_of(class_name: str, spec: DeviceClassSpec, selectors: Sequence[DeviceSelector] = ()) -> SelectorChain:
    """The selectors of a class and of a request, compiled."""
    return SelectorChain.of(class_name, spec.selectors or (), ClaimRef("", ""), selectors)


def _is_for(device: PoolDevice, node: Node) -> bool:
    """Whether a device with node fields of its own is for the node; a selector that cannot be parsed is none."""
    return not why_unreadable(device.device.nodeSelector) and device.is_on(node)


def _by_age(pool: PoolId, members: Sequence[Sourced[ResourceSlice]]) -> PoolSlices:
    newest = max(each.object.spec.pool.generation for each in members)
    current = tuple(each for each in members if each.object.spec.pool.generation == newest)
    return PoolSlices(pool, current, tuple(each for each in members if each not in current))


def _pod_writings(objects: ObjectSet) -> Iterator[PodWriting]:
    """Pods and workloads that another object of the input controls were made from what that one says."""
    refs = {each.ref for each in objects}

    def is_own(source: Sourced[Any]) -> bool:
        owner = source.metadata.controller
        return source.made_by is None and (
            owner is None or ObjectRef(owner.kind, source.ref.namespace, owner.name) not in refs
        )

    for pod in filter(is_own, objects.of(Pod)):
        yield PodWriting(pod, pod.object.spec, pod.place.at("spec"))
    for kind in _WITH_TEMPLATE:
        for owner in filter(is_own, objects.of(kind)):
            template: Any = owner.object
            yield PodWriting(owner, template.spec.template.spec, owner.place.at("spec", "template", "spec"))
    for job in filter(is_own, objects.of(CronJob)):
        spec = job.object.spec.jobTemplate.spec.template.spec
        yield PodWriting(job, spec, job.place.at("spec", "jobTemplate", "spec", "template", "spec"))
