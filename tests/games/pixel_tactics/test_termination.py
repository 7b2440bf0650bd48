"""PT-94: chains of effects come to an end, on a stack with a bound."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.state import OVER
from polytrix.games.pixel_tactics import GAME, rules
from polytrix.games.pixel_tactics.board.stack import push_draws, push_order, push_power
from polytrix.games.pixel_tactics.invariants import DEEPEST
from polytrix.games.pixel_tactics.operations import field
from polytrix.games.pixel_tactics.state import NOBODY, STACK
from tests.games.planted import broken
from tests.games.samples import step_at_random

from . import long_turns
from .long_turns import search
from .positions import CARD, Table
from .random_positions import chained_position, random_position

CHAINS = {
    "orders that carry out orders": (
        "R2 F / 0: L=Mascot Fa=Illusionist Fc=Doppelganger Va=Fighter hand=Mystic,Overlord,Oracle,Gunner "
        "/ 1: L=Gunner hand=Doppelganger,Mystic,Illusionist,Mascot Va=Knight"
    ),
    "strikes of recruits": (
        "R2 R / 0: L=Mascot Ra=Illusionist Rb=Doppelganger Vc=Templar hand=Mystic,Overlord,Summoner,Scientist "
        "/ 1: L=Assassin Va=Berserker Vb=Knight Ra=Homunculus"
    ),
    "last strikes": (
        "R2 V / 0: L=Doppelganger Va=Fighter*7 Vb=Paladin*5 Vc=Witch*4 hand=Berserker,Knight,Alchemist "
        "/ 1: L=Berserker Va=Oracle*3 Vb=Knight*9 Vc=Mystic*6 Rc=Witch"
    ),
    "orders after orders": (
        "R2 R / 0: L=Gunner Ra=Berserker Rb=Mystic hand=Doppelganger,Mascot,Illusionist,Overlord,Witch,Knight "
        "/ 1: L=Mystic hand=Mascot,Doppelganger,Illusionist,Trapper Va=Vampire*5"
    ),
}
LONGEST_TURN = 400


def play_turn(position: str, key: int) -> int:
    """Play a turn at random, checking every state; return the most frames seen."""
    states, rng = Table(position).simulator.states, np.random.default_rng(key)
    s = states[0]
    seat, wave, most, steps = int(s.active), int(s.wave), 0, 0
    while s.mover != OVER and (s.active, s.wave) == (seat, wave):
        before = s.copy()
        step_at_random(GAME, states, rng)
        assert not broken(GAME, s, before)
        most = max(most, int(s.depth))
        steps += 1
        assert steps < LONGEST_TURN
    return most


@pytest.mark.clause("PT-94")
@pytest.mark.parametrize("name", CHAINS)
def test_every_turn_ends(name: str) -> None:
    deepest = max(play_turn(CHAINS[name], key) for key in range(40))
    assert 3 <= deepest <= DEEPEST


AT_WILL = "R2 V / 0: L=Mascot*19 Vb=Fighter hand=Overlord,Illusionist / 1: L=Knight Vb=Witch"
FAR = 600
"""Far more decisions than any turn has had, far fewer than the bound in README.md."""


@pytest.mark.clause("PT-94")
@pytest.mark.parametrize("seed", [1, 2])
def test_turns_end_for_a_player_who_wants_them_to_go_on(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rare = [random_position(rng) for _ in range(16)] + [chained_position(rng) for _ in range(16)]
    found = search([AT_WILL, *rare, *CHAINS.values()], 16, seed, FAR)
    assert not found.repeated, f"a position comes again in a turn from {found.position}"
    assert 40 < found.decisions < FAR, found.position


@pytest.mark.clause("PT-94")
def test_nine_recruits_are_the_most_that_such_a_player_gets() -> None:
    """Nine recruits into a row, each with its power and a call back; then the second action."""
    found = search([AT_WILL], 256, 1, FAR)
    assert not found.repeated and 2 + 9 * 3 <= found.decisions <= 2 + 9 * 3 + 8


def test_such_a_player_finds_what_is_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """With ninety-nine recruits a turn goes on and on; without counting them, a position occurs again."""
    monkeypatch.setattr(field, "MOST_RECRUITS", 99)
    other = replace(GAME, name="pixel_tactics_at_will")  # whose programs have not been made yet
    lured = AT_WILL.replace("R2 V", "R2 V actions=1").replace(" / 1", " deck=- / 1")
    assert search([lured], 48, 1, 36, other, Mode.PLAIN) == (36, lured, 0)
    counted = long_turns.fingerprints

    def uncounted(states: Any) -> Any:
        same = states.copy()
        same["stack"]["left"] = 0
        return counted(same)

    monkeypatch.setattr(long_turns, "fingerprints", uncounted)
    assert 0 < search([lured], 48, 1, 36, other, Mode.PLAIN).repeated < 36


@pytest.mark.clause("PT-94")
def test_an_order_of_a_type_is_not_begun_within_itself() -> None:
    s = Table("R2 V / 0: L=Knight / 1: L=Healer").s
    push_order(s, 0, CARD["Mystic"])
    push_order(s, 1, CARD["Mystic"])
    assert s.depth == 1 and s.stack[0].card == CARD["Mystic"]


@pytest.mark.clause("PT-94")
def test_a_full_stack_drops_what_does_not_fit() -> None:
    s = Table("R2 V / 0: L=Knight / 1: L=Healer").s
    while s.depth < STACK:
        push_draws(s, 0, 0, False)
    copy = s.copy()
    push_draws(s, 1, 3, True)
    push_order(s, 1, 3)
    push_power(s, 1, 0, 3, 0)
    assert np.array_equal(s, copy)
    s.mover = NOBODY
    rules.advance(s)
    assert s.depth == 0
