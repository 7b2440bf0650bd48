"""Pictures, read back from their SVG by the labels of the board, against the position."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER, Record, new_records
from polytrix.drawing import Picture
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.picture import COLOR, GRID, HEIGHT, SPOTS, TINT, WIDTH, draw
from polytrix.games.quatrix.state import Kind, Phase, Seat, board

from .play import set_board

SEATS = (None, Seat.RED, Seat.BLUE)


@cache
def random_states() -> tuple[Record, ...]:
    """Positions of random games, with all finish depths and a good share of popped rings."""
    states: list[Record] = []
    for depth in (1, 2, 3):
        simulator = Simulator(GAME, 8, {"finish_depth": depth, "max_decisions": 120}, seed=depth)
        for number in range(120):
            states.extend(
                s.copy()
                for s in simulator.states
                if s.phase == Phase.PLACE or (number % 20 == 7 and s.mover >= 0)
            )
            simulator.step(simulator.random_actions())
        states.extend(s.copy() for s in simulator.states)  # all truncated
    return tuple(states)


@pytest.fixture
def start() -> Record:
    """Red, on turn 1, has rolled 5-3."""
    s = new_records(1, GAME.state)[0]
    GAME.options.write(s.options, GAME.options.defaults)
    GAME.setup(s)
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

    def named(name: str) -> list[ElementTree.Element]:
        return [e for e in root.iter() if name in (e.get("class") or "").split()]

    labels = list(named("labels")[0])
    rows = {str(e.text): number(e, "y") for e in labels if str(e.text).isdigit()}
    columns = {str(e.text): number(e, "x") for e in labels if str(e.text).isalpha()}

    def square(e: ElementTree.Element) -> str:
        """The square whose labels stand at the middle of the circle."""
        column = [c for c, x in columns.items() if abs(x - number(e, "cx")) < 1]
        row = [r for r, y in rows.items() if abs(y - 4 - number(e, "cy")) < 2]  # baseline of the label
        return column[0] + row[0] if column and row else ""

    return Drawn(
        pieces=Counter((str(e.get("class")), square(e)) for e in named("ring") + named("disc")),
        lines={str(e.get("class")).split()[1]: number(e, "y1") for e in named("finish")},
        rows=rows,
        columns=columns,
        dice=Counter((str(e.get("class")), len(circles(e))) for e in named("die")),
        texts=[str(e.text) for e in root.iter("{http://www.w3.org/2000/svg}text")],
    )


def circles(e: ElementTree.Element) -> list[ElementTree.Element]:
    return [child for child in e if child.tag.endswith("circle")]


def number(e: ElementTree.Element, attribute: str) -> float:
    return float(str(e.get(attribute)))


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
            pieces = Counter({at: n for at, n in read(draw(s, seat)).pieces.items() if at[1]})
            assert pieces == expected_pieces(s)


def test_no_piece_is_ever_missing_from_the_picture() -> None:
    waiting = 0
    for s in random_states():
        pieces = read(draw(s, Seat.RED)).pieces
        for kind in ("ring red", "ring blue", "disc red", "disc blue"):
            assert sum(n for (name, _), n in pieces.items() if name == kind) == 7
        waiting += (f"ring {('blue', 'red')[s.turn_seat]}", "") in pieces
    assert waiting > 5  # popped rings that lie beside the board


def test_random_states_make_images_of_one_size() -> None:
    for s in random_states()[::10]:
        for seat in SEATS:
            image = draw(s, seat).rgb()
            assert image.shape == (HEIGHT, WIDTH, 3)
            assert image.std() > 10  # not blank


def test_both_seats_see_the_same_board_each_from_its_own_side(start: Record) -> None:
    red, blue = read(draw(start, Seat.RED)), read(draw(start, Seat.BLUE))
    assert red.rows["1"] > red.rows["11"]
    assert red.columns["a"] < red.columns["g"]
    assert blue.rows["1"] < blue.rows["11"]
    assert blue.columns["a"] > blue.columns["g"]
    assert sorted(red.rows.values()) == sorted(blue.rows.values())
    assert sorted(red.columns.values()) == sorted(blue.columns.values())


def test_both_seats_see_the_same_facts() -> None:
    for s in random_states():
        red, blue = read(draw(s, Seat.RED)), read(draw(s, Seat.BLUE))
        assert Counter(red.texts) == Counter(blue.texts)
        assert red.dice == blue.dice
        assert red.pieces == blue.pieces
        assert draw(s, None).svg() == draw(s, Seat.RED).svg()


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_finish_lines_are_on_the_near_side_of_the_zones(start: Record, depth: int, seat: int | None) -> None:
    start.options.finish_depth = depth
    drawn = read(draw(start, seat))

    def between(one: int, other: int) -> float:
        middle = (drawn.rows[str(one)] + drawn.rows[str(other)]) / 2
        return pytest.approx(middle - 4.5, abs=1)  # labels stand on a line 4.5 below the middle

    assert drawn.lines == {"red": between(10 - depth, 11 - depth), "blue": between(depth + 1, depth + 2)}


def test_dice_of_the_turn(start: Record) -> None:
    assert read(draw(start, Seat.RED)).dice == Counter({("die unused", 5): 1, ("die unused", 3): 1})
    start.used[0] = 1
    assert read(draw(start, Seat.RED)).dice == Counter({("die used", 5): 1, ("die unused", 3): 1})
    start.dice[:] = 6, 0  # the second is not rolled yet
    start.used[0] = 0
    assert read(draw(start, Seat.RED)).dice == Counter({("die unused", 6): 1})


@pytest.mark.parametrize("face", range(1, 7))
def test_each_face_has_its_number_of_spots_and_is_symmetric(face: int) -> None:
    spots = set(SPOTS[face])
    assert len(spots) == face
    assert {(-x, -y) for x, y in spots} == spots


def test_the_opening_roll_shows_the_dice_of_both(start: Record) -> None:
    start.phase, start.turn_seat, start.mover, start.turns = Phase.OPENING, -1, CHANCE, 0
    start.opening[:] = (2, 6), (4, 0)
    drawn = read(draw(start, Seat.RED))
    assert drawn.dice == Counter({("die unused", n): 1 for n in (2, 6, 4)})
    assert "Opening roll" in drawn.texts
    assert not any(t.startswith("turn") for t in drawn.texts)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ["Red to move", "turn 1"]),
        ({"turn_seat": Seat.BLUE, "mover": Seat.BLUE, "turns": 12}, ["Blue to move", "turn 12"]),
        ({"phase": Phase.ROLL, "mover": CHANCE}, ["Red to roll", "turn 2"]),
        ({"phase": Phase.PLACE}, ["Red returns the popped ring", "popped"]),
        ({"mover": OVER, "winner": Seat.BLUE, "phase": Phase.OVER}, ["Blue wins, odds 3"]),
        ({"mover": OVER, "winner": -1, "truncated": 1}, ["Truncated, nobody wins"]),
        (
            {"mover": OVER, "winner": -1, "truncated": 1, "phase": Phase.PLACE},
            ["Truncated, nobody wins", "popped"],
        ),
    ],
)
def test_the_heading_says_what_is_going_on(start: Record, fields: dict[str, int], expected: list[str]) -> None:
    for name, value in fields.items():
        start[name] = value
    texts = read(draw(start, Seat.RED)).texts
    assert [t for t in texts if t in expected] == expected


def test_pips_at_home_are_counted(start: Record) -> None:
    units = np.zeros((11, 7), np.int8)
    units[9, :3] = Kind.PIP
    units[1, 4] = 3 + Kind.PIP
    units[2, 5] = 3 + Kind.RING  # no pip
    set_board(start, units)
    picture = draw(start, Seat.RED)
    assert [t for t in read(picture).texts if t.endswith("home")] == ["1 home", "3 home"]
    root = ElementTree.fromstring(picture.svg())
    slots = [e.get("fill") for e in root.iter() if e.get("class") == "slot"]
    red, blue, empty = *COLOR, GRID
    assert slots == [blue] * 1 + [empty] * 6 + [red] * 3 + [empty] * 4


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


def test_without_a_first_move_there_is_no_arrow(start: Record) -> None:
    assert "first-move" not in draw(start, Seat.RED).svg()


def test_the_colours_of_both_seats_are_in_the_image(start: Record) -> None:
    image = {tuple(pixel) for row in draw(start, Seat.RED).rgb().tolist() for pixel in row}
    for color in (*COLOR, *TINT):
        assert tuple(bytes.fromhex(color[1:])) in image


def test_drawing_changes_nothing_and_repeats_exactly() -> None:
    for s in random_states()[::15]:
        before = s.tobytes()
        pictures: list[Any] = [draw(s, Seat.BLUE).png() for _ in range(2)]
        assert pictures[0] == pictures[1]
        assert s.tobytes() == before
