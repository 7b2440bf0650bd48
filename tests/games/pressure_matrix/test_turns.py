"""Dice, turns, the limit of decisions."""

from __future__ import annotations

import itertools
import random

import pytest

from polytrix.core.simulator import Simulator
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.choices import UNDECIDED
from polytrix.games.pressure_matrix.movement import die_that_counts
from polytrix.games.pressure_matrix.rules import run
from polytrix.games.pressure_matrix.state import Act, Phase

from .play import dealt, new_game, play_on
from .positions import Table


def counted(level: int, *dice: int) -> int:
    s = new_game()[0]
    s.dice[:], s.level = dice, level
    return die_that_counts(s)


@pytest.mark.clause("PM-14", "PM-15")
def test_the_die_that_counts() -> None:
    """Worked position W01 for all dice; yellow counts the odd one of three of which two are equal."""
    for dice in itertools.product(range(1, 7), repeat=3):
        single = [die for die in dice if dice.count(die) == 1]
        yellow = single[0] if len(single) == 1 else sorted(dice)[1]
        assert [counted(level, *dice) for level in range(3)] == [min(dice), yellow, max(dice)]


@pytest.mark.clause("PM-59")
def test_an_empty_hand_has_nothing_to_discard() -> None:
    at = "n=2 at=pressure runners=a1,c3 out=3,0\na1: DISCARD | PAY 1 | WIN 2 | PAY 2\n"
    table = Table(at + "b2: TAX @0 | SHIELD @0 | WIN 2 | PAY 2").play("node nw")
    table.holds("hand 0,5; 0 DISCARD: discard b2.nw, discard b2.ne")


@pytest.mark.clause("PM-17")
def test_a_level_used_does_not_last() -> None:
    table = Table("n=2 runners=a1,c3\nb2: LEVEL RED @0 | PAY 1 | WIN 2 | PAY 2")
    table.play("use b2.nw {1 1 5}").holds("movement 5; level green")
    table.play("move b1" if "move b1" in table.legal else min(table.legal)).play("node nw")
    table.play("{1 2 3}").holds("movement 1; level green")


@pytest.mark.clause("PM-17")
@pytest.mark.parametrize(("level", "movement"), [("GREEN", 1), ("YELLOW", 4), ("RED", 6)])
def test_the_level_of_a_marker_counts_instead_of_the_pressure_level(level: str, movement: int) -> None:
    for there in ("green", "yellow", "red"):
        table = Table(f"n=2 level={there} runners=a1,c3\nb2: LEVEL {level} @0 | PAY 1 | WIN 2 | PAY 2")
        table.play("use b2.nw {1 4 6}").holds(f"movement {movement}; level {there}")


@pytest.mark.clause("PM-91")
@pytest.mark.parametrize("limit", [1, 5, 12])
def test_the_limit(limit: int) -> None:
    """Worked position W35: cut off where the next decision would be asked, dice and forced actions included."""
    for seed in range(12):
        cut = Simulator(GAME, options={"max_decisions": limit}, seed=seed)
        whole = Simulator(GAME, seed=seed)
        for _ in range(limit):
            assert not cut.over[0]
            action = whole.random_actions()
            cut.step(action)
            whole.step(action)
        assert cut.over[0] and cut.truncated[0] == (not whole.over[0])
        mine, theirs = cut.states[0], whole.states[0]
        for name in GAME.state.names:
            if name not in ("options", "mover", "truncated"):
                assert mine[name].tobytes() == theirs[name].tobytes(), name
        standing = [int(c) + int(h) for c, h in zip(mine.credits[:2], mine.hand[:2], strict=True)]
        ranks = list(zip(standing, mine.hand[:2].tolist(), strict=True))
        expected = [0, 0] if ranks[0] == ranks[1] else [1, -1] if ranks[0] > ranks[1] else [-1, 1]
        assert cut.reward[0].tolist() == [*expected, 0, 0, 0]


@pytest.mark.clause("PM-91")
def test_the_dice_after_the_last_decision_are_still_rolled() -> None:
    """A `roll` that is the last decision includes the dice, and a move without choice."""
    rolled = 0
    for seed in range(300):
        cut = Simulator(GAME, options={"max_decisions": 8}, seed=seed)
        while not cut.over[0]:
            last = GAME.format_action(cut.states[0], int(cut.legal_ids[0, 0]))
            cut.step(cut.random_actions())
        if last == "roll" and cut.truncated[0] and cut.states[0].rolled == 3:
            rolled += 1
        assert cut.states[0].phase != Phase.ROLL
    assert rolled > 0


@pytest.mark.clause("PM-91")
def test_a_game_that_ends_by_its_last_decision_is_not_cut_off() -> None:
    whole = Simulator(GAME, seed=3)
    moves = []
    while not whole.over[0]:
        moves.append(whole.random_actions())
        whole.step(moves[-1])
    cut = Simulator(GAME, options={"max_decisions": len(moves)}, seed=3)
    for action in moves:
        cut.step(action)
    assert cut.terminated[0] and not cut.truncated[0]
    assert cut.states[0].decisions == len(moves)


@pytest.mark.clause("PM-89")
@pytest.mark.parametrize("players", [2, 5])
def test_nobody_is_asked_without_a_choice(players: int) -> None:
    simulator = Simulator(GAME, 32, {"players": players}, seed=1)
    for _ in range(200):
        assert (simulator.num_legal[~simulator.over] >= 2).all()
        simulator.restart([row for row in range(32) if simulator.over[row]])
        simulator.step(simulator.random_actions())


def test_games_end() -> None:
    for players in (2, 3, 4, 5):
        s = play_on(dealt(players=players), random.Random(players))
        assert s.hand[s.active] == 0 and not s.truncated


def test_a_forged_position_in_which_an_answer_leads_to_its_question_is_noticed() -> None:
    s = Table("n=2 runners=a1,c3").state
    s.mover, s.phase, s.resume = 0, Phase.SHIELD, Phase.SHIELD
    s.choices[:], s.choice_simple = 0, 1 << Act.PASS
    with pytest.raises(IndexError):
        run(s, UNDECIDED)
    with pytest.raises(IndexError):
        GAME.tell(s, Act.PASS, s, None)
