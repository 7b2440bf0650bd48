"""Observations against a slow, obvious construction from the board."""

from __future__ import annotations

import numpy as np

from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, Record
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board

from .play import Position
from .random_positions import decisions, seen_from

MOVE, PLACE, FINISHED = 2, 3, 4


def expected(s: Record, seat: int) -> np.ndarray:
    """The observation of `seat`, block by block."""
    out = np.zeros(GAME.observations.size, np.int8)
    seen = GAME.observations.view(out)
    units = seen_from(seat, board(s))
    for code, name in enumerate(
        ("own_ring", "own_disc", "own_pip", "enemy_ring", "enemy_disc", "enemy_pip"), 1
    ):
        seen[name][:] = units == code
    phase = FINISHED if s.mover == OVER else int(s.phase)
    seen["phase"][phase] = 1
    if phase in (MOVE, PLACE):
        for die in (0, 1):
            seen["dice"][die, s.dice[die] - 1] = 1
            seen["unused"][die] = not s.used[die]
        seen["doubles"][0] = s.dice[0] == s.dice[1]
        if s.first_kind:
            mine = s.turn_seat == seat
            square = divmod(int(s.first_to) if mine else 76 - int(s.first_to), 7)
            opposite = {0: 1, 1: 0, 2: 3, 3: 2}[int(s.first_direction)]
            seen["moved_square"][square] = 1
            seen["moved_kind"][s.first_kind - 1] = 1
            seen["moved_direction"][s.first_direction if mine else opposite] = 1
    seen["my_turn"][0] = phase in (1, MOVE, PLACE) and s.turn_seat == seat
    depth = int(s.options.finish_depth)
    seen["home"][:] = (units[10 - depth : 10] == 3).sum(), (units[1 : 1 + depth] == 6).sum()
    seen["finish_depth"][depth - 1] = 1
    seen["combined_straight"][s.options.combined_straight] = 1
    seen["scoring"][s.options.scoring] = 1
    seen["clock"][0] = int(100 * int(s.decisions) / int(s.options.max_decisions))
    return out


def check(simulator: Simulator) -> None:
    """In the positions of all games, for both seats."""
    for seat in (0, 1):
        observation = simulator.view(seat)[0]
        for s, seen in zip(simulator.states, observation, strict=True):
            wanted = expected(s, seat)
            assert (seen == wanted).all(), GAME.observations.describe(seen - wanted)
        assert (GAME.observations.low <= observation).all()
        assert (observation <= GAME.observations.high).all()


def test_in_random_positions() -> None:
    simulator = decisions(np.random.default_rng(8), 400)
    simulator.states["decisions"] = np.arange(400) * 2
    check(simulator)


def test_in_games_from_start_to_end() -> None:
    simulator = Simulator(GAME, 8, {"max_decisions": 60, "scoring": "odds", "finish_depth": 3}, seed=1)
    while not simulator.over.all():
        check(simulator)
        running = np.flatnonzero(~simulator.over)
        simulator.step(simulator.random_actions(running), running)
    check(simulator)


def test_while_dice_are_rolled() -> None:
    """The opening roll, and the first die of blue's turn."""
    table = Position()
    for number in (3, 3, 6, 1, 2):
        check(table.simulator)
        table.chance(number)
    check(table.simulator)
