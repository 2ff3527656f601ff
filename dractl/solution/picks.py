"""What search and model hand over: devices chosen for the requests of claims, or why there are none."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from dractl.api.identities import ClaimRef
from dractl.problem.candidates import Candidate
from dractl.problem.demands import ClaimDemand, Demand
from dractl.problem.faults import AllocationFault


class Pick(Struct, frozen=True):
    """One device chosen for one request."""

    demand: Demand
    candidate: Candidate


class ClaimPicks(Struct, frozen=True):
    """All picks of one claim, in the order in which they were made."""

    claim: ClaimDemand
    picks: tuple[Pick, ...]

    def chosen(self) -> Mapping[str, Demand]:
        """The demand that was satisfied for each request: its only one, or the selected alternative."""
        return {pick.demand.ref.request: pick.demand for pick in self.picks}


class Tries(Struct, frozen=True):
    """How many devices the scheduler's own search tries to find out: `least`, or more unless all are counted."""

    least: int = 0
    are_all: bool = True

    def may_exceed(self, limit: int) -> bool:
        """Whether it is not sure that the search is at its end within so many."""
        return self.least > limit or not self.are_all


@dataclass(frozen=True, slots=True)
class Fitting:
    """The claims fit on the node: the picks of each, in the order of the claims."""

    claims: tuple[ClaimPicks, ...]
    tries: Tries = field(default=Tries(), compare=False)

    def of(self, claim: ClaimRef) -> ClaimPicks:
        """The picks of one claim; raises KeyError if it was not part of the problem."""
        for picks in self.claims:
            if picks.claim.ref == claim:
                return picks
        raise KeyError(claim)


@dataclass(frozen=True, slots=True)
class NoFit:
    """The claims do not fit on the node; other nodes may do."""

    tries: Tries = field(default=Tries(), compare=False)


class GaveUp(Struct, frozen=True):
    """The search was ended with nothing proven, after what the scheduler does in so many steps or more."""

    steps: int


Decision = Fitting | NoFit | AllocationFault | GaveUp
"""A fault that is not fatal concerns this node only."""
