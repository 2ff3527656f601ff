"""Whether roles let schedulers and drivers write the status of claims (controllers.md §5).

With DRAResourceClaimGranularStatusAuthorization, whoever may write `resourceclaims/status` needs further permission:
`resourceclaims/binding` for allocations and reservations, `resourceclaims/driver` for what a driver says of devices.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from dractl.api.objects import ObjectSet
from dractl.api.resource import ResourcePoolStatusRequest, ResourceSlice
from dractl.errors import Place
from dractl.finding import Finding, Severity
from dractl.gates import Gates
from dractl.observe.permissions import DRA, Grant, Holder, Permissions

_GRANULAR: Final = "DRAResourceClaimGranularStatusAuthorization"
_CLAIMS: Final = "resourceclaims"
_STATUS: Final = "resourceclaims/status"
_BINDING: Final = "resourceclaims/binding"
_DRIVER: Final = "resourceclaims/driver"
_REQUESTS: Final = "resourcepoolstatusrequests"
_CLUSTER_WIDE: Final = ("deviceclasses", "resourceslices", "devicetaintrules", _REQUESTS)
_ASSOCIATED: Final = "associated-node:"
_ARBITRARY: Final = "arbitrary-node:"
LACKING: Final = frozenset({"roles/status-alone", "roles/driver-alone", "roles/scheduler"})
"""What is said of permissions that a role may have meant to give with a word that is misspelt."""
_WRITES: Final = ("update", "patch")


class _World(Struct, frozen=True):
    """What the checks look at. `is_local` says of each driver whether all of its slices belong to single nodes."""

    permissions: Permissions
    gates: Gates
    is_local: Mapping[str, bool]
    requests: tuple[Place, ...]


def role_findings(objects: ObjectSet, gates: Gates) -> Iterator[Finding]:
    """What roles and bindings of the input grant in vain, too widely, or lack; each finding once for its place."""
    requests = tuple(each.place for each in objects.of(ResourcePoolStatusRequest))
    world = _World(Permissions(objects), gates, _locality(objects), requests)
    checks = (*(_GRANULAR_CHECKS if gates.is_on(_GRANULAR) else ()), *_PLAIN_CHECKS)
    seen: set[tuple[str, Place | None]] = set()
    for check in checks:
        for finding in check(world):
            if (finding.rule, finding.place) not in seen:
                seen.add((finding.rule, finding.place))
                yield finding


def _locality(objects: ObjectSet) -> Mapping[str, bool]:
    found: dict[str, bool] = {}
    for each in objects.of(ResourceSlice):
        driver = each.object.spec.driver
        found[driver] = found.get(driver, True) and _is_local(each.object)
    return found


def _is_local(slice_: ResourceSlice) -> bool:
    """Whether allocations of the slice's devices can be used on one node only."""
    spec = slice_.spec
    if spec.nodeName:
        return True
    devices = spec.devices or ()
    return all(device.bindsToNode or (spec.perDeviceNodeSelection and device.nodeName) for device in devices)


def _finding(
    rule: str, grant: Grant, message: str, remedy: str, *path: str | int, severity: Severity = Severity.WARNING
) -> Finding:
    return Finding(f"roles/{rule}", severity, message, grant.place.at(*path), grant.role, remedy)


# --- rules that never match, or match too much -----------------------------------------------------------------------


def _binding_without_a_name(world: _World) -> Iterator[Finding]:
    """`binding` is asked for without a name, so a rule with names never matches."""
    for grant in world.permissions.grants:
        if grant.names(DRA, _BINDING) and grant.rule.resourceNames:
            message = f"{_BINDING} with resourceNames never matches: the permission is asked for without a name"
            yield _finding("binding-names", grant, message, "take resourceNames out of this rule", "resourceNames")


