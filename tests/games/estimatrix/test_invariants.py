"""Invariants hold in play and notice errors."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, entries
from polytrix.games.estimatrix import GAME, evidence, exchange
from polytrix.games.estimatrix.invariants import INVARIANTS, check
from polytrix.games.estimatrix.lexicon import COUNT
from polytrix.games.estimatrix.state import Phase
from polytrix.testing import check_random_play

from .play import go, new_game
from .positions import Table
from .random_positions import some_options

Break = Callable[[Any], None]


@pytest.mark.clause("ES-07", "ES-32", "ES-37")
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


def both_roles(s: Any) -> None:
    s.negater = s.kvanter


def one_sided(s: Any) -> None:
    s.pair[0, 1] ^= 1


def take_a_letter(s: Any) -> None:
    """A seat holds a letter of one that does not play."""
    s.pair[2, 5] = s.pair[5, 2] = 1


def set_the_banned(s: Any) -> None:
    s.die[s.kvanter] = s.banned


def skip_a_seat(s: Any) -> None:
    s.die[s.mover], s.mover = -1, (s.mover + 1) % 4


def set_out_of_turn(s: Any) -> None:
    s.die[(s.mover + 1) % 4] = (s.banned + 1) % 6


def roll_now(s: Any) -> None:
    s.mover = -1


def take_the_hint_back(s: Any) -> None:
    s.hint = -1


def deny(s: Any) -> None:
    word = next(v for v in range(48) if s.said[v] and v % 8 < 7)
    s.said[word] = s.said[word] % 6 + 1


def forget_who(s: Any) -> None:
    s.said_by[np.flatnonzero(s.said)[0]] = 0


def invent_a_die(s: Any) -> None:
    word = next(v for v in range(48) if not s.said[v] and v % 8 < 7)
    s.known[1, word] = 2


def imagine(s: Any) -> None:
    s.echo[1, 2, 3] += 1


def draw_again(s: Any) -> None:
    s.reading[:, 0] = -1


def stop(s: Any) -> None:
    s.mover = OVER


def wait_too_late(s: Any) -> None:
    s.waited = 1


def forget_a_ban(s: Any) -> None:
    s.known_ban[next(v for v in range(48) if s.said[v] and v % 8 < 7)] = 0


def draw_on(s: Any) -> None:
    s.dealt_row -= 1


def turn_a_face_over(s: Any) -> None:
    """An unused wavelength reads a word in a colour that it lacks."""
    domain, wave = next((d, w) for d in range(6) for w in range(3) if w not in s.wave[:4, d])
    s.reading[wave, 8 * domain] = next(c for c in range(6) if COUNT[8 * domain, c] == 0)


def forget_a_role(s: Any) -> None:
    s.last_kvanter = -1


def forget_a_die(s: Any) -> None:
    s.last_die[2] = -1


def merge_roles(s: Any) -> None:
    s.last_negater = s.last_kvanter


def invite(s: Any) -> None:
    s.num_players = 7


def cut_off_too_late(s: Any) -> None:
    """At a limit, but after the last die."""
    s.die[s.die < 0] = (s.banned + 1) % 6
    s.die[4:] = -1
    s.mover, s.truncated, s.decisions = OVER, 1, s.options.max_decisions


def show_an_absent_die(s: Any) -> None:
    word = next(v for v in range(48) if s.said[v] and v % 8 < 7)
    s.known[4, word] = s.known[3, word]


def introduce_otherwise(s: Any) -> None:
    """A public reading differs from the seat's reading, and the evidence follows it."""
    word = next(v for v in range(7, 48, 8) if not s.said[v])
    s.known[1, word] = s.known[1, word] % 6 + 1
    for domain in range(6):
        evidence.compare_seats(s, domain)


@pytest.mark.parametrize(
    ("breaks", "number"),
    [
        (both_roles, 1), (one_sided, 2), (take_a_letter, 2), (set_the_banned, 4), (skip_a_seat, 5),
        (set_out_of_turn, 5), (roll_now, 5), (take_the_hint_back, 7), (deny, 8), (forget_who, 8),
        (invent_a_die, 9), (imagine, 10), (stop, 13), (draw_again, 14),
        (wait_too_late, 5), (forget_a_ban, 9), (draw_on, 14), (turn_a_face_over, 15), (forget_a_role, 16),
        (forget_a_die, 16), (merge_roles, 16), (invite, 1), (cut_off_too_late, 5), (show_an_absent_die, 9),
        (introduce_otherwise, 9),
    ],
)  # fmt: skip
def test_what_breaks_them_is_noticed(breaks: Break, number: int) -> None:
    s = middle()
    assert check(s, s) == 0
    breaks(s)
    assert check(s, s) == number, INVARIANTS[check(s, s) - 1]


def earlier(s: Any) -> Any:
    """The state before the die of the seat before the mover."""
    before = s.copy()
    before.mover = (s.mover - 1) % 4
    before.die[before.mover] = -1
    return before


def pass_a_role(s: Any) -> None:
    s.kvanter, s.negater = s.negater, s.kvanter
    s.die[:] = -1
    s.mover = s.kvanter


def exchange_at_once(s: Any) -> None:
    one, other = next((i, j) for i in range(4) for j in range(i) if not s.pair[i, j])
    s.pair[one, other] = s.pair[other, one] = 1


