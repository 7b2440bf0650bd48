"""Declaring invariants."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode, program
from polytrix.core.compile.programs import as_argument
from polytrix.core.invariants import invariant, invariants_in
from polytrix.core.rules import check
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record, RecordArray
from tests.toys import SECRET


@invariant
def the_pile_is_small(before: Record, s: Record) -> bool:
    return s.pile < 20


def no_invariant(before: Record, s: Record) -> bool:
    return False


@invariant
def numbers(before: Record, s: Record) -> bool:
    """A1: the first
    number is dealt.
    """
    return s.secret[0] >= 0


HELD = invariants_in(globals())


def test_names_and_docstrings_are_texts_in_the_order_of_the_module() -> None:
    assert HELD.texts == ("the pile is small", "A1: the first number is dealt")


def first_broken(states: RecordArray) -> int:
    return check(states[0], states[0])


@pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.CHECKED], ids=lambda mode: mode.value)
def test_check_numbers_the_first_that_is_broken(mode: Mode) -> None:
    states = Simulator(SECRET, 1, seed=1, mode=Mode.PLAIN).states
    run = program(first_broken, {check: HELD.check}, mode, "test-first_broken")
    s = states[0]
    for pile, secret, number in ((19, 0, 0), (19, -1, 2), (20, 0, 1), (20, -1, 1)):
        s.pile, s.secret[0] = pile, secret
        assert run(as_argument(states, mode)) == number


def test_a_module_without_invariants_checks_nothing() -> None:
    none = invariants_in({"numbers": np.zeros(1), "no_invariant": no_invariant})
    s = Simulator(SECRET, 1, seed=1, mode=Mode.PLAIN).states[0]
    assert (none.texts, none.check(s, s)) == ((), 0)
