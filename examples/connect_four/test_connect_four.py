"""Connect Four against its page: `pytest examples/connect_four`."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from connect_four import GAME, rules
from connect_four.rules import has_four
from connect_four.state import BIT, COLUMNS, NO_SEAT, RED, ROWS, SQUARES, YELLOW, Step
from polytrix import Simulator
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import IllegalActionError, NotationError
from polytrix.testing import check_all, check_invariants, check_perft


def drawn(picture: str) -> Simulator:
    """The position in a picture of its lowest rows; red is to move where both have as many stones."""
    sim = Simulator(GAME, seed=0, mode=Mode.PLAIN)
    s = sim.states[0]
    for row, line in enumerate(reversed(picture.split("\n"))):
        for column, sign in enumerate(line.split()):
            if sign != ".":
                s.stones["ry".index(sign)] |= 1 << int(BIT[COLUMNS * row + column])
    reds, yellows = picture.count("r"), picture.count("y")
    s.mover, s.decisions = (RED if reds == yellows else YELLOW), reds + yellows
    sim.refresh()
    check_invariants(GAME, s)
    return sim


def play(sim: Simulator, moves: str) -> Simulator:
    """The same game after these moves."""
    for move in moves:
        sim.step([GAME.parse_action(sim.states[0], move)])
    return sim


def new_game(moves: str = "") -> Simulator:
    """A game after these moves."""
    return play(Simulator(GAME, seed=0, mode=Mode.PLAIN), moves)


def text(sim: Simulator) -> str:
    return GAME.text(sim.states[0], None)


# -- the rules ------------------------------------------------------------------------------------


def test_cf_01_the_board_is_empty_and_red_begins() -> None:
    assert text(new_game()).splitlines() == [*[". . . . . . ."] * ROWS, "1 2 3 4 5 6 7", "red to move"]
    assert text(new_game("4")).endswith("yellow to move")


def test_cf_02_a_full_column_is_closed() -> None:
    sim = new_game("444444")
    assert sim.mask[0].tolist() == [1, 1, 1, 0, 1, 1, 1]
    with pytest.raises(IllegalActionError, match=r"action 3 \(4\) is illegal in row 0"):
        sim.step([3])
    with pytest.raises(NotationError, match="'4' names no legal action; legal are 1, 2, 3, 5, 6, 7"):
        GAME.parse_action(sim.states[0], "4")
    assert sim.states[0].decisions == 6


def test_cf_03_stones_fall() -> None:
    assert text(new_game("4454")).splitlines()[2:6] == [
        ". . . . . . .",
        ". . . y . . .",
        ". . . y . . .",
        ". . . r r . .",
    ]


@pytest.mark.parametrize(
    ("picture", "move"),
    [
        (". . . . . . .\nr . . . . . .\nr y . . . . .\nr y . . . . y", "1"),
        ("y y . y . . .\nr r . r . . .", "3"),
        (". . . r . . .\n. . r y . . .\n. r y r . y .\n. y y y . r r", "1"),
        (". . . r . . .\n. . . y r . .\n. y . r y r .\nr r . y y y .", "7"),
    ],
    ids=["upright", "level", "up to the right", "up to the left"],
)
def test_cf_04_four_in_a_row_win(picture: str, move: str) -> None:
    sim = play(drawn(picture), move)
    assert text(sim).endswith("red wins")
    assert sim.terminated[0] and sim.reward[0].tolist() == [1, -1] and not sim.mask[0].any()


def test_cf_04_no_line_runs_round_the_edge() -> None:
    sim = play(drawn("y . . . r r r\nr y y . y y r"), "1")
    assert not sim.over[0]


def squares_of(stones: int) -> set[tuple[int, int]]:
    """A set as places, row and column."""
    return {divmod(square, COLUMNS) for square in range(SQUARES) if stones >> int(BIT[square]) & 1}


def lines() -> Iterator[set[tuple[int, int]]]:
    """All fours in a row on the board, from their meaning."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            for up, right in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = {(row + i * up, column + i * right) for i in range(4)}
                if all(r < ROWS and 0 <= c < COLUMNS for r, c in line):
                    yield line


