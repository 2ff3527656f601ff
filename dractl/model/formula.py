"""Facts about yes-or-no variables, in the words that the rules need. The solver behind them stays in this room."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NewType

from dractl.model.amounts import carry_weight, rows

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Literal = NewType("Literal", int)
"""A variable, or with a negative number the opposite of one."""


def opposite(literal: Literal) -> Literal:
    """True exactly when the literal is false."""
    return Literal(~literal)


class Formula:
    """All facts that an answer has to satisfy. Every fact holds together with all others; none can be taken back."""

    def __init__(self) -> None:
        from ortools.sat.python import cp_model

        self.model: Final = cp_model.CpModel()
        self._variables: Final[list[cp_model.IntVar]] = []
        self._both: Final[dict[tuple[Literal, Literal], Literal]] = {}
        self._any: Final[dict[frozenset[Literal], Literal]] = {}

    def new(self) -> Literal:
        """One more variable."""
        self._variables.append(self.model.new_bool_var(""))
        return Literal(len(self._variables) - 1)

    def variable(self, literal: Literal) -> "cp_model.IntVar":
        """The solver's own object for a literal that is not the opposite of a variable."""
        return self._variables[literal]

    def solver_literal(self, literal: Literal) -> "cp_model.LiteralT":
        """The solver's own object for a literal."""
        return self._variables[literal] if literal >= 0 else self._variables[~literal].negated()

    def values(self, solution: Sequence[int]) -> list[bool]:
        """What a solution of the solver says of each variable."""
        return [solution[variable.index] != 0 for variable in self._variables]

    # --- facts -----------------------------------------------------------------------------------------------------

    def forbid(self, literal: Literal) -> None:
        """The literal is false."""
        self.model.add_bool_and([self.solver_literal(opposite(literal))])

    def implies(self, condition: Literal, consequence: Literal) -> None:
        """If the one is true, so is the other."""
        self.model.add_implication(self.solver_literal(condition), self.solver_literal(consequence))

    def at_least_one(self, literals: Iterable[Literal]) -> None:
        """Not all of them are false."""
        self.model.add_bool_or(self._all(literals))

    def at_most_one(self, literals: Iterable[Literal]) -> None:
        """No two of them are true; one that is named twice is false."""
        times = Counter(literals)
        for literal in [literal for literal, number in times.items() if number > 1]:
            self.forbid(literal)
        if len(times) > 1:
            self.model.add_at_most_one(self._all(times))

    def exactly_one(self, literals: Iterable[Literal]) -> None:
        """One of them is true, the others are false."""
        self.model.add_exactly_one(self._all(literals))

    def number_is(self, literals: Iterable[Literal], number: int, given: Literal) -> None:
        """So many of the literals are true if `given` is, and none of them otherwise."""
        from ortools.sat.python import cp_model

        terms = [*self._all(literals), self.solver_literal(given)]
        coefficients = [1] * (len(terms) - 1) + [-number]
        self.model.add(cp_model.LinearExpr.weighted_sum(terms, coefficients) == 0)

    def number_is_exactly(self, literals: Iterable[Literal], number: int) -> None:
        """So many of the literals are true."""
        from ortools.sat.python import cp_model

        self.model.add(cp_model.LinearExpr.sum(self._all(literals)) == number)

    def at_most(self, literals: Iterable[Literal], number: int) -> None:
        """No more than so many are true."""
        self.limit([(literal, 1) for literal in literals], number)

    def limit(self, terms: Iterable[tuple[Literal, int]], limit: int) -> None:
        """The amounts of all literals that are true together are within the limit, and so is each of them alone.

        Amounts may be of any size. One that is zero or less needs no room: it does not count, not even against a limit
        that is below zero from the start.
        """
        amounts: dict[Literal, int] = {}
        for literal, amount in terms:
            amounts[literal] = amounts.get(literal, 0) + max(amount, 0)
        for literal in [literal for literal, amount in amounts.items() if amount and amount > limit]:
            self.forbid(literal)
            del amounts[literal]
        self._add_rows({literal: amount for literal, amount in amounts.items() if amount}, limit)

    # --- variables that follow from others -------------------------------------------------------------------------

    def both(self, one: Literal, other: Literal) -> Literal:
        """A literal that is true exactly when both are."""
        key = (one, other) if one <= other else (other, one)
        if one == other:
            return one
        if key not in self._both:
            found = self._both[key] = self.new()
            self.implies(found, one)
            self.implies(found, other)
            self.at_least_one((opposite(one), opposite(other), found))
        return self._both[key]

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """A literal that is true exactly when at least one of them is."""
        known = tuple(dict.fromkeys(literals))
        if len(known) == 1:
            return known[0]
        key = frozenset(known)
        if key not in self._any:
            found = self._any[key] = self.new()
            for literal in known:
                self.implies(literal, found)
            self.at_least_one((opposite(found), *known))
        return self._any[key]

    # --- how it is written -----------------------------------------------------------------------------------------

    def _all(self, literals: Iterable[Literal]) -> "list[cp_model.LiteralT]":
        return [self.solver_literal(literal) for literal in literals]

    def _add_rows(self, amounts: dict[Literal, int], limit: int) -> None:
        from ortools.sat.python import cp_model

        terms = self._all(amounts)
        carried: Sequence[cp_model.IntVar] = ()
        for row in rows(tuple(amounts.values()), limit):
            carry = [self.model.new_int_var(0, row.largest_carry, "")] if row.largest_carry else []
            variables = [*terms, *carried, *carry]
            coefficients = [*row.coefficients, *[1] * len(carried), *[-carry_weight()] * len(carry)]
            self.model.add(cp_model.LinearExpr.weighted_sum(variables, coefficients) <= row.limit)
            carried = carry
