"""Unit tests of random play: who decides, and what payoffs must satisfy."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core import random_play
from polytrix.core.compile.compiler import Mode, program
from polytrix.core.drivers import GREEDY, RANDOM
from polytrix.core.inspection import BAD_PAYOFF, FINE, PAID_ABSENT, SEAT
from polytrix.core.random import POLICY_STREAM, next_game_key
from polytrix.core.random_play import MIXED, ONE_IN, TERMINATED, TRUNCATED, chooser_of
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


def ended(paid: list[float], truncated: bool = False) -> tuple[int, list[int], Record, int]:
    """The fault at the end of a game of three players, the tally, the state and the seat at fault."""
    PAID[:] = paid
    s = new_records(1, HIGH.state)[0]
    s.num_players, s.truncated, s.generator.key = 3, truncated, 5
    tally, found = np.zeros(random_play.MOST_LEGAL + 1, np.int64), np.zeros(4, np.int64)
    end = program(random_play.end, {payoff: scored}, Mode.PLAIN, "end")
    fault = end(s, np.full(4, 9.0, np.float32), tally, found)
    return fault, tally.tolist(), s, int(found[SEAT])


@pytest.mark.parametrize("truncated", [False, True])
def test_an_end_is_counted_and_the_next_game_is_at_hand(truncated: bool) -> None:
    fault, tally, s, _ = ended([1.0, -0.25, -0.75, 0.0], truncated)
    assert fault == FINE
    assert tally[TRUNCATED if truncated else TERMINATED] == 1 and sum(tally) == 1
    assert s.generator.key == next_game_key(generator(5)) and s.generator.counter == 0


@pytest.mark.parametrize(
    "paid",
    [
        [1.0, 0.0, 0.0, 0.0],
        [1.0, 1.0, -3.0, 0.0],
        [2e-6, 0.0, 0.0, 0.0],  # too much for rounding of such small numbers
        [-2e-6, 0.0, 0.0, 0.0],
        [np.nan, 0.0, 0.0, 0.0],
    ],
)
def test_payoffs_that_do_not_sum_to_zero_are_a_fault(paid: list[float]) -> None:
    fault, tally, s, _ = ended(paid)
    assert fault == BAD_PAYOFF and not any(tally)
    assert s.generator.key == 5  # nothing has changed


@pytest.mark.parametrize(
    "paid", [[1 / 3, 1 / 3, -2 / 3, 0.0], [1e6, -1e6 + 1, -0.5, 0.0], [5e-7, 0.0, 0.0, 0.0]]
)
def test_what_rounding_leaves_is_no_fault(paid: list[float]) -> None:
    assert ended(paid)[0] == FINE


@pytest.mark.parametrize("lost", [-1.0, 1.0])
def test_a_seat_that_takes_no_part_gets_nothing(lost: float) -> None:
    fault, _, _, seat = ended([1.0, 0.0, 0.0, lost])
    assert (fault, seat) == (PAID_ABSENT, 3)


def test_a_game_of_a_campaign_has_a_stream_of_choices_of_its_own() -> None:
    """Otherwise the game would depend on the thread that plays it."""
    begin = program(random_play.begin_inspected, SECRET.replacements, Mode.PLAIN, "begin_inspected")
    states, lot = new_records(1, SECRET.state), generator(7)
    SECRET.write_options(states, SECRET.options.validate({}))
    states["generator"]["key"] = 12
    begin(states[0], lot, np.zeros(8, np.int64))
    assert lot.key == 12 | POLICY_STREAM and lot.counter == 0
