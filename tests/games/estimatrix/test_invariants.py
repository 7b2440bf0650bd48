"""Invariants hold in play, and each notices a state or a step that breaks it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.inspection import broken_invariant
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER
from polytrix.games.estimatrix import GAME, exchange
from polytrix.games.estimatrix.lexicon import COUNT
from polytrix.games.estimatrix.state import Phase
from polytrix.testing import check_random_play

from .play import go, new_game
from .positions import Table
from .random_positions import VARIETY, some_options

clause = pytest.mark.clause


def broken(s: Any, before: Any = None) -> str:
    """The clauses of the invariant that does not hold; "" if all do."""
    number = GAME.check(s if before is None else before, s)
    return broken_invariant(GAME, number).partition(":")[0] if number else ""


@clause("ES-07", "ES-32", "ES-37")
def test_in_play_with_any_options() -> None:
    rng = random.Random(0)
    for seed in range(40):
        report = check_random_play(GAME, some_options(rng), 400, seed=seed << 20, policy="mixed", games=4)
        assert report.decisions >= 400


@pytest.mark.parametrize("options", VARIETY, ids=str)
def test_in_play_in_plain_python(options: dict[str, Any]) -> None:
    check_random_play(GAME, options, 40, Mode.PLAIN, games=2)


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


def both_roles(s: Any) -> None:
    s.negater = s.kvanter


def invite(s: Any) -> None:
    s.kvanter = 4


def invite_the_last(s: Any) -> None:
    s.last_negater = 5


def imagine(s: Any) -> None:
    s.echo[1, 1, 3] += 1


def hold_an_own_letter(s: Any) -> None:
    s.pair[2, 2] = 1


def take_an_absent_letter(s: Any) -> None:
    s.pair[2, 5] = s.pair[5, 2] = 1


def take_without_giving(s: Any) -> None:
    s.pair[0, 1] ^= 1


def set_the_banned(s: Any) -> None:
    s.die[s.kvanter] = s.banned


def set_an_absent_die(s: Any) -> None:
    s.die[5] = (s.banned + 1) % 6


def skip_a_seat(s: Any) -> None:
    s.die[s.mover], s.mover = -1, (s.mover + 1) % 4


def set_out_of_turn(s: Any) -> None:
    s.die[(s.mover + 1) % 4] = (s.banned + 1) % 6


def wait_too_late(s: Any) -> None:
    s.waited = 1


def roll_now(s: Any) -> None:
    s.mover = -1


def set_all(s: Any) -> None:
    """At a limit, but after the last die."""
    s.die[:4] = (s.banned + 1) % 6


def take_the_hint_back(s: Any) -> None:
    s.hint = -1


def hint_elsewhere(s: Any) -> None:
    s.options.domains = 63 & ~(1 << s.hint // 8)


def a_word(s: Any) -> int:
    """A word that has been a hint and is not introduced."""
    return next(v for v in range(48) if s.said[v] and v % 8 < 7)


def deny(s: Any) -> None:
    s.said[a_word(s)] = s.said[a_word(s)] % 6 + 1


def forget_a_die(s: Any) -> None:
    s.known[1, a_word(s)] = 0


def invent_a_die(s: Any) -> None:
    s.known[1, next(v for v in range(48) if not s.said[v] and v % 8 < 7)] = 2


def introduce_otherwise(s: Any) -> None:
    s.known[1, 7] = s.known[1, 7] % 6 + 1


def turn_a_face_over(s: Any) -> None:
    """An unused wavelength reads a word in a colour that it lacks."""
    domain, wave = next((d, w) for d in range(6) for w in range(3) if w not in s.wave[:4, d])
    s.reading[wave, 8 * domain] = next(c for c in range(6) if COUNT[8 * domain, c] == 0)


def stop(s: Any) -> None:
    s.mover = OVER


def complete_a_word(s: Any) -> None:
    for other in (1, 2, 3):
        exchange.set_pair(s, 0, other, 1)


def cut_off_and_go_on(s: Any) -> None:
    s.truncated = 1


@pytest.mark.parametrize(
    ("breaks", "clauses"),
    [
        (both_roles, "ES-07"), (invite, "ES-07"), (hold_an_own_letter, "ES-02, ES-32, ES-37"),
        (take_an_absent_letter, "ES-02, ES-32, ES-37"), (take_without_giving, "ES-02, ES-32, ES-37"),
        (set_the_banned, "ES-22"), (set_an_absent_die, "ES-01"),
        (imagine, "ES-01"), (invite_the_last, "ES-01"),
        (skip_a_seat, "ES-23, ES-24"),
        (set_out_of_turn, "ES-23, ES-24"), (wait_too_late, "ES-23, ES-24"), (roll_now, "ES-23, ES-24"),
        (set_all, "ES-23, ES-24"), (take_the_hint_back, "ES-15"), (hint_elsewhere, "ES-15"),
        (deny, "ES-12, ES-46"), (forget_a_die, "ES-12, ES-46"), (invent_a_die, "ES-12, ES-46"),
        (introduce_otherwise, "ES-12, ES-46"), (turn_a_face_over, "ES-08"), (stop, "ES-38, ES-45"),
        (complete_a_word, "ES-38, ES-45"), (cut_off_and_go_on, "ES-38, ES-45"),
    ],
)  # fmt: skip
def test_a_state_that_cannot_be_is_noticed(breaks: Callable[[Any], None], clauses: str) -> None:
    s = middle()
    assert broken(s) == ""
    breaks(s)
    assert broken(s) == clauses


@clause("ES-18")
@pytest.mark.parametrize("ban", ["choice", "rolled"])
def test_the_one_who_is_not_asked_is_noticed(ban: str) -> None:
    s = go(new_game(players=3, hints="none", ban=ban), 0)
    assert broken(s) == ""
    s.mover = s.negater
    assert broken(s) == "ES-18"


@clause("ES-26")
def test_all_dice_are_set_at_the_end() -> None:
    s = go(new_game(players=3, hints="none", max_turns=1), 0, "ban white", "set red", "set blue", "set green")
    assert s.mover == OVER and broken(s) == ""
    s.die[1] = -1
    assert broken(s) == "ES-22"
    s.die[1], s.mover = 4, 1
    assert broken(s) == "ES-18"


@clause("ES-06", "ES-07")
def test_there_are_no_roles_before_the_first_draw() -> None:
    s = new_game(players=3)[0]
    assert broken(s) == ""
    s.kvanter = 0
    assert broken(s) == "ES-07"


@clause("ES-08")
def test_readings_stay() -> None:
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
