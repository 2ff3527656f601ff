"""KubeSchedulerConfiguration files: what of the default profile is honoured, and what is named because it is not.

The file is the scheduler's own and never reaches an API server; field names and defaults are those of
kubescheduler.config.k8s.io/v1.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from dractl.api.core import Pod
from dractl.api.objects import ObjectSet
from dractl.api.resource import ResourceClaim, ResourceClaimTemplate
from dractl.api.scheduler_configuration import (
    DEFAULT_WEIGHTS,
    FILTERS,
    ConfiguredSpread,
    SchedulerConfiguration,
    ScoringStrategy,
    ScoringType,
)
from dractl.errors import BadInput, Fault, FieldPath, Place
from dractl.finding import Finding, Severity
from dractl.manifests.document import read_document
from dractl.manifests.scheduler_checks import Objection, objections
from dractl.manifests.source import Source, decode, split

KIND: Final = "KubeSchedulerConfiguration"
GROUP: Final = "kubescheduler.config.k8s.io"
_DEVICES: Final = "DynamicResources"
_DEFAULT_PROFILE: Final = "default-scheduler"
_DURATION: Final = re.compile(r"(-?)((?:\d+(?:\.\d+)?(?:h|ms|us|µs|ns|m|s))+|0)")
_PART: Final = re.compile(r"(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)")
_SECONDS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_OTHER_PLUGINS: Final = frozenset(
    {
        "PrioritySort",
        "SchedulingGates",
        _DEVICES,
        "DefaultPreemption",
        "DefaultBinder",
        "GangScheduling",
        "NodeDeclaredFeatures",
        "NodeVolumeLimits",
        "VolumeBinding",
        "VolumeRestrictions",
        "VolumeZone",
    }
)
_POINTS: Final = ("multiPoint", "filter", "score", "postFilter")


class SchedulerReading(Struct, frozen=True):
    """The configuration, the default one if there is none, and what is to be said about it."""

    configuration: SchedulerConfiguration = field(default_factory=SchedulerConfiguration)
    findings: tuple[Finding, ...] = ()
    faults: tuple[Fault, ...] = ()


def read_scheduler_configuration(sources: Sequence[Source], asked: str = "") -> SchedulerReading:
    """The configuration in these files; a second one is a fault, and so is none in the file `asked` for."""
    found = [each for source in sources for each in _documents(source)]
    if asked and all(place.origin.file != asked for _, place in found):
        nothing = Fault(f"holds no {KIND}", f"write apiVersion: {GROUP}/v1 and kind: {KIND}", file=asked)
        return SchedulerReading(faults=(nothing,))
    if not found:
        return SchedulerReading()
    data, place = found[0]
    reader = _Reader(place)
    for _, other in found[1:]:
        reader.fault(f"a second {KIND}; the scheduler reads one", "take one of them out", place=other)
    version = str(data.get("apiVersion", ""))
    if version != f"{GROUP}/v1":
        reader.fault(f"{version} is not a version of {KIND} that v1.37 reads", f"write {GROUP}/v1", ("apiVersion",))
        return SchedulerReading(faults=tuple(reader.faults))
    configuration = reader.read(data)
    for each in objections(data, {*DEFAULT_WEIGHTS, *FILTERS, *_OTHER_PLUGINS}):
        reader.object_to(each)
    return SchedulerReading(configuration, tuple(reader.findings), tuple(reader.faults))


def forbidden(configuration: SchedulerConfiguration, gates: Collection[str]) -> Iterator[Fault]:
    """Timeouts that are set while the gates for them are off (gates.md §2); `gates` are those that are on."""
    needs = {
        "filterTimeout": (("DRASchedulerFilterTimeout",), "DRASchedulingFilterTimeout feature gate is disabled"),
        "bindingTimeout": (
            ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"),
            "DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled",
        ),
    }
    for name, place in configuration.timeouts.items():
        wanted, text = needs[name]
        if not all(gate in gates for gate in wanted):
            yield Fault(f"{KIND}: {name}: Forbidden: {text}", "take the field out, or turn the gate on", place=place)


def unserved_claims(configuration: SchedulerConfiguration, objects: ObjectSet) -> Iterator[Finding]:
    """That nobody allocates devices although pods have claims."""
    pods = sum(bool(pod.object.spec.resourceClaims) for pod in objects.of(Pod))
    claims = len(objects.of(ResourceClaim)) + len(objects.of(ResourceClaimTemplate))
    if configuration.without_devices is not None and (pods or claims):
        message = f"without {_DEVICES} the scheduler allocates no devices, and the input has claims"
        remedy = "leave the plugin on in the profile that schedules pods with claims"
        yield Finding("scheduler/no-devices", Severity.WARNING, message, configuration.without_devices, KIND, remedy)


def _documents(source: Source) -> Iterator[tuple[Mapping[str, Any], Place]]:
    """Texts with faults are left to the reader of manifests, which names them."""
    if KIND.encode() not in source.content:
        return
    try:
        text = decode(source)
    except BadInput:
        return
    for document in split(source.name, text):
        tree = read_document(document)
        if isinstance(tree.value, dict) and tree.value.get("kind") == KIND:
            yield tree.value, Place(document.origin)


class _Reader:
    """One configuration, field by field."""

    def __init__(self, place: Place) -> None:
        self._place: Final = place
        self.findings: Final[list[Finding]] = []
        self.faults: Final[list[Fault]] = []
        self._timeouts: Final[dict[str, Place]] = {}

    # --- what is to be said ---

    def fault(self, message: str, remedy: str = "", path: FieldPath = (), *, place: Place | None = None) -> None:
        at = (place or self._place).at(*path)
        self.faults.append(Fault(f"{KIND}: {message}", remedy, place=at))

    def object_to(self, objection: Objection) -> None:
        if objection.is_fault:
            self.fault(objection.message, objection.remedy, objection.path)
        else:
            place = self._place.at(*objection.path)
            self.findings.append(
                Finding("scheduler/mistake", Severity.WARNING, objection.message, place, KIND, objection.remedy)
            )

    def ignore(self, what: str, path: FieldPath) -> None:
        message = f"{what} is not part of the prediction"
        self.findings.append(Finding("scheduler/ignored", Severity.WARNING, message, self._place.at(*path), KIND))

    def mapping(self, value: Any, path: FieldPath) -> Mapping[str, Any]:
        if isinstance(value, dict) or value is None:
            return value or {}
        self.fault("a mapping is wanted here", "", path)
        return {}

    def items(self, value: Any, path: FieldPath) -> list[tuple[FieldPath, Mapping[str, Any]]]:
        if value is not None and not isinstance(value, list):
            self.fault("a list is wanted here", "", path)
            return []
        return [((*path, number), self.mapping(each, (*path, number))) for number, each in enumerate(value or ())]

    def number(self, value: Any, path: FieldPath, default: int) -> int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if value is not None:
            self.fault("a whole number is wanted here", "", path)
        return default

    # --- the configuration ---

    def read(self, data: Mapping[str, Any]) -> SchedulerConfiguration:
        if "extenders" in data:
            self.ignore("extenders", ("extenders",))
        chosen = SchedulerConfiguration()
        for path, profile in self.items(data.get("profiles"), ("profiles",)):
            name = profile.get("schedulerName", _DEFAULT_PROFILE)
            if name == _DEFAULT_PROFILE:
                chosen = self.profile(profile, path)
            else:
                self.ignore(f"profile {name}", path)
        share = self.number(data.get("percentageOfNodesToScore"), ("percentageOfNodesToScore",), 0)
        return replace(chosen, looks_at_all_nodes=share >= 100, timeouts=MappingProxyType(self._timeouts))

    def profile(self, profile: Mapping[str, Any], path: FieldPath) -> SchedulerConfiguration:
        chosen = self.plugins(self.mapping(profile.get("plugins"), (*path, "plugins")), (*path, "plugins"))
        share = self.number(profile.get("percentageOfNodesToScore"), (*path, "percentageOfNodesToScore"), 0)
        chosen = replace(chosen, looks_at_all_nodes=share >= 100)
        readers: Mapping[str, Callable[..., SchedulerConfiguration]] = {
            "NodeResourcesFit": self.fit,
            "NodeResourcesBalancedAllocation": self.balance,
            _DEVICES: self.devices,
            "InterPodAffinity": self.affinity,
            "PodTopologySpread": self.spread,
        }
        for at, entry in self.items(profile.get("pluginConfig"), (*path, "pluginConfig")):
            name = str(entry.get("name", ""))
            args = self.mapping(entry.get("args"), (*at, "args"))
            if name in readers:
                chosen = readers[name](chosen, args, (*at, "args"))
            elif {*args} - {"apiVersion", "kind"}:
                self.ignore(f"the configuration of plugin {name}", at)
        return chosen

    def plugins(self, plugins: Mapping[str, Any], path: FieldPath) -> SchedulerConfiguration:
        weights, filters, preempts = dict(DEFAULT_WEIGHTS), set(FILTERS), True
        without_devices: Place | None = None
        for point, value in plugins.items():
            at = (*path, point)
            if point not in _POINTS:
                self.ignore(f"extension point {point}", at)
                continue
            change = self.mapping(value, at)
            everywhere = point == "multiPoint"
            for where, entry in self.items(change.get("disabled"), (*at, "disabled")):
                name = self._name(entry, where)
                gone = {*DEFAULT_WEIGHTS, *FILTERS, *_OTHER_PLUGINS} if name == "*" else {name}
                if everywhere or point == "score":
                    weights = {each: weight for each, weight in weights.items() if each not in gone}
                if everywhere or point == "filter":
                    filters -= gone
                    if _DEVICES in gone:
                        self.ignore(f"doing without plugin {_DEVICES}", where)
                        without_devices = self._place.at(*where)
                if everywhere or point == "postFilter":
                    preempts = preempts and "DefaultPreemption" not in gone
            for where, entry in self.items(change.get("enabled"), (*at, "enabled")):
                name = self._name(entry, where)
                if name in DEFAULT_WEIGHTS and (everywhere or point == "score"):
                    weights[name] = self.number(entry.get("weight"), (*where, "weight"), 0) or 1
                if name in FILTERS and (everywhere or point == "filter"):
                    filters.add(name)
                preempts = preempts or name == "DefaultPreemption"
                without_devices = None if name == _DEVICES else without_devices
        return SchedulerConfiguration(
            weights=MappingProxyType(weights),
            disabled_filters=frozenset(FILTERS) - filters,
            preempts=preempts,
            without_devices=without_devices,
        )

    def _name(self, entry: Mapping[str, Any], path: FieldPath) -> str:
        name = str(entry.get("name", ""))
        if name not in {"*", *DEFAULT_WEIGHTS, *FILTERS, *_OTHER_PLUGINS}:
            self.ignore(f"plugin {name}", path)
        return name

    # --- arguments of plugins ---

    def fit(self, chosen: SchedulerConfiguration, args: Mapping[str, Any], path: FieldPath) -> SchedulerConfiguration:
        at = (*path, "scoringStrategy")
        ignored, groups = args.get("ignoredResources") or (), args.get("ignoredResourceGroups") or ()
        chosen = replace(
            chosen, ignored_resources=frozenset(map(str, ignored)), ignored_groups=frozenset(map(str, groups))
        )
        if args.get("scoringStrategy") is None:
            return chosen
        strategy = self.mapping(args["scoringStrategy"], at)
        name = strategy.get("type", ScoringType.LEAST_ALLOCATED)
        if name not in list(ScoringType):
            self.fault(f"{name} is no scoring strategy", f"write {', '.join(ScoringType)}", (*at, "type"))
            return chosen
        resources = {
            str(each.get("name", "")): self.number(each.get("weight"), (*where, "weight"), 0) or 1
            for where, each in self.items(strategy.get("resources"), (*at, "resources"))
        }
        ratio = self.mapping(strategy.get("requestedToCapacityRatio"), (*at, "requestedToCapacityRatio"))
        shape = tuple(
            (self.number(each.get("utilization"), where, 0), self.number(each.get("score"), where, 0))
            for where, each in self.items(ratio.get("shape"), (*at, "requestedToCapacityRatio", "shape"))
        )
        if name == ScoringType.REQUESTED_TO_CAPACITY_RATIO and not shape:
            self.fault("at least one point must be specified", "", (*at, "requestedToCapacityRatio", "shape"))
        found = ScoringStrategy(ScoringType(name), MappingProxyType(resources or {"cpu": 1, "memory": 1}), shape)
        return replace(chosen, scoring=found)

    def balance(
        self, chosen: SchedulerConfiguration, args: Mapping[str, Any], path: FieldPath
    ) -> SchedulerConfiguration:
        for where, each in self.items(args.get("resources"), (*path, "resources")):
            if each.get("weight", 1) not in (0, 1):
                self.fault("resource weight not equal to 1", "write weight: 1", (*where, "weight"))
        names = [str(each.get("name", "")) for _, each in self.items(args.get("resources"), (*path, "resources"))]
        return replace(chosen, balanced_resources=tuple(names)) if names else chosen

    def devices(
        self, chosen: SchedulerConfiguration, args: Mapping[str, Any], path: FieldPath
    ) -> SchedulerConfiguration:
        waiting = self.duration(args, "filterTimeout", path, chosen.filter_timeout)
        binding = self.duration(args, "bindingTimeout", path, chosen.binding_timeout)
        if waiting < timedelta(0):
            self.fault("filterTimeout: must be zero or positive", "", (*path, "filterTimeout"))
        if binding < timedelta(seconds=1):
            self.fault("bindingTimeout: must be at least 1 second", "", (*path, "bindingTimeout"))
        return replace(chosen, filter_timeout=waiting, binding_timeout=binding)

    def duration(self, args: Mapping[str, Any], name: str, path: FieldPath, default: timedelta) -> timedelta:
        value = args.get(name)
        if value is None:
            return default
        self._timeouts[name] = self._place.at(*path, name)
        match = _DURATION.fullmatch(str(value))
        if match is None:
            self.fault(f"{name}: {value} is not a duration", "write it like 30s or 2m", (*path, name))
            return default
        total = sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(match[2]))
        return timedelta(seconds=-total if match[1] else total)

    def affinity(
        self, chosen: SchedulerConfiguration, args: Mapping[str, Any], path: FieldPath
    ) -> SchedulerConfiguration:
        weight = self.number(args.get("hardPodAffinityWeight"), (*path, "hardPodAffinityWeight"), 1)
        if not 0 <= weight <= 100:
            self.fault("hardPodAffinityWeight: not in valid range [0-100]", "", (*path, "hardPodAffinityWeight"))
        ignores = bool(args.get("ignorePreferredTermsOfExistingPods"))
        return replace(chosen, hard_affinity_weight=weight, ignores_preferences_of_existing_pods=ignores)

    def spread(
        self, chosen: SchedulerConfiguration, args: Mapping[str, Any], path: FieldPath
    ) -> SchedulerConfiguration:
        if args.get("defaultingType", "System") != "List":
            return chosen
        spreads = []
        for where, each in self.items(args.get("defaultConstraints"), (*path, "defaultConstraints")):
            if each.get("whenUnsatisfiable") != "ScheduleAnyway":
                self.ignore("a default constraint that must hold", where)
                continue
            skew = self.number(each.get("maxSkew"), (*where, "maxSkew"), 1)
            spreads.append(ConfiguredSpread(str(each.get("topologyKey", "")), skew))
        return replace(chosen, spreads=tuple(spreads))
