"""What every rule of the search can do: accept a device and remember it, or refuse it and change nothing."""

from typing import Protocol

from dractl.problem.candidates import Candidate
from dractl.problem.demands import Demand
from dractl.problem.faults import AllocationFault


class Rule(Protocol):
    """A rule with memory of what this attempt has taken; `release` undoes the latest `take` of the same device."""

    def take(self, demand: Demand, candidate: Candidate) -> bool | AllocationFault:
        """Accept the device for the demand, or refuse it; a fault ends the attempt."""
        ...

    def release(self, demand: Demand, candidate: Candidate) -> None:
        """Forget a device that was accepted."""
        ...
