"""The gates of one kubelet: the cluster's, changed by what its own configuration sets (kubelet.md §9)."""

from collections.abc import Mapping
from typing import Final

from dractl.gates import Gate, Stage, gates_of
from dractl.kubelet import reservations
from dractl.kubelet.demand import PodLevelGates
from dractl.kubelet.reservations import StartFault

_GROUPS: Final = {"AllAlpha": Stage.ALPHA, "AllBeta": Stage.BETA}


def gates_of_kubelet(release: str, cluster: frozenset[str], written: Mapping[str, bool]) -> frozenset[str]:
    """The names that are on, given those that are on in the cluster. Raises StartFault.

    Gates that dractl does not know change nothing here.
    """
    known = gates_of(release)
    states = {name: name in cluster for name in known}
    for group, stage in _GROUPS.items():
        if group in written:
            states |= {gate.name: written[group] for gate in known.values() if gate.stage is stage and not gate.locked}
    for name in sorted(written.keys() & known.keys()):
        gate, value = known[name], written[name]
        if gate.locked and value != gate.default:
            raise _fault(
                f"cannot set feature gate {name} to {_word(value)}, feature is locked to {_word(gate.default)}", name
            )
        states[name] = value
    on = frozenset(name for name, is_on in states.items() if is_on)
    _check_needs(known, on, written)
    return on


def pod_level_gates(on: frozenset[str]) -> PodLevelGates:
    """The two that decide about pods with pod-level resources."""
    return PodLevelGates("PodLevelResources" in on, "PodLevelResourceManagers" in on)


def _check_needs(known: Mapping[str, Gate], on: frozenset[str], written: Mapping[str, bool]) -> None:
    faults = []
    at_fault: list[str] = []
    for name in sorted(on):
        missing = [need for need in known[name].needs if need in known and need not in on]
        if missing:
            faults.append(f"{name} is enabled, but depends on features that are disabled: [{' '.join(missing)}]")
            at_fault += (each for each in (name, *missing) if each in written)
    if faults:
        raise _fault(faults[0] if len(faults) == 1 else f"[{', '.join(faults)}]", *at_fault)


def _fault(message: str, *names: str) -> StartFault:
    return StartFault(reservations.Stage.GATES, message, *(("featureGates", name) for name in names))


def _word(value: bool) -> str:
    return str(value).lower()
