"""`polytrix.api.words` with environments and simulators."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

import polytrix
from polytrix import Simulator
from polytrix.api import words
from polytrix.api.aec import AECGame
from polytrix.core.errors import NotationError
from tests.every_game import every_game

GAME = polytrix.find("resistor")


def test_an_environment_a_learner_and_a_row_of_the_same_game_read_the_same() -> None:
    sim = Simulator(GAME, 3, seed=5)
    aec = AECGame(GAME)
    aec.reset(seed=7)
    single = gym.make(GAME.id, opponent="random", seat=int(sim.mover[2]))
    single.reset(seed=7)
    assert words.text_of(sim, row=2) == words.text_of(aec) == words.text_of(single)
    assert words.legal_moves(sim, row=2) == words.legal_moves(aec) == words.legal_moves(single)
    assert words.parse(aec, "D") == words.parse(sim, "7", row=2) == words.parse(single, '"d"') == 7


def test_other_seats_see_their_own_side() -> None:
    env = AECGame(GAME)
    env.reset(seed=7)
    texts = [words.text_of(env, agent) for agent in env.agents]
    assert texts[0] != texts[1]
    assert texts[1] == words.text_of(env, 1) == words.text_of(env, seat="player_1")
    assert texts[1] == words.text_of(env, np.int8(1))
    with pytest.raises(IndexError, match=r"seat is 2; allowed: 0\.\.1"):
        words.text_of(env, 2)
    with pytest.raises(IndexError, match="seat is 'blue'; allowed: a number, or an agent"):
        words.text_of(env, "blue")


def test_a_learner_sees_its_own_side_only() -> None:
    env = gym.make(GAME.id, seat=1)
    env.reset(seed=3)
    assert "You are blue (seat 1)" in words.text_of(env)
    with pytest.raises(IndexError, match="seat is 0; allowed: 1, where the learner sits"):
        words.text_of(env, 0)


def test_a_lost_game_has_no_moves() -> None:
    single = gym.make("polytrix/quatrix-v0", seat=0)
    single.reset(seed=1)
    single.step(847)  # the forfeit of a roll that can be moved
    assert words.legal_moves(single) == []
    with pytest.raises(NotationError, match="no seat is to move"):
        words.parse(single, "pass")


def test_once_over_a_row_reads_as_seat_0_sees_it() -> None:
    sim = Simulator(GAME, 1, {"max_decisions": 1}, seed=5)
    sim.step(sim.legal_ids[:, 0])
    assert sim.over.all()
    assert words.text_of(sim) == words.text_of(sim, 0) != words.text_of(sim, 1)
    assert words.legal_moves(sim) == []


@every_game
def test_rules_are_the_page_without_its_numbers(game: polytrix.Game) -> None:
    rules = words.rules_of(game)
    assert rules == words.rules_of(game.name)
    assert rules.startswith(f"# {game.title}\n") and "\n## Rules\n" in rules and "\n## Payoffs\n" in rules
    assert "\n## Observation\n" not in rules