def _binding_in_the_cluster(world: _World) -> Iterator[Finding]:
    """`binding` is asked for without a namespace, so a Role or a RoleBinding never matches."""
    yield from _in_vain_in_a_namespace(world, "binding-namespace", (_BINDING,), "is asked for without a namespace")


def _cluster_wide_kinds(world: _World) -> Iterator[Finding]:
    """Classes, slices, taint rules and requests for pool status have no namespace."""
    yield from _in_vain_in_a_namespace(world, "cluster-wide", _CLUSTER_WIDE, "has no namespace")


def _in_vain_in_a_namespace(world: _World, rule: str, resources: tuple[str, ...], because: str) -> Iterator[Finding]:
    remedy = "write a ClusterRole and bind it by a ClusterRoleBinding"
    for grant in world.permissions.grants:
        if grant.namespace is not None and (named := _named(grant, resources)):
            message = f"a Role that allows {named} never matches: {named} {because}"
            yield _finding(rule, grant, message, remedy, "resources")
    for binding, grants in world.permissions.bound_in_namespaces_only():
        for named in filter(None, (_named(grant, resources) for grant in grants)):
            message = f"a RoleBinding never gives {named} of {binding.object.roleRef.name}: {named} {because}"
            yield Finding(
                f"roles/{rule}",
                Severity.WARNING,
                message,
                binding.place.at("roleRef"),
                str(binding.ref),
                "bind the role by a ClusterRoleBinding",
            )


def _named(grant: Grant, resources: tuple[str, ...]) -> str:
    return next((resource for resource in resources if grant.names(DRA, resource)), "")


def _driver_verbs(world: _World) -> Iterator[Finding]:
    """`driver` is asked for with verbs that say which node it is about."""
    remedy = f"write {_ASSOCIATED}update and {_ASSOCIATED}patch for a driver that runs on its nodes"
    for grant in world.permissions.grants:
        if not grant.names(DRA, _DRIVER):
            continue
        verbs = grant.rule.verbs or []
        for number, verb in enumerate(verbs):
            if verb.endswith(":*"):
                message = f"the verb {verb} never matches: only `*` alone is a pattern"
                yield _finding("driver-verb", grant, message, remedy, "verbs", number)
        if not any(verb == "*" or ":" in verb for verb in verbs):
            message = (
                f"{', '.join(verbs)} on {_DRIVER} never matches: the verbs are {_ASSOCIATED}VERB or {_ARBITRARY}VERB"
            )
            yield _finding("driver-verb", grant, message, remedy, "verbs")


def _patterns(world: _World) -> Iterator[Finding]:
    """`resourceclaims/*` is no pattern."""
    for grant in world.permissions.grants:
        if grant.names(DRA, f"{_CLAIMS}/*"):
            number = (grant.rule.resources or []).index(f"{_CLAIMS}/*")
            message = f"{_CLAIMS}/* never matches: only `*` and `*/SUBRESOURCE` are patterns"
            yield _finding(
                "pattern", grant, message, f"write {_STATUS} and {_BINDING} or {_DRIVER}", "resources", number
            )


def _driver_names(world: _World) -> Iterator[Finding]:
    """`driver` is asked for by the driver's name."""
    for grant in world.permissions.grants:
        if not grant.names(DRA, _DRIVER):
            continue
        if not grant.rule.resourceNames:
            message = f"{_DRIVER} without resourceNames allows writing the device status of every driver"
            yield _finding("any-driver", grant, message, "write `resourceNames: [DRIVER]`", "resources")
        for number, name in enumerate(grant.rule.resourceNames or ()):
            if world.is_local and name not in world.is_local:
                message = f"no slice of the input bears the driver name {name}"
                remedy = f"the drivers of the input are {', '.join(sorted(world.is_local))}"
                yield _finding("unknown-driver", grant, message, remedy, "resourceNames", number)


