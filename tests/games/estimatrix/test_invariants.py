"""Invariants hold in play, and each notices a state or a step that breaks it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER
from polytrix.games.estimatrix import GAME, exchange
from polytrix.games.estimatrix.lexicon import COUNT
from polytrix.games.estimatrix.state import Phase
from polytrix.testing import check_random_play
from tests.games import planted

from .play import go, new_game
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


def a_word(s: Any, said: bool = True) -> int:
    """A word that has been a hint, or not, and is not introduced."""
    return next(v for v in range(48) if (s.said[v] > 0) == said and v % 8 < 7)


def an_unused_reading(s: Any, has: bool) -> dict[str, Any]:
    """An unused wavelength reads a word in another colour, which it has or lacks."""
    domain, wave = next((d, w) for d in range(6) for w in range(3) if w not in s.wave[:4, d])
    word = next(v for v in range(8 * domain, 8 * domain + 7) if (COUNT[v] > 0).sum() > 1)
    colours = (c for c in range(6) if (COUNT[word, c] > 0) == has and c != s.reading[wave, word])
    return {"reading": {(wave, word): next(colours)}}


TURN = (0, "ban white", "set red", "set blue", "set green")
Plant = Callable[[Any], dict[str, Any]]
LETTERS, WORDS, MOVER, END = "ES-02, ES-32, ES-37", "ES-12, ES-46", "ES-23, ES-24", "ES-38, ES-45"


@pytest.mark.parametrize(
    ("plant", "clauses"),
    [
        (lambda s: {"negater": s.kvanter}, "ES-07"),
        (lambda s: {"kvanter": 4}, "ES-07"),
        (lambda s: {"pair": {(2, 2): 1}}, LETTERS),
        (lambda s: {"pair": {(2, 5): 1, (5, 2): 1}}, LETTERS),
        (lambda s: {"pair": {(0, 1): 1 - s.pair[0, 1]}}, LETTERS),
        (lambda s: {"die": {int(s.kvanter): s.banned}}, "ES-22"),
        (lambda s: {"die": {5: (s.banned + 1) % 6}}, "ES-01"),
        (lambda s: {"echo": {(1, 1, 3): s.echo[1, 1, 3] + 1}}, "ES-01"),
        (lambda s: {"last_negater": 5}, "ES-01"),
        (lambda s: {"die": {int(s.mover): -1}, "mover": (s.mover + 1) % 4}, MOVER),
        (lambda s: {"die": {(s.mover + 1) % 4: (s.banned + 1) % 6}}, MOVER),
        (lambda s: {"waited": 1}, MOVER),
        (lambda s: {"mover": CHANCE}, MOVER),
        (lambda s: {"die": dict.fromkeys(range(4), (s.banned + 1) % 6)}, MOVER),
        (lambda s: {"hint": -1}, "ES-15"),
        (lambda s: {"options": {"domains": 63 & ~(1 << s.hint // 8)}}, "ES-15"),
        (lambda s: {"said": {a_word(s): s.said[a_word(s)] % 6 + 1}}, WORDS),
        (lambda s: {"known": {(s.said_by[a_word(s)] % 4, a_word(s)): 0}}, WORDS),  # the seat after the giver
        (lambda s: {"known": {(1, a_word(s, said=False)): 2}}, WORDS),
        (lambda s: {"known": {(1, 7): s.known[1, 7] % 6 + 1}}, WORDS),
        (lambda s: an_unused_reading(s, has=False), "ES-08"),
        (lambda s: {"mover": OVER}, END),
        (lambda s: {"pair": {(p, q): 1 for p in range(4) for q in range(4) if 0 in (p, q) and p != q}}, END),
        (lambda s: {"truncated": 1}, END),
    ],
)
def test_a_state_that_cannot_be_is_noticed(plant: Plant, clauses: str) -> None:
    s = middle()
    assert broken(s) == ""
    planted.change(s, plant(s))
    assert broken(s) == clauses


@clause("ES-06", "ES-07", "ES-18", "ES-26")
@pytest.mark.parametrize(
    ("options", "played", "changes", "clauses"),
    [
        ({}, (), {"kvanter": 0}, "ES-07"),  # there are no roles before the first draw
        ({}, (0,), {"mover": 0}, "ES-18"),  # the Kvanter is asked
        ({"ban": "rolled"}, (0,), {"mover": 0}, "ES-18"),
        ({"max_turns": 1}, TURN, {"die": {1: -1}}, "ES-22"),
        ({"max_turns": 1}, TURN, {"mover": 1}, "ES-18"),
    ],
)
def test_before_bans_and_after_all_dice(
    options: dict[str, Any], played: tuple[int | str, ...], changes: dict[str, Any], clauses: str
) -> None:
    s = go(new_game(players=3, hints="none", **options), *played)
    assert broken(s) == ""
    planted.change(s, changes)
    assert broken(s) == clauses


@clause("ES-08")
def test_readings_stay() -> None:
    s = middle()
    before = s.copy()
    planted.change(s, an_unused_reading(s, has=True))
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
