"""Facts about yes-or-no variables, in the words that the rules need. The solver behind them stays in this room."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import le
from typing import Final, NewType

from dractl.model.amounts import carry_weight, rows
from dractl.model.cp_sat import LOWEST, CpModel

Literal = NewType("Literal", int)
"""A variable, or with a negative number the opposite of one."""


def opposite(literal: Literal) -> Literal:
    """True exactly when the literal is false."""
    return Literal(~literal)


class Formula:
    """All facts that an answer has to satisfy. Every fact holds together with all others; none can be taken back."""

    def __init__(self) -> None:
        self.model: Final = CpModel()
        self._both: Final[dict[tuple[Literal, Literal], Literal]] = {}
        self._any: Final[dict[frozenset[Literal], Literal]] = {}

    def new(self) -> Literal:
        """One more variable."""
        return Literal(self.model.new_integer(0, 1))

    # --- facts -----------------------------------------------------------------------------------------------------

    def forbid(self, literal: Literal) -> None:
        """The literal is false."""
        self.model.add_all_of([opposite(literal)])

    def implies(self, condition: Literal, consequence: Literal) -> None:
        """If the one is true, so is the other."""
        self.model.add_all_of([consequence], given=[condition])

    def at_least_one(self, literals: Iterable[Literal]) -> None:
        """Not all of them are false."""
        self.model.add_at_least_one(literals)

    def at_most_one(self, literals: Iterable[Literal]) -> None:
        """No two of them are true; one that is named twice is false."""
        times = Counter(literals)
        for literal in [literal for literal, number in times.items() if number > 1]:
            self.forbid(literal)
        if len(times) > 1:
            self.model.add_at_most_one(times)

    def exactly_one(self, literals: Iterable[Literal]) -> None:
        """One of them is true, the others are false."""
        self.model.add_exactly_one(literals)

    def number_is(self, literals: Iterable[Literal], number: int, given: Literal) -> None:
        """So many of the literals are true if `given` is, and none of them otherwise."""
        self.model.add_linear([*((literal, 1) for literal in literals), (given, -number)], 0, 0)

    def number_is_exactly(self, literals: Iterable[Literal], number: int) -> None:
        """So many of the literals are true."""
        self.model.add_linear([(literal, 1) for literal in literals], number, number)

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

    def numbers_are_in_a_row(
        self, exactly: Sequence[Sequence[Literal]], at_most: Sequence[Sequence[Literal]], rows: Iterable[Sequence[int]]
    ) -> None:
        """There is a row with the numbers of true ones of each of `exactly`, and then limits on those of `at_most`."""
        columns: list[int] = []
        for literals in (*exactly, *at_most):
            column = self.model.new_integer(0, len(literals))
            lowest = 0 if len(columns) < len(exactly) else LOWEST
            self.model.add_linear([*((literal, 1) for literal in literals), (column, -1)], lowest, 0)
            columns.append(column)
        limits = [*(None for _ in exactly), *(len(literals) for literals in at_most)]
        within = {
            tuple(number if most is None else min(number, most) for number, most in zip(row, limits, strict=True))
            for row in rows
        }
        fitting = [row for row in sorted(within) if all(map(le, row, map(len, (*exactly, *at_most))))]
        if columns:
            self.model.add_table(columns, fitting)

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

    def _add_rows(self, amounts: dict[Literal, int], limit: int) -> None:
        carried: list[tuple[int, int]] = []
        for row in rows(tuple(amounts.values()), limit):
            terms = [*zip(amounts, row.coefficients, strict=True), *carried]
            if row.largest_carry:
                carry = self.model.new_integer(0, row.largest_carry)
                terms.append((carry, -carry_weight()))
                carried = [(carry, 1)]
            self.model.add_linear(terms, LOWEST, row.limit)