def _nodes_of_drivers(world: _World) -> Iterator[Finding]:
    """`associated-node:` is for devices of one node, `arbitrary-node:` for the others."""
    for grant in world.permissions.grants:
        if not grant.names(DRA, _DRIVER):
            continue
        for name in grant.rule.resourceNames or ():
            verbs = grant.rule.verbs or ()
            local = world.is_local.get(name)
            if local is False and any(v.startswith(_ASSOCIATED) for v in verbs) and not _has_arbitrary(world, name):
                message = f"{_ASSOCIATED} does not suffice: slices of {name} are not bound to single nodes"
                yield _finding("spans-nodes", grant, message, f"write {_ARBITRARY}update, {_ARBITRARY}patch", "verbs")
            if local is True and any(verb.startswith(_ARBITRARY) for verb in verbs):
                message = f"{_ARBITRARY} is more than {name} needs: each of its slices belongs to one node"
                remedy = f"write {_ASSOCIATED}update and {_ASSOCIATED}patch"
                yield _finding("arbitrary-node", grant, message, remedy, "verbs", severity=Severity.INFO)


def _has_arbitrary(world: _World, driver: str) -> bool:
    return any(_may_write_devices(grant, f"{_ARBITRARY}update", driver) for grant in world.permissions.grants)


def _may_write_devices(grant: Grant, verb: str, driver: str | None = None) -> bool:
    """Whether the rule allows the verb on `driver` for some driver, or for this one."""
    names = grant.rule.resourceNames
    return grant.covers(DRA, _DRIVER) and grant.has_verb(verb) and (driver is None or not names or driver in names)


# --- what schedulers and drivers lack --------------------------------------------------------------------------------


def _status_alone(world: _World) -> Iterator[Finding]:
    """Writing the status needs `binding` or `driver` with the same verb."""
    for holder in world.permissions.holders:
        if not holder.is_known or _is_scheduler(holder):
            continue
        for grant in holder.grants:
            if not grant.names(DRA, _STATUS):
                continue
            refused = [verb for verb in _WRITES if grant.has_verb(verb) and not _may_write_status(holder, verb)]
            if refused:
                message = (
                    f"{holder.name} may {' and '.join(refused)} {_STATUS}, but every such write is refused: "
                    f"it needs {_BINDING} or {_DRIVER} as well"
                )
                yield _finding("status-alone", grant, message, _DRIVER_REMEDY, "resources")


_DRIVER_REMEDY: Final = (
    f"a driver needs a rule with resources [{_DRIVER}], resourceNames [DRIVER] and verbs "
    f"[{_ASSOCIATED}update, {_ASSOCIATED}patch]; who allocates needs {_BINDING}"
)


def _may_write_status(holder: Holder, verb: str) -> bool:
    devices = (f"{_ASSOCIATED}{verb}", f"{_ARBITRARY}{verb}")
    return holder.may(DRA, _BINDING, verb) or any(
        _may_write_devices(grant, each) for grant in holder.grants for each in devices
    )


def _driver_alone(world: _World) -> Iterator[Finding]:
    """`driver` comes on top of the permission to write the status; reading it is not enough."""
    for holder in world.permissions.holders:
        if not holder.is_known or any(_may_write(grant) for grant in holder.grants):
            continue
        for grant in holder.grants:
            if grant.names(DRA, _DRIVER):
                message = f"{holder.name} has {_DRIVER}, but may not write {_STATUS}"
                yield _finding("driver-alone", grant, message, f"add update and patch on {_STATUS}", "resources")


def _may_write(grant: Grant) -> bool:
    return grant.covers(DRA, _STATUS) and any(grant.has_verb(verb) for verb in _WRITES)


def _no_node_in_the_token(world: _World) -> Iterator[Finding]:
    """`associated-node:` counts for service accounts only, whose tokens name a node."""
    for holder in world.permissions.holders:
        subject = holder.subject
        if subject is None or subject.kind == "ServiceAccount" or subject.name.startswith("system:serviceaccount"):
            continue
        for grant in holder.grants:
            verbs = grant.rule.verbs or ()
            if grant.names(DRA, _DRIVER) and any(verb.startswith(_ASSOCIATED) for verb in verbs):
                message = f"{_ASSOCIATED} counts for nothing with {holder.name}: only the token of a pod names its node"
                yield _finding("no-node", grant, message, "bind the role to the driver's service account", "verbs")


