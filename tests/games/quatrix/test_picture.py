"""Pictures, read back from their SVG by the labels of the board, against the position."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER, Record
from polytrix.drawing import Picture
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.picture import draw
from polytrix.games.quatrix.state import Kind, Phase, Seat, board
from tests.games.by_hand import new_game
from tests.games.pictures import named, number

SEATS = (None, Seat.RED, Seat.BLUE)


@cache
def random_states() -> tuple[Record, ...]:
    """Positions of random games, with all finish depths and a good share of popped rings."""
    states: list[Record] = []
    for depth in (1, 2, 3):
        simulator = Simulator(GAME, 8, {"finish_depth": depth, "max_decisions": 120}, seed=depth)
        for step in range(120):
            states.extend(
                s.copy()
                for s in simulator.states
                if s.phase == Phase.PLACE or (step % 40 == 7 and s.mover >= 0)
            )
            simulator.step(simulator.random_actions())
        states.append(simulator.states[0].copy())  # truncated
    return tuple(states)


@pytest.fixture
def start() -> Record:
    """Red, on turn 1, has rolled 5-3."""
    s: Record = new_game(GAME)[0]
    s.phase, s.turn_seat, s.mover, s.turns = Phase.MOVE, Seat.RED, Seat.RED, 1
    s.dice[:] = 5, 3
    return s


@dataclass
class Drawn:
    """The content of a picture."""

    pieces: Counter[tuple[str, str]]  # kind and square, such as ("ring red", "d4"); "" beside the board
    lines: dict[str, float]  # height of the finish lines
    rows: dict[str, float]  # heights of the row labels
    columns: dict[str, float]
    dice: Counter[tuple[str, int]]  # used or not, and number of spots
    texts: list[str]


def read(picture: Picture) -> Drawn:
    root = ElementTree.fromstring(picture.svg())

    labels = list(named(root, "labels")[0])
    rows = {str(e.text): number(e, "y") for e in labels if str(e.text).isdigit()}
    columns = {str(e.text): number(e, "x") for e in labels if str(e.text).isalpha()}

    def square(e: ElementTree.Element) -> str:
        """The square whose labels stand at the middle of the circle."""
        column = [c for c, x in columns.items() if abs(x - number(e, "cx")) < 1]
        row = [r for r, y in rows.items() if abs(y - 4 - number(e, "cy")) < 2]  # baseline of the label
        return column[0] + row[0] if column and row else ""

    return Drawn(
        pieces=Counter((str(e.get("class")), square(e)) for e in named(root, "ring") + named(root, "disc")),
        lines={str(e.get("class")).split()[1]: number(e, "y1") for e in named(root, "finish")},
        rows=rows,
        columns=columns,
        dice=Counter((str(e.get("class")), len(circles(e))) for e in named(root, "die")),
        texts=[str(e.text) for e in root.iter("{http://www.w3.org/2000/svg}text")],
    )


def circles(e: ElementTree.Element) -> list[ElementTree.Element]:
    return [child for child in e if child.tag.endswith("circle")]


def expected_pieces(s: Record) -> Counter[tuple[str, str]]:
    pieces: Counter[tuple[str, str]] = Counter()
    for (row, column), unit in np.ndenumerate(board(s)):
        color, square = ("red", "blue")[int(unit > 3)], "abcdefg"[column] + str(row + 1)
        if unit in (Kind.RING, Kind.PIP, 3 + Kind.RING, 3 + Kind.PIP):
            pieces[f"ring {color}", square] += 1
        if unit in (Kind.DISC, Kind.PIP, 3 + Kind.DISC, 3 + Kind.PIP):
            pieces[f"disc {color}", square] += 1
    return pieces


def test_every_piece_is_drawn_on_its_square_for_both_seats() -> None:
    for s in random_states():
        for seat in SEATS:
            drawn = read(draw(s, seat))
            assert Counter({at: n for at, n in drawn.pieces.items() if at[1]}) == expected_pieces(s)
            assert drawn.pieces.total() == 28  # a popped ring lies beside the board
            if s.phase in (Phase.MOVE, Phase.PLACE):
                names = (("die unused", "die used")[used] for used in s.used)
                assert drawn.dice == Counter(zip(names, s.dice.tolist(), strict=True))


def test_both_seats_see_the_same_board_each_from_its_own_side(start: Record) -> None:
    red, blue = read(draw(start, Seat.RED)), read(draw(start, Seat.BLUE))
    assert red.rows["1"] > red.rows["11"]
    assert red.columns["a"] < red.columns["g"]
    assert blue.rows["1"] < blue.rows["11"]
    assert blue.columns["a"] > blue.columns["g"]
    assert sorted(red.rows.values()) == sorted(blue.rows.values())
    assert sorted(red.columns.values()) == sorted(blue.columns.values())


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_finish_lines_are_on_the_near_side_of_the_zones(start: Record, depth: int, seat: int | None) -> None:
    start.options.finish_depth = depth
    drawn = read(draw(start, seat))

    def between(one: int, other: int) -> float:
        middle = (drawn.rows[str(one)] + drawn.rows[str(other)]) / 2
        return pytest.approx(middle - 4.5, abs=1)  # labels stand on a line 4.5 below the middle

    assert drawn.lines == {"red": between(10 - depth, 11 - depth), "blue": between(depth + 1, depth + 2)}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ["Red to move", "turn 1"]),
        ({"turn_seat": Seat.BLUE, "mover": Seat.BLUE, "turns": 12}, ["Blue to move", "turn 6"]),
        ({"phase": Phase.ROLL, "mover": CHANCE, "turns": 2}, ["Red to roll", "turn 2"]),
        ({"phase": Phase.PLACE}, ["Red returns the popped ring", "popped"]),
        ({"mover": OVER, "winner": Seat.BLUE, "phase": Phase.OVER}, ["Blue wins"]),
        ({"mover": OVER, "winner": -1, "truncated": 1}, ["Cut off, nobody wins"]),
        (
            {"mover": OVER, "winner": -1, "truncated": 1, "phase": Phase.PLACE},
            ["Cut off, nobody wins", "popped"],
        ),
    ],
)
def test_the_heading_says_what_is_going_on(start: Record, fields: dict[str, int], expected: list[str]) -> None:
    for name, value in fields.items():
        start[name] = value
    texts = read(draw(start, Seat.RED)).texts
    assert [t for t in texts if t in expected] == expected


@pytest.mark.parametrize(
    ("mover", "own_from", "own_to", "squares"),
    [(Seat.RED, 7 * 1 + 2, 7 * 6 + 2, ("c2", "c7")), (Seat.BLUE, 7 * 3 + 1, 7 * 3 + 5, ("f8", "b8"))],
)
@pytest.mark.parametrize("seat", [Seat.RED, Seat.BLUE])
def test_an_arrow_follows_the_first_move_of_the_turn(
    start: Record, seat: int, mover: int, own_from: int, own_to: int, squares: tuple[str, str]
) -> None:
    start.turn_seat = start.mover = mover
    start.first_kind, start.first_from, start.first_to = Kind.RING, own_from, own_to
    picture = draw(start, seat)
    arrow = next(e for e in ElementTree.fromstring(picture.svg()).iter() if e.get("class") == "first-move")
    shaft, tip = arrow
    drawn = read(picture)
    middles = [(drawn.columns[name[0]], drawn.rows[name[1:]] - 4.5) for name in squares]
    assert (number(shaft, "x1"), number(shaft, "y1")) == pytest.approx(middles[0], abs=1)
    end = tuple(float(n) for n in str(tip.get("points")).split()[0].split(","))
    distance = np.subtract(middles[1], end)
    assert np.abs(distance).max() == pytest.approx(20, abs=1)  # it stops at the edge of the unit
    along = np.subtract(middles[1], middles[0])
    assert np.dot(distance, along) > 0


def test_a_square_is_called_by_what_stands_there() -> None:
    s = Simulator(GAME, 1, seed=3).states[0]
    drawn = ElementTree.fromstring(draw(s, Seat.RED).svg())
    places = {shape.get("data-place"): shape for shape in drawn.iter()}
    assert places["a1"].get("aria-label") == "a1, red pip"
    assert places["g11"].get("aria-label") == "g11, blue pip"
    assert places["d4"].get("aria-label") is None, "the page calls it by its name"
