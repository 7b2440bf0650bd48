"""Actions explained in English."""

from __future__ import annotations

import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.core.words import situation
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import ACTIONS, COLOURS, own_reading


def words(s: Record, move: str) -> str:
    return GAME.explain(s, GAME.parse_action(s, move))


def test_hints_and_dice_go_by_the_mover_s_own_reading() -> None:
    sim = Simulator(GAME, options={"acquaintance": 1}, seed=4)
    s = sim.states[0]
    sim.step([5])  # ban purple
    kvanter = int(s.mover)
    own = COLOURS[own_reading(s, kvanter, 2) - 1]
    assert words(s, "hint apple") == f"hint apple (faces: yellow 1, red 3, green 2): you read it as {own}"
    assert words(s, "hint candy").endswith(", and everybody knows how all read it")
    sim.step([7 + 2])
    told = {colour: "as you read" in words(s, f"set {colour}") for colour in COLOURS[:5]}
    assert [colour for colour, said in told.items() if said] == [own]


def test_symbols_mean_nothing() -> None:
    sim = Simulator(GAME, options={"hints": "symbols"}, seed=4)
    s = sim.states[0]
    sim.step([5])
    assert words(s, "hint s17") == "hint s17, a symbol without a meaning of its own"
    sim.step([7 + 17])
    assert words(s, "set red") == "set your die to red"


@pytest.mark.clause("ES-45")
@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({"max_turns": 1}, "cut off at another limit that its options set"),
        ({"max_decisions": 4}, "cut off at the limit of decisions"),
        ({"max_turns": 1, "max_decisions": 5}, "cut off at the limit of decisions"),
    ],
)
def test_the_end_says_which_limit_it_was(limit: dict[str, int], said: str) -> None:
    """Three seats: a ban, a hint and three dice are a turn."""
    sim = Simulator(GAME, options={"players": 3, **limit}, seed=1)
    while not sim.over[0]:
        sim.step(sim.random_actions())
    assert sim.truncated[0]
    assert situation(GAME, sim.states[0], 0).startswith(f"The game is over, {said}. Payoffs: ")


def test_the_task_in_words() -> None:
    sim = Simulator(GAME, options={"players": 3, "hints": "symbols"}, seed=4)
    s, told = sim.states[0], []
    for action in (5, 7 + 2, int(ACTIONS.size) - 1):  # ban, hint, wait
        told.append(GAME.task(s))
        sim.step([action])
    assert told == ["ban a colour, or roll for one", "hint a word", "set your die, or let the others go first"]
    assert GAME.task(s) == "set your die"
