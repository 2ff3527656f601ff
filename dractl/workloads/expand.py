"""What the controllers around the scheduler would make of the input, one after the other."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from msgspec import Struct

from dractl.api.identities import PodRef
from dractl.api.objects import ObjectSet
from dractl.finding import Finding
from dractl.workloads.assumed import assume_nodes
from dractl.workloads.claims import make_claims
from dractl.workloads.cronjob import expand_cron_jobs
from dractl.workloads.daemonset import expand_daemon_sets
from dractl.workloads.deployment import expand_deployments
from dractl.workloads.job import expand_jobs
from dractl.workloads.naming import name_all
from dractl.workloads.other_schedulers import name_other_schedulers
from dractl.workloads.priority import resolve_priorities
from dractl.workloads.replicaset import expand_replica_sets, expand_replication_controllers
from dractl.workloads.reservations import release_reservations
from dractl.workloads.statefulset import expand_stateful_sets, placed_after
from dractl.workloads.steps import Step


class Expansion(Struct, frozen=True):
    """The input and everything that follows from it; what is made stands right behind what it is made for.

    `waiting` says for each pod that lacks a claim why: the resourceclaim controller's event for a template, the
    scheduler's text for a named claim (controllers.md §1, scheduling.md §3.1). Such pods are never tried.
    `after` maps each pod of an ordered StatefulSet to the one before it: the pod is made only once that one runs.
    """

    objects: ObjectSet
    findings: tuple[Finding, ...]
    waiting: Mapping[PodRef, str]
    after: Mapping[PodRef, PodRef]


_CONTROLLERS: Final[tuple[Callable[[ObjectSet], Step], ...]] = (
    assume_nodes,
    expand_cron_jobs,
    expand_deployments,
    expand_stateful_sets,  # before those whose pods take any free name
    expand_replica_sets,
    expand_replication_controllers,
    expand_daemon_sets,
    expand_jobs,
    resolve_priorities,
    name_other_schedulers,
    release_reservations,  # before claims are made: it frees names
)


def expand(objects: ObjectSet, gates: Collection[str] = frozenset()) -> Expansion:
    """Add the nodes, pods and claims that the input implies, and release what ended pods held.

    `gates` are the feature gates that are on.

    Expanding the result again changes nothing. Raises BadInput if no controller could work with a workload's field.
    """
    findings: list[Finding] = []
    current = name_all(objects)
    for controller in _CONTROLLERS:
        step = controller(current)
        current = step.objects
        findings += step.findings
    claims = make_claims(current, gates)
    return Expansion(claims.objects, tuple(findings), claims.waiting, placed_after(claims.objects))