def _scheduler_needs(world: _World) -> Iterator[Finding]:
    """A scheduler that allocates devices needs all of the list (controllers.md §5)."""
    for holder in world.permissions.holders:
        if not holder.is_known or holder.subject is None or not _is_scheduler(holder):
            continue
        missing = [
            f"{verb} {resource}"
            for group, resource, verbs in _needs(world.gates)
            for verb in verbs
            if not holder.may(group, resource, verb)
        ]
        place = next(grant for grant in holder.grants if DRA in (grant.rule.apiGroups or ()))
        if missing:
            message = f"{holder.name} binds pods and works with claims, but lacks in the cluster: {', '.join(missing)}"
            remedy = "add them to a ClusterRole that a ClusterRoleBinding gives"
            yield _finding("scheduler", place, message, remedy)


def _is_scheduler(holder: Holder) -> bool:
    """Whether somebody binds pods to nodes and has to do with devices."""
    binds = any(grant.names("", "pods/binding") and grant.has_verb("create") for grant in holder.grants)
    return binds and any(DRA in (grant.rule.apiGroups or ()) for grant in holder.grants)


def _needs(gates: Gates) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    reads = ("get", "list", "watch")
    makes = ("create", "delete") if gates.is_on("DRAExtendedResource") else ()
    yield DRA, _CLAIMS, (*reads, *_WRITES, *makes)
    yield DRA, _STATUS, _WRITES
    yield DRA, _BINDING, _WRITES
    yield DRA, "deviceclasses", reads
    yield DRA, "resourceslices", reads
    if gates.is_on("DRADeviceTaintRules"):
        yield DRA, "devicetaintrules", reads
    if gates.is_on("GenericWorkload"):
        yield "scheduling.k8s.io", "podgroups", reads
        yield "scheduling.k8s.io", "podgroups/status", _WRITES


# --- pool status -----------------------------------------------------------------------------------------------------


def _pool_status_gate(world: _World) -> Iterator[Finding]:
    """Controller and role exist only with the gate."""
    for grant in world.permissions.grants:
        if grant.names(DRA, _REQUESTS) and not world.gates.is_on("DRAResourcePoolStatus"):
            message = "nobody answers a ResourcePoolStatusRequest while DRAResourcePoolStatus is off"
            remedy = "turn the gate on, or take the rule out"
            yield _finding("pool-status-gate", grant, message, remedy, "resources", severity=Severity.INFO)


def _pool_status_requests(world: _World) -> Iterator[Finding]:
    """No default role lets people ask for pool status."""
    granted = any(grant.covers(DRA, _REQUESTS) and grant.has_verb("create") for grant in world.permissions.grants)
    for place in world.requests[: 0 if granted else 1]:
        message = "no default role lets people create ResourcePoolStatusRequests, and none of the input does"
        remedy = f"grant create, get, list, watch and delete on {_REQUESTS} in a ClusterRole"
        yield Finding("roles/pool-status", Severity.INFO, message, place, remedy=remedy)


_Check = Callable[[_World], Iterator[Finding]]
_GRANULAR_CHECKS: Final[tuple[_Check, ...]] = (
    _binding_without_a_name,
    _binding_in_the_cluster,
    _driver_verbs,
    _patterns,
    _driver_names,
    _nodes_of_drivers,
    _status_alone,
    _driver_alone,
    _no_node_in_the_token,
    _scheduler_needs,
)
_PLAIN_CHECKS: Final[tuple[_Check, ...]] = (_cluster_wide_kinds, _pool_status_gate, _pool_status_requests)
