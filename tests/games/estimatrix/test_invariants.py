"""Invariants hold in play, and notice steps that break them; `broken_positions.txt` has states that do."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.games.estimatrix import GAME, exchange
from polytrix.games.estimatrix.lexicon import COUNT
from polytrix.games.estimatrix.state import Phase
from polytrix.testing import check_random_play
from tests.games import planted

from .positions import Table
from .random_positions import some_options

clause = pytest.mark.clause


def broken(s: Any, before: Any = None) -> str:
    """The clauses of the invariant that does not hold; "" if all do."""
    return planted.broken(GAME, s, before).partition(":")[0]


@clause("ES-07", "ES-32", "ES-37")
def test_in_play_with_any_options() -> None:
    rng = random.Random(0)
    for seed in range(40):
        report = check_random_play(GAME, some_options(rng), 400, seed=seed << 20, policy="mixed", games=4)
        assert report.decisions >= 400


def middle() -> Any:
    """A game in which dice are being set, with letters exchanged and words said."""
    simulator = Simulator(GAME, options={"players": 4, "advanced": True}, seed=9)
    rng = np.random.default_rng(2)
    while True:
        s = simulator.states[0]
        dice = (s.die >= 0).sum()
        if s.phase == Phase.DIE and dice == 2 and not s.waited and s.pair.sum() > 2 and (s.said > 0).sum() > 6:
            return s.copy()
        if simulator.over[0]:
            simulator.restart()
        ids = simulator.legal_ids[0, : simulator.num_legal[0]]
        simulator.step([rng.choice(ids)])


@clause("ES-08")
def test_readings_stay() -> None:
    """An unused wavelength reads a word in another of its colours."""
    s = middle()
    before = s.copy()
    domain, wave = next((d, w) for d in range(6) for w in range(3) if w not in s.wave[:4, d])
    word = next(v for v in range(8 * domain, 8 * domain + 7) if (COUNT[v] > 0).sum() > 1)
    s.reading[wave, word] = next(c for c in range(6) if COUNT[word, c] and c != s.reading[wave, word])
    assert broken(s) == "" and broken(s, before) == "ES-08"


def last_die(text: str, last: str = "blue") -> tuple[Any, Any]:
    """The states before and after the last die of a turn of four with Kvanter 3 and Negater 2."""
    table = Table("n=4 K=3 N=2", [], Mode.PLAIN)
    table.play(f"ban white; hint milk; set {text.replace(' ', '; set ')}")
    before = table.state.copy()
    table.play(f"set {last}")
    return before, table.state


@clause("ES-30")
def test_two_estimators_who_hit_do_not_exchange_with_each_other() -> None:
    before, s = last_die("red red red")
    assert broken(s, before) == "" and s.pair[3, 0] == s.pair[3, 1] == 1
    exchange.set_pair(s, 0, 1, 1)
    assert broken(s, before) == "ES-28 to ES-34"


@clause("ES-28", "ES-31", "ES-33")
@pytest.mark.parametrize(
    ("dice", "last", "held", "holds"),
    [("red green yellow", "blue", 0, 1), ("red red yellow", "red", 0, 1), ("red red yellow", "blue", 1, 0)],
    ids=["missed", "blocked", "returned"],
)
def test_letters_that_change_hands_otherwise_are_noticed(dice: str, last: str, held: int, holds: int) -> None:
    before, s = last_die(dice, last)
    assert broken(s, before) == ""
    exchange.set_pair(before, 3, 0, held)
    exchange.set_pair(s, 3, 0, holds)
    assert broken(s, before) == "ES-28 to ES-34"


@clause("ES-28")
def test_letters_change_hands_at_the_end_of_a_turn() -> None:
    s = middle()
    before = s.copy()
    one, other = next((i, j) for i in range(4) for j in range(i) if not s.pair[i, j])
    exchange.set_pair(s, one, other, 1)
    assert broken(s, before) == "ES-28 to ES-34"


@clause("ES-41", "ES-42")
@pytest.mark.parametrize("turns", [1, -2])
def test_turns_follow_each_other(turns: int) -> None:
    before, s = last_die("red green yellow")
    assert broken(s, before) == ""
    before.turn -= turns
    assert broken(s, before) == "ES-41, ES-42"


@clause("ES-41", "ES-42")
def test_roles_pass_between_turns_only() -> None:
    s = middle()
    before = s.copy()
    s.negater = next(seat for seat in range(4) if seat not in (s.negater, s.kvanter))
    assert broken(s) == "" and broken(s, before) == "ES-41, ES-42"
    before, s = last_die("red green yellow")
    s.negater = next(seat for seat in range(4) if seat not in (s.negater, s.kvanter))
    assert broken(s, before) == "ES-41, ES-42"
