"""PT-94: chains of effects come to an end, on a stack with a bound."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.state import OVER
from polytrix.games.pixel_tactics import GAME, rules
from polytrix.games.pixel_tactics.board.stack import push_draws, push_order, push_power
from polytrix.games.pixel_tactics.invariants import DEEPEST
from polytrix.games.pixel_tactics.state import NOBODY, STACK
from tests.games.planted import broken
from tests.games.samples import step_at_random

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


@pytest.mark.clause("PT-94")
def test_turns_from_rare_positions_end() -> None:
    rng = np.random.default_rng(1)
    positions = [some(rng) for some in (random_position, chained_position) for _ in range(10)]
    assert 3 <= max(play_turn(position, 0) for position in positions) <= DEEPEST


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
