"""Asking the solver: the most literals that can be true, and the first answer in an order of decisions."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum, auto
from math import floor
from typing import TYPE_CHECKING, Final

from dractl.model.formula import Formula, Literal

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

_SEED: Final = 1


class State(Enum):
    """What an answer is worth."""

    PROVEN = auto()
    FOUND = auto()
    IMPOSSIBLE = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class Answer:
    """`values` say of each variable whether it is true; they are there if anything was found. `bound` is proven."""

    state: State
    values: tuple[bool, ...] = ()
    bound: int = 0
    steps: int = 0

    def is_true(self, literal: Literal) -> bool:
        """What the answer says of a literal; false if nothing was found."""
        if not self.values:
            return False
        return self.values[literal] if literal >= 0 else not self.values[~literal]

    def number_of(self, literals: Iterable[Literal]) -> int:
        """How many of them are true."""
        return sum(self.is_true(literal) for literal in literals)


class Solving:
    """Several questions about one formula within one limit of time, in seconds."""

    def __init__(self, formula: Formula, *, time_limit_seconds: float, workers: int) -> None:
        self._formula = formula
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
        from ortools.sat.python import cp_model

        model = self._formula.model
        variables = [self._formula.variable(literal) for literal in decisions]
        model.add_decision_strategy(variables, cp_model.CHOOSE_FIRST, cp_model.SELECT_MAX_VALUE)
        solver = self._solver(1)
        solver.parameters.search_branching = cp_model.FIXED_SEARCH
        solver.parameters.cp_model_presolve = False
        solver.parameters.symmetry_level = 0
        if conflicts is not None:
            solver.parameters.max_number_of_conflicts = conflicts
        self._solve(solver)
        model.proto.search_strategy.clear()
        return self._answer(solver, 0)

    def _maximize(self, terms: Sequence[tuple[Literal, int]], start: Answer | None) -> Answer:
        from ortools.sat.python import cp_model

        model = self._formula.model
        literals = [self._formula.solver_literal(literal) for literal, _ in terms]
        weights = [weight for _, weight in terms]
        model.maximize(cp_model.LinearExpr.weighted_sum(literals, weights))
        for number, value in enumerate(start.values if start is not None else ()):
            model.add_hint(self._formula.variable(Literal(number)), value)
        solver = self._solver(self._workers)
        answer = self._answer(solver, floor(min(sum(weights), 1e-6 + self._solve(solver))))
        model.clear_hints()  # type: ignore[no-untyped-call]
        model.clear_objective()  # type: ignore[no-untyped-call]
        return answer

    def _solver(self, workers: int) -> "cp_model.CpSolver":
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = workers
        solver.parameters.random_seed = _SEED
        solver.parameters.catch_sigint_signal = False
        solver.parameters.max_time_in_seconds = max(self.seconds_left, 0.0)
        return solver

    def _solve(self, solver: "cp_model.CpSolver") -> float:
        """Solve, pay with time, and give the proven bound of what was to be maximized; infinite if there is none."""
        from ortools.sat.python import cp_model

        with ThreadPoolExecutor(1) as thread:  # Ctrl-C reaches Python only while its main thread is outside the solver
            solving = thread.submit(solver.solve, self._formula.model)
            try:
                status = solving.result()
            except KeyboardInterrupt:
                solver.stop_search()
                raise
        self.seconds_left -= solver.wall_time
        if status == cp_model.MODEL_INVALID:
            raise RuntimeError(f"the model is not valid: {self._formula.model.validate()}")
        known = status in (cp_model.OPTIMAL, cp_model.FEASIBLE) and self._formula.model.has_objective()
        return solver.best_objective_bound if known else float("inf")

    def _answer(self, solver: "cp_model.CpSolver", bound: int) -> Answer:
        from ortools.sat.python import cp_model

        response = solver.response_proto
        state = {
            cp_model.OPTIMAL: State.PROVEN,
            cp_model.FEASIBLE: State.FOUND,
            cp_model.INFEASIBLE: State.IMPOSSIBLE,
        }.get(response.status, State.UNKNOWN)
        values = self._formula.values(response.solution) if state in (State.PROVEN, State.FOUND) else []
        return Answer(state, tuple(values), bound, solver.num_branches)