def change_a_reading(s: Any) -> None:
    domain, wave = next((d, w) for d in range(6) for w in range(3) if w not in s.wave[:4, d])
    s.reading[wave, 8 * domain] = (s.reading[wave, 8 * domain] + 1) % 6


@pytest.mark.parametrize(
    ("breaks", "number"), [(pass_a_role, 11), (exchange_at_once, 12), (change_a_reading, 14)]
)
def test_steps_that_cannot_be_are_noticed(breaks: Break, number: int) -> None:
    s = middle()
    before = earlier(s)
    assert check(before, s) == 0
    breaks(s)
    assert check(before, s) == number


def last_die(text: str) -> tuple[Any, Any]:
    """The states before and after the last die of a turn of four with Kvanter 3 and Negater 2."""
    table = Table("n=4 K=3 N=2", [], Mode.PLAIN)
    table.play(f"ban white; hint milk; set {text.replace(' ', '; set ')}")
    before = table.state.copy()
    table.play("set blue")
    return before, table.state


@pytest.mark.clause("ES-30")
def test_two_estimators_who_hit_do_not_exchange_with_each_other() -> None:
    before, s = last_die("red red red")
    assert check(before, s) == 0 and s.pair[3, 0] == s.pair[3, 1] == 1
    exchange.set_pair(s, 0, 1, 1)
    assert check(before, s) == 12


@pytest.mark.clause("ES-41", "ES-42")
def test_turns_do_not_go_back() -> None:
    before, s = last_die("red green yellow")
    assert check(before, s) == 0
    before.turn += 2
    assert check(before, s) == 11


@pytest.mark.clause("ES-18")
def test_none_but_the_kvanter_is_asked_for_a_ban() -> None:
    s = go(new_game(players=3), 0, *[0] * 162)
    s.mover = s.negater
    assert check(s, s) == 6
    s.mover, s.truncated, s.decisions = OVER, 1, s.options.max_decisions
    assert check(s, s) == 0


@pytest.mark.clause("ES-07")
@pytest.mark.parametrize("role", ["kvanter", "negater"])
def test_every_turn_has_both_roles(role: str) -> None:
    s = go(new_game(players=3, hints="none"), 0)
    s[role] = -1
    s.mover = s.kvanter
    assert check(s, s) == 1


def test_the_phase_is_looked_at() -> None:
    states = new_game(players=3, hints="none")
    s = go(states, 0)
    assert check(s, s) == 0
    s.phase = Phase.HINT
    assert check(s, s) == 6
    s = go(new_game(players=3, hints="none", ban="rolled"), 0)
    s.mover = OVER
    assert check(s, s) == 6


@pytest.mark.clause("ES-04", "ES-06", "ES-08", "ES-09")
@pytest.mark.parametrize(
    ("change", "number"),
    [
        ({"dealt_row": 51}, 14),
        ({"dealt_column": 3}, 14),
        ({"dealt_row": 50, "dealt_column": 5}, 14),
        ({"said": 1, "said_by": 1}, 8),
    ],
)
def test_set_up_is_looked_at(change: dict[str, int], number: int) -> None:
    """In the middle of the third word."""
    s = go(new_game(players=3), 0, *[0] * 7)
    assert check(s, s) == 0 and (s.dealt_row, s.dealt_column) == (2, 1)
    for field, value in change.items():
        s[field] = value
    assert check(s, s) == number


@pytest.mark.clause("ES-04")
def test_nobody_has_letters_of_others_before_the_first_turn() -> None:
    s = go(new_game(players=3), 0)
    s.pair[0, 1] = s.pair[1, 0] = 1
    assert check(s, s) == 14


@pytest.mark.clause("ES-14")
def test_without_hints_nothing_is_said() -> None:
    s = go(new_game(players=3, hints="none"), 0)
    s.said[0], s.said_by[0], s.known[:3, 0], s.known_ban[0] = 1, 1, 1, 2
    assert check(s, s) == 8


@pytest.mark.clause("ES-26")
def test_all_dice_are_set_at_the_end() -> None:
    s = go(new_game(players=3, hints="none", max_turns=1), 0, "ban white", "set red", "set blue", "set green")
    assert s.mover == OVER and check(s, s) == 0
    other = s.copy()
    other.die[1] = -1
    assert check(other, other) == 4
    other = s.copy()
    other.mover = 1
    assert check(other, other) == 6
    assert (s.kvanter, s.negater) == (1, 0)
    s.last_negater = 2
    assert check(s, s) == 16


def test_any_state_can_be_looked_at() -> None:
    """`check` never reads outside its tables, whatever values the fields have."""
    rng = np.random.default_rng(0)
    names = {field.name for field in GAME.fields}
    numbers = [entry for entry in entries(GAME.state, GAME.fields) if entry.field in names]
    original = middle()
    for _ in range(200):
        states = original.reshape(1).copy()
        for _ in range(6):
            entry = numbers[rng.integers(len(numbers))]
            entry.of(states)[0] = rng.integers(entry.low, entry.high, endpoint=True, dtype=entry.type)
        check(states.view(np.recarray)[0], states.view(np.recarray)[0])


def test_every_invariant_is_broken_by_a_test_here() -> None:
    cases = test_what_breaks_them_is_noticed.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {number for _, number in cases} | {11, 12, 14, 6, 3} == set(range(1, len(INVARIANTS) + 1))