def test_cf_04_every_line_and_nothing_else_counts() -> None:
    every_line = list(lines())
    assert len(every_line) == 69
    rng = random.Random(1)
    for _ in range(500):
        squares = rng.sample(range(SQUARES), rng.randint(4, 24))
        stones = sum(1 << int(BIT[square]) for square in squares)
        assert has_four(stones) == any(line <= squares_of(stones) for line in every_line)
    for line in every_line:
        assert has_four(sum(1 << int(BIT[COLUMNS * row + column]) for row, column in line))


def test_cf_05_a_full_board_is_a_draw() -> None:
    sim = new_game("126613431456475467333341527215612225546777")
    assert text(sim).endswith("draw")
    assert sim.terminated[0] and sim.reward[0].tolist() == [0, 0]


def test_cf_05_the_last_stone_may_win() -> None:
    sim = new_game("165272351361452665774351431436261744573227")
    assert text(sim).endswith("yellow wins") and sim.reward[0].tolist() == [-1, 1]


def test_cf_06_a_game_that_is_cut_off_pays_nothing() -> None:
    sim = Simulator(GAME, seed=0, options={"max_decisions": 3}, mode=Mode.PLAIN)
    assert text(play(sim, "121")).endswith("truncated")
    assert sim.truncated[0] and sim.reward[0].tolist() == [0, 0]


def test_seats_see_their_own_stones_first() -> None:
    sim = new_game("445")
    for seat, own, enemy in ((RED, [3, 4], [10]), (YELLOW, [10], [3, 4])):
        seen = GAME.observations.view(sim.view(seat)[0][0])
        assert np.flatnonzero(seen["own"]).tolist() == own
        assert np.flatnonzero(seen["enemy"]).tolist() == enemy


# -- counts ---------------------------------------------------------------------------------------

COUNTS = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
"""Sequences of moves by length; the first columns are full after six, the first games over after seven."""


def test_perft() -> None:
    check_perft(GAME, COUNTS)


# -- the greedy policy ----------------------------------------------------------------------------


def ratings(picture: str) -> dict[int, float]:
    """What the greedy opponent thinks of each column, from 1."""
    sim = drawn(picture)
    ids, score = sim.legal_ids[0, : sim.num_legal[0]], np.zeros(COLUMNS, np.float32)
    assert GAME.greedy is not None
    GAME.greedy(sim.observation[0], ids, len(ids), sim.states, score)
    return {int(column) + 1: float(score[i]) for i, column in enumerate(ids)}


@pytest.mark.parametrize(
    ("picture", "column"),
    [
        (". . . . . . .", 4),
        ("y . . . . . .\ny . . . . . .\ny r r r . . .", 5),
        ("r . . . . . .\nr . . . . . .\nr . . y y . .", 1),
    ],
    ids=["the middle", "a win rather than a block", "a block"],
)
def test_the_greedy_opponent_prefers(picture: str, column: int) -> None:
    rated = ratings(picture)
    assert all(rated[column] > rated[other] for other in rated if other != column)


def test_the_greedy_opponent_gives_nothing_away() -> None:
    rated = ratings(". . r . . . .\n. y y y r . .\n. r y r y . r")
    assert rated[1] < rated[7]


# -- what every game must pass --------------------------------------------------------------------


def test_every_check_of_the_package() -> None:
    check_all(GAME)


def test_random_play_ends_in_every_way() -> None:
    sim = Simulator(GAME, 2000, seed=0)
    while (going := np.flatnonzero(~sim.over)).size:
        sim.step(sim.random_actions(going), going)
    won = sim.states["winner"]
    lines = {
        step
        for seat in (RED, YELLOW)
        for stones in sim.states["stones"][won == seat, seat].tolist()
        for step in Step
        if rules.line(stones, step)
    }
    assert set(won.tolist()) == {NO_SEAT, RED, YELLOW} and lines == set(Step)
