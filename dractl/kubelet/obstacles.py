"""Everything in a configuration that keeps a kubelet from starting: it says only the first itself."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from dractl.errors import FieldPath
from dractl.kubelet import cpu_policy, memory_policy
from dractl.kubelet.merging import Scope, TopologyPolicyName
from dractl.kubelet.options import CpuOption, TopologyOption
from dractl.kubelet.reservations import MEMORY_AVAILABLE, Stage
from dractl.kubelet.starting import StartFailure
from dractl.machine.configuration import KubeletConfiguration
from dractl.near_misses import did_you_mean, nearest
from dractl.phrases import listed

_KNOWN: Final[Mapping[str, tuple[str, ...]]] = {
    "cpuManagerPolicy": (cpu_policy.STATIC, cpu_policy.NONE),
    "memoryManagerPolicy": (memory_policy.STATIC, memory_policy.NONE),
    "topologyManagerPolicy": tuple(map(str, TopologyPolicyName)),
    "topologyManagerScope": tuple(map(str, Scope)),
    "cpuManagerPolicyOptions": tuple(map(str, CpuOption)),
    "topologyManagerPolicyOptions": tuple(map(str, TopologyOption)),
}
"""By field, the values or names of options that a kubelet on Linux knows."""
_POLICIES: Final[Mapping[Stage, str]] = {
    Stage.RESERVED_CPUS: "reservedSystemCPUs",
    Stage.TOPOLOGY: "topologyManagerPolicy",
    Stage.CPU: "cpuManagerPolicy",
    Stage.MEMORY: "memoryManagerPolicy",
}
_PLENTY_OF_NODES: Final = "1024"


def start_failures(
    configuration: KubeletConfiguration, start_with: Callable[[KubeletConfiguration], object]
) -> Iterator[StartFailure]:
    """All that would be said if whoever wrote the configuration put right one thing after the other.

    `start_with` starts the kubelet and answers with a StartFailure where it does not. Of two fields that exclude each
    other once the one and once the other is taken out: a third one may exclude both.
    """
    waiting, seen, told = [configuration], [configuration], set[str]()
    while waiting:
        tried = waiting.pop(0)
        failure = start_with(tried)
        if not isinstance(failure, StartFailure):
            continue
        if failure.message not in told:
            told.add(failure.message)
            yield failure
        for mended in _mended(tried, failure):
            if mended not in seen:
                seen.append(mended)
                waiting.append(mended)


def known_values(field: str) -> tuple[str, ...]:
    """What a kubelet on Linux knows as value of the field, or as names of options in it."""
    return _KNOWN.get(field, ())


def remedy_of(configuration: KubeletConfiguration, failure: StartFailure) -> str:
    """What was probably meant by a value, or the name of an option or an entry, that the kubelet does not know."""
    if (misspelt := _misspelt_entry(configuration, failure)) is not None:
        return f"did you mean {misspelt[1]}?"
    for field in failure.fields:
        known = known_values(str(field[0]))
        is_option = len(field) > 1
        word = field[1] if is_option else getattr(configuration, str(field[0]), "")
        if known and isinstance(word, str) and word and word not in known:
            return did_you_mean(word, known) or ("" if is_option else f"the kubelet knows {listed(known)}")
    return ""


def field_at_fault(configuration: KubeletConfiguration, failure: StartFailure) -> FieldPath:
    """A misspelt entry, else the last of the fields at fault that are written, else the policy that looks at it."""
    if (misspelt := _misspelt_entry(configuration, failure)) is not None:
        return misspelt[0]
    written = [field for field in failure.fields if _is_written(configuration, *map(str, field))]
    return written[-1] if written else (_POLICIES.get(failure.stage, str(failure.stage)),)


def _misspelt_entry(configuration: KubeletConfiguration, failure: StartFailure) -> tuple[FieldPath, str] | None:
    """An entry that the kubelet passes by, with the one that counts, is not there, and is nearly it or goes on so."""
    looked_up = [path for path in failure.fields if len(path) > 1]
    if ("reservedMemory",) in failure.fields:
        looked_up.append(("evictionHard", MEMORY_AVAILABLE))
    for field, entry in (map(str, path) for path in looked_up):
        entries = getattr(configuration, field) or {}
        begun = [written for written in entries if "." in written and entry.startswith(written)]
        if entry not in entries and (written := nearest(entry, entries) or next(iter(begun), "")):
            return (field, written), entry
    return None


def _is_written(configuration: KubeletConfiguration, field: str, entry: str = "") -> bool:
    value = getattr(configuration, field)
    return entry in value if entry and value else bool(value) and not entry


def _mended(configuration: KubeletConfiguration, failure: StartFailure) -> Iterator[KubeletConfiguration]:
    """The configuration with another value in a field at fault; gates that need each other are taken out together."""
    if failure.stage is Stage.GATES:
        for field in failure.fields:
            configuration = _without(configuration, *map(str, field))
        yield configuration
        return
    for field in failure.fields:
        yield _mended_at(configuration, failure.stage, *map(str, field))


def _mended_at(configuration: KubeletConfiguration, stage: Stage, field: str, entry: str = "") -> KubeletConfiguration:
    if entry == TopologyOption.MAX_NODES:
        return _with_entry(configuration, field, entry, _PLENTY_OF_NODES)
    if field == "reservedSystemCPUs" or (stage is Stage.CPU and (entry == "cpu" or _is_static(configuration, field))):
        return _with_one_cpu_reserved(configuration)
    if entry == "cpu":
        return _with_entry(configuration, field, entry, "1")
    if entry in ("memory", MEMORY_AVAILABLE):
        # What is set aside is not known any more, so that the memory manager's own reservations cannot be judged.
        return replace(_without(configuration, field, entry), memoryManagerPolicy="")
    if entry:
        return _without(configuration, field, entry)
    if field == "cpuManagerPolicyOptions":
        return replace(configuration, cpuManagerPolicyOptions=None)
    if field == "reservedMemory":
        return replace(configuration, memoryManagerPolicy="")
    return _with_meant_value(configuration, field)


def _is_static(configuration: KubeletConfiguration, field: str) -> bool:
    return field == "cpuManagerPolicy" and configuration.cpuManagerPolicy == cpu_policy.STATIC


def _with_meant_value(configuration: KubeletConfiguration, field: str) -> KubeletConfiguration:
    """The value that is nearly written; else the field's default, without the options that only a policy has."""
    meant = nearest(getattr(configuration, field), known_values(field))
    if field == "cpuManagerPolicy" and not meant:
        configuration = replace(configuration, cpuManagerPolicyOptions=None)
    return _with(configuration, field, meant)


def _with_one_cpu_reserved(configuration: KubeletConfiguration) -> KubeletConfiguration:
    without = _without(configuration, "systemReserved", "cpu")
    return _with_entry(replace(without, reservedSystemCPUs=""), "kubeReserved", "cpu", "1")


def _with_entry(configuration: KubeletConfiguration, field: str, entry: str, value: str) -> KubeletConfiguration:
    return _with(configuration, field, {**(getattr(configuration, field) or {}), entry: value})


def _without(configuration: KubeletConfiguration, field: str, entry: str) -> KubeletConfiguration:
    entries = getattr(configuration, field) or {}
    return _with(configuration, field, {name: value for name, value in entries.items() if name != entry})


def _with(configuration: KubeletConfiguration, field: str, value: object) -> KubeletConfiguration:
    changed: KubeletConfiguration = replace(configuration, **{field: value})
    return changed
