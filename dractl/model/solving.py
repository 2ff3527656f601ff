"""Asking the solver: the most literals that can be true, and the first answer in an order of decisions."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from math import floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.model.formula import Formula, Literal

if TYPE_CHECKING:
    from ortools.sat.python.cp_model_helper import CpSolverResponse, SatParameters

_SEED: Final = 1


class State(Enum):
    """What an answer is worth."""

    PROVEN = auto()
    FOUND = auto()
    IMPOSSIBLE = auto()
    UNKNOWN = auto()


class Answer(Struct, frozen=True):
    """The value of each variable of the model, there if anything was found. `bound` is proven."""

    state: State
    values: tuple[int, ...] = ()
    bound: int = 0
    steps: int = 0

    def is_true(self, literal: Literal) -> bool:
        """What the answer says of a literal; false if nothing was found."""
        if not self.values:
            return False
        return self.values[literal] == 1 if literal >= 0 else self.values[~literal] == 0

    def number_of(self, literals: Iterable[Literal]) -> int:
        """How many of them are true."""
        return sum(self.is_true(literal) for literal in literals)


class Solving:
    """Several questions about one formula within one limit of time, in seconds.

    `start` are variables of an answer that is likely to be possible: the first question starts from there.
    """

    def __init__(
        self,
        formula: Formula,
        *,
        time_limit_seconds: float,
        workers: int,
        start: Mapping[Literal, bool] = MappingProxyType({}),
    ) -> None:
        self._formula = formula
        self._start = start
        self.seconds_left = time_limit_seconds
        self._workers = workers

    def most(self, literals: Sequence[Literal], start: Answer | None = None) -> Answer:
        """An answer in which as many literals as possible are true, from `start` if there is one."""
        return self._maximize([(literal, 1) for literal in literals], start)

    def earliest(self, literals: Sequence[Literal], start: Answer) -> Answer:
        """An answer in which the earliest possible of some literals is true, no two of which are true together."""
        return self._maximize([(literal, len(literals) - place) for place, literal in enumerate(literals)], start)

    def first(self, decisions: Sequence[Literal], conflicts: int | None = None) -> Answer:
        """The answer in which the first decision is true if it can be, then the second, and so on.

        One worker decides in this order alone. What it learns only rules out what is impossible, so the first answer
        that it finds is the first of all. Presolve has to stay off: it does not keep the order. The search is ended
        after so many conflicts, the same way in every run.
        """
        from ortools.sat.python.cp_model_helper import SatParameters

        parameters = self._parameters(1)
        parameters.search_branching = SatParameters.SearchBranching.FIXED_SEARCH
        parameters.cp_model_presolve = False
        parameters.symmetry_level = 0
        if conflicts is not None:
            parameters.max_number_of_conflicts = conflicts
        self._formula.model.decide_in_order(decisions)
        return self._answer(self._solve(parameters))

    def _maximize(self, terms: Sequence[tuple[Literal, int]], start: Answer | None) -> Answer:
        self._formula.model.maximize(terms)
        self._formula.model.start_from(enumerate(start.values) if start is not None else self._start.items())
        response = self._solve(self._parameters(self._workers))
        answer = self._answer(response)
        most = sum(weight for _, weight in terms)
        known = answer.state in (State.PROVEN, State.FOUND)
        return replace(answer, bound=floor(min(most, 1e-6 + response.best_objective_bound)) if known else most)

    def _parameters(self, workers: int) -> "SatParameters":
        from ortools.sat.python.cp_model_helper import SatParameters

        parameters = SatParameters()
        parameters.num_workers = workers
        parameters.random_seed = _SEED
        parameters.catch_sigint_signal = False
        parameters.max_time_in_seconds = max(self.seconds_left, 0.0)
        return parameters

    def _solve(self, parameters: "SatParameters") -> "CpSolverResponse":
        """Solve and pay with time; what the search aimed at is forgotten then."""
        from ortools.sat.python.cp_model_helper import SolveWrapper

        solver = SolveWrapper()
        solver.set_parameters(parameters)
        model = self._formula.model
        with ThreadPoolExecutor(1) as thread:  # Ctrl-C reaches Python only while its main thread is outside the solver
            solving = thread.submit(solver.solve, model.proto)
            try:
                response: CpSolverResponse = solving.result()
            except KeyboardInterrupt:
                solver.stop_search()
                raise
        self.seconds_left -= response.wall_time
        model.aim_at_nothing()
        return response

    def _answer(self, response: "CpSolverResponse") -> Answer:
        from ortools.sat.python.cp_model_helper import CpSatHelper, CpSolverStatus

        if response.status == CpSolverStatus.MODEL_INVALID:
            raise RuntimeError(f"the model is not valid: {CpSatHelper.validate_model(self._formula.model.proto)}")
        state = {
            CpSolverStatus.OPTIMAL: State.PROVEN,
            CpSolverStatus.FEASIBLE: State.FOUND,
            CpSolverStatus.INFEASIBLE: State.IMPOSSIBLE,
        }.get(response.status, State.UNKNOWN)
        values = response.solution if state in (State.PROVEN, State.FOUND) else ()
        return Answer(state, tuple(values), steps=response.num_branches)
