"""Unit tests of random play: who decides, and what payoffs must satisfy."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core import random_play
from polytrix.core.compile.compiler import Mode, program
from polytrix.core.drivers import GREEDY, RANDOM
from polytrix.core.inspection import BAD_PAYOFF, FINE
from polytrix.core.random_play import MIXED, ONE_IN, chooser_of
from polytrix.core.rules import payoff
from polytrix.core.state import FloatArray, Record, new_records
from tests.core.test_random import generator
from tests.high import HIGH
from tests.toys import SECRET

THROWS = 800


def choosers(kind: int, seat: int, key: int = 0) -> dict[int, int]:
    """How often each kind of policy decides for a seat, in a game of that key."""
    s = new_records(1, SECRET.state)[0]
    s.mover, s.generator.key = seat, key
    lot = generator(7)
    kinds, counts = np.unique([chooser_of(s, kind, lot) for _ in range(THROWS)], return_counts=True)
    return dict(zip(kinds.tolist(), counts.tolist(), strict=True))


def test_random_play_is_random() -> None:
    assert choosers(RANDOM, 0) == {RANDOM: THROWS}


@pytest.mark.parametrize(("kind", "seat", "key"), [(GREEDY, 0, 0), (MIXED, 0, 0b101), (MIXED, 2, 0b101)])
def test_a_greedy_seat_decides_at_random_once_in_a_while(kind: int, seat: int, key: int) -> None:
    found = choosers(kind, seat, key)
    assert set(found) == {RANDOM, GREEDY}
    expected = THROWS / ONE_IN
    assert abs(found[RANDOM] - expected) < 5 * np.sqrt(expected)


@pytest.mark.parametrize(("seat", "key"), [(0, 0), (0, 0b1110), (1, 0b101), (3, 0b101)])
def test_in_mixed_play_the_bits_of_the_seed_say_which_seats_are_random(seat: int, key: int) -> None:
    assert choosers(MIXED, seat, key) == {RANDOM: THROWS}


# -- the end of a game --------------------------------------------------------------------


def scored(s: Record, out: FloatArray) -> None:
    """Payoffs from a table."""
    out[:] = PAID


PAID = np.zeros(4, np.float32)


@pytest.mark.parametrize(
    ("paid", "fault"),
    [
        ([1.0, 0.0, 0.0, 0.0], BAD_PAYOFF),
        ([1.0, 1.0, -3.0, 0.0], BAD_PAYOFF),
        ([2e-6, 0.0, 0.0, 0.0], BAD_PAYOFF),  # too much for rounding of such small numbers
        ([-2e-6, 0.0, 0.0, 0.0], BAD_PAYOFF),
        ([np.nan, 0.0, 0.0, 0.0], BAD_PAYOFF),
        ([1 / 3, 1 / 3, -2 / 3, 0.0], FINE),
        ([1e6, -1e6 + 1, -0.5, 0.0], FINE),
        ([5e-7, 0.0, 0.0, 0.0], FINE),
    ],
)
def test_payoffs_sum_to_zero_but_for_rounding(paid: list[float], fault: int) -> None:
    PAID[:] = paid
    s = new_records(1, HIGH.state)[0]
    s.num_players, s.generator.key = 3, 5
    tally, found = np.zeros(random_play.MOST_LEGAL + 1, np.int64), np.zeros(4, np.int64)
    end = program(random_play.end, {payoff: scored}, Mode.PLAIN, "end")
    assert end(s, np.full(4, 9.0, np.float32), tally, found) == fault
    assert tally.any() == (fault == FINE)
    assert (s.generator.key != 5) == (fault == FINE)  # the next game is at hand, or nothing has changed
