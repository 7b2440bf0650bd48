"""The invariants hold in play, and notice what breaks them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.core.state import CHANCE
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.invariants import INVARIANTS, check
from polytrix.testing import check_random_play

from .table import CARD, Table

POSITION = (
    "R4 F / 0: L=Knight*3 Va=Fighter*2!a Fa=x.Oracle Vc=Homunculus*1 Rb=~Witch hand=Mystic,Gunner,Healer "
    "/ 1: L=Trapper Va=Assassin Rc=x.Vampire hand=Scientist disc=Summoner"
)


@pytest.mark.clause("PT-01", "PT-02", "PT-04", "PT-07", "PT-76", "PT-94", "PT-98", "PT-101", "PT-103")
@pytest.mark.parametrize("options", [{"best_of": 1}, {"best_of": 3}, {"orders_in_ceasefire": False}], ids=str)
def test_in_play(options: dict[str, Any]) -> None:
    assert check_random_play(GAME, options, 100, whole_games=20, seed=3).terminated > 10


def lose_a_card(s: Any) -> None:
    s.deck[0] &= s.deck[0] - 1


def stand_on_the_leader(s: Any) -> None:
    s.card[1, 4] = CARD["Paladin"]


def capture_nothing(s: Any) -> None:
    s.captives[1] |= 1 << 6


def heal_too_much(s: Any) -> None:
    s.damage[0, 0] = -1


def hit_a_corpse(s: Any) -> None:
    s.damage[0, 3] = 1


def mark_nothing(s: Any) -> None:
    s.acted[0] |= 1 << 8


def hurt_a_corpse(s: Any) -> None:
    s.hurt[1] |= 1 << 8


def know_the_deck(s: Any) -> None:
    s.known[1] = s.deck[1]


def fix_nothing(s: Any) -> None:
    s.fixed[0] = 1


def fix_a_hand_card(s: Any) -> None:
    s.top[0, 0], s.fixed[0] = CARD["Mystic"], 1


def start_a_chain(s: Any) -> None:
    s.chain_orders |= 1


def put_into_play(s: Any) -> None:
    s.in_play[0], s.hand[0] = s.hand[0], 0


def remember_a_card(s: Any) -> None:
    s.drawn = CARD["Mystic"]


def keep_an_answer(s: Any) -> None:
    s.answer = 5


def forget_the_question(s: Any) -> None:
    s.decision = 0


def ask_chance_for_nothing(s: Any) -> None:
    s.mover, s.decision = CHANCE, 0


def owe_actions(s: Any) -> None:
    s.actions = -1


def steal_trophies(s: Any) -> None:
    s.trophies[1] = 1


def go_on_for_ever(s: Any) -> None:
    s.round_number = 31


def win_without_an_end(s: Any) -> None:
    s.result = 1


BREAKERS = {
    lose_a_card: 1,
    stand_on_the_leader: 2,
    capture_nothing: 3,
    heal_too_much: 4,
    hit_a_corpse: 4,
    mark_nothing: 5,
    hurt_a_corpse: 5,
    know_the_deck: 6,
    fix_nothing: 7,
    fix_a_hand_card: 7,
    start_a_chain: 8,
    put_into_play: 9,
    remember_a_card: 10,
    keep_an_answer: 11,
    forget_the_question: 11,
    ask_chance_for_nothing: 12,
    owe_actions: 13,
    steal_trophies: 14,
    go_on_for_ever: 15,
    win_without_an_end: 17,
}


@pytest.mark.parametrize("breaker", BREAKERS, ids=lambda breaker: breaker.__name__)
def test_each_notices(breaker: Callable[[Any], None]) -> None:
    before = Table(POSITION).s
    s = Table(POSITION).s
    assert check(before, s) == 0
    breaker(s)
    assert check(before, s) == BREAKERS[breaker], INVARIANTS[check(before, s) - 1]


@pytest.mark.clause("PT-39")
def test_an_attack_in_the_ceasefire_is_noticed() -> None:
    s = Table(POSITION.replace("R4", "R1")).s
    assert check(s, s) == 0
    s.attacked = 1
    assert check(s, s) == 16


def test_all_are_tried() -> None:
    assert {*BREAKERS.values(), 16} == set(range(1, len(INVARIANTS) + 1))


def test_the_state_is_not_changed() -> None:
    s = Table(POSITION).s
    copy = s.copy()
    check(s, s)
    assert np.array_equal(s, copy)
