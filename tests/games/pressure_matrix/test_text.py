"""The text of a position."""

from __future__ import annotations

import re

import pytest

from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.matrix import PLACES, SQUARES, square_name
from polytrix.games.pressure_matrix.state import SEAT_NAMES, blackouts
from polytrix.games.pressure_matrix.text import face_nodes, marker_on

from .play import SIDES
from .random_positions import positions

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])


def shown_tiles(text: str) -> dict[str, list[str]]:
    """For each square the headline of its tile and the lines of its nodes, read back from the columns."""
    lines = text.splitlines()
    headings = [number for number, line in enumerate(lines) if line.startswith("-- a")]
    found = {}
    for number in headings:
        starts = [match.start() for match in re.finditer("-- [a-e]", lines[number])]
        for begin, end in zip(starts, [*starts[1:], None], strict=True):
            cells = [line[begin:end].rstrip() for line in lines[number : number + 1 + PLACES]]
            found[cells[0][3:5]] = cells
    return found


@PLAYERS
def test_every_node_shows_its_text_blackout_and_marker(players: int) -> None:
    for s in positions(players, 40, seed=players):
        shown = shown_tiles(GAME.text(s, None))
        assert len(shown) == SIDES[players] ** 2
        for square in range(SQUARES):
            if s.up[square] < 0:
                continue
            heading, *nodes = shown[square_name(square)]
            here = [name for name, at in zip(SEAT_NAMES, s.runner[:players], strict=False) if at == square]
            assert re.findall(r"\[(\w+)\]", heading) == here
            for place, line in enumerate(nodes):
                owner = marker_on(s, PLACES * square + place)
                sign = "#" if blackouts(s, square) >> place & 1 else " "
                digit = "" if owner < 0 else str(owner)
                assert line == f"{sign}{digit} {face_nodes(int(s.up[square]))[place]}"


@PLAYERS
def test_it_fits_eighty_columns(players: int) -> None:
    for s in positions(players, 40, seed=players):
        assert max(map(len, GAME.text(s, 0).splitlines())) <= 80


@PLAYERS
def test_the_table_has_each_seats_numbers(players: int) -> None:
    for s in positions(players, 20, seed=players):
        lines = GAME.text(s, 1).splitlines()
        for seat in range(players):
            row = next(line for line in lines if line.startswith(f"{seat} {SEAT_NAMES[seat]}"))
            assert (" * " in row) == (seat == 1)
            numbers = [int(s.credits[seat]), int(s.hand[seat]), int(s.discarded[seat])]
            placed = sum(int(half).bit_count() for half in s.marker[seat])
            numbers.insert(2, placed)
            assert [int(number) for number in re.findall(r" (\d+)", row)[:4]] == numbers
