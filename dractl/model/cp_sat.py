"""The model as CP-SAT takes it, written straight into its messages: the fields are those of `cp_model.proto`.

OR-Tools' modelling layer is left out because it loads pandas, which takes longer than answering most questions does.
A literal is the number of a variable of 0 and 1, or that number's complement for the opposite, as in the messages.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

LOWEST: Final = -(2**63)
"""No lower limit."""


class CpModel:
    """Variables, what holds of them, and what a search shall aim at."""

    def __init__(self) -> None:
        from ortools.sat.python.cp_model_helper import CpModelProto

        self.proto: Final = CpModelProto()

    # --- variables -------------------------------------------------------------------------------------------------

    def new_integer(self, lowest: int, highest: int) -> int:
        """The number of one more variable."""
        number = len(self.proto.variables)
        self.proto.variables.add().domain.extend([lowest, highest])
        return number

    # --- what holds ------------------------------------------------------------------------------------------------

    def add_all_of(self, literals: Iterable[int], given: Iterable[int] = ()) -> None:
        """All are true if all of `given` are."""
        constraint = self.proto.constraints.add()
        constraint.enforcement_literal.extend(list(given))
        constraint.bool_and.literals.extend(list(literals))

    def add_at_least_one(self, literals: Iterable[int]) -> None:
        """Not all are false."""
        self.proto.constraints.add().bool_or.literals.extend(list(literals))

    def add_at_most_one(self, literals: Iterable[int]) -> None:
        """No two are true."""
        self.proto.constraints.add().at_most_one.literals.extend(list(literals))

    def add_exactly_one(self, literals: Iterable[int]) -> None:
        """One is true, the others are false."""
        self.proto.constraints.add().exactly_one.literals.extend(list(literals))

    def add_linear(self, terms: Iterable[tuple[int, int]], lowest: int, highest: int) -> None:
        """The sum of coefficients and what they stand before is within the limits; a term is a literal or variable."""
        coefficients, constant = _by_variable(terms)
        linear = self.proto.constraints.add().linear
        linear.vars.extend(list(coefficients))
        linear.coeffs.extend(list(coefficients.values()))
        linear.domain.extend([lowest if lowest == LOWEST else lowest - constant, highest - constant])

    def add_table(self, variables: Sequence[int], rows: Iterable[Sequence[int]]) -> None:
        """The values of the variables are those of one row."""
        table = self.proto.constraints.add().table
        for variable in variables:
            expression = table.exprs.add()
            expression.vars.append(variable)
            expression.coeffs.append(1)
        table.values.extend([value for row in rows for value in row])

    # --- what a search aims at -------------------------------------------------------------------------------------

    def maximize(self, terms: Iterable[tuple[int, int]]) -> None:
        """Make the sum of the weights of what is true as large as possible; a term is a literal and its weight."""
        weights, constant = _by_variable(terms)
        objective = self.proto.objective
        objective.vars.extend(list(weights))
        objective.coeffs.extend([-weight for weight in weights.values()])
        objective.offset = -constant
        objective.scaling_factor = -1.0

    def start_from(self, values: Iterable[tuple[int, int]]) -> None:
        """Values of variables from which the search starts."""
        hint = self.proto.solution_hint
        for variable, value in values:
            hint.vars.append(variable)
            hint.values.append(value)

    def decide_in_order(self, variables: Iterable[int]) -> None:
        """Decide the first variable first, and try its largest value first."""
        from ortools.sat.python.cp_model_helper import DecisionStrategyProto

        strategy = self.proto.search_strategy.add()
        for variable in variables:
            expression = strategy.exprs.add()
            expression.vars.append(variable)
            expression.coeffs.append(1)
        strategy.variable_selection_strategy = DecisionStrategyProto.VariableSelectionStrategy.CHOOSE_FIRST
        strategy.domain_reduction_strategy = DecisionStrategyProto.DomainReductionStrategy.SELECT_MAX_VALUE

    def aim_at_nothing(self) -> None:
        """Only what holds remains."""
        self.proto.clear_objective()
        self.proto.clear_solution_hint()
        self.proto.search_strategy.clear()


def _by_variable(terms: Iterable[tuple[int, int]]) -> tuple[dict[int, int], int]:
    """The coefficient of each variable, and a constant: the opposite of x is 1 - x."""
    coefficients: defaultdict[int, int] = defaultdict(int)
    constant = 0
    for literal, coefficient in terms:
        if literal >= 0:
            coefficients[literal] += coefficient
        else:
            coefficients[~literal] -= coefficient
            constant += coefficient
    return coefficients, constant
