"""The picture of a position."""

from __future__ import annotations

import re

import pytest

from polytrix.drawing import text_width
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.picture import DARK, PRINT, node_lines
from polytrix.games.pressure_matrix.state import blackouts
from polytrix.games.pressure_matrix.text import face_nodes
from polytrix.games.pressure_matrix.tiles import FACE_CODE
from tests.games.pictures import count

from .play import SIDES, dealt, go
from .positions import Table
from .random_positions import positions


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everything_is_there(players: int) -> None:
    for s in positions(players, 12, seed=players, reverse=("known", "drawn")[players % 2]):
        svg = GAME.draw(s, None).svg()
        tiles = SIDES[players] ** 2
        assert count(svg, "tile") == tiles and count(svg, "node") == 4 * tiles
        assert count(svg, "black") == sum(blackouts(s, square).bit_count() for square in range(25))
        assert count(svg, "marker") == sum(int(half).bit_count() for half in s.marker.flat)
        assert count(svg, "runner") == (s.runner >= 0).sum()
        assert count(svg, "seat") == players and count(svg, "now") == 1
        assert count(svg, "die") == s.rolled
        unknown = sum(s.up[q] >= 0 and s.reverse[q] < 0 for q in range(25))
        assert svg.count("Other side: not known.") == unknown


@pytest.mark.clause("PM-02")
def test_where_markers_are_is_said() -> None:
    table = Table("n=2 active=0 hand=4,5 runners=b1,c3\na1: WIN 1 | *SHIELD @0 | PAY 1 | FLIP")
    svg = table.game.draw(table.state, 0).svg()
    told = re.findall(r'class="markers"[^>]*>([^<]+)<', svg)
    assert told == [
        "Markers: 4 in hand",
        "1 on the board, 0 lost",
        "Markers: 5 in hand",
        "0 on the board, 0 lost",
    ]


@pytest.mark.clause("PM-20")
def test_a_full_tile_is_as_dark_as_its_nodes() -> None:
    table = Table("n=2 runners=a1,c3\na2: full")
    svg = table.game.draw(table.state, 0).svg()
    (frame,) = re.findall(r'<rect[^>]*class="tile a2 full"[^>]*>', svg)
    assert f'fill="{DARK}"' in frame and 'opacity="0.75"' not in svg
    assert svg.count("The tile is full: no runner may enter or pass it.") == 1


@pytest.mark.clause("PM-90")
def test_bids_are_face_down() -> None:
    states = dealt(players=3)
    s = go(states, "bid 3", "bid 2")
    assert "bid 3" in GAME.draw(s, 0).svg() and "bid ?" in GAME.draw(s, 0).svg()
    assert "bid 3" not in GAME.draw(s, 2).svg()
    assert "bid 2" in GAME.draw(s, None).svg()
    s = go(states, "bid 1")
    assert "bid 3" in GAME.draw(s, 2).svg()


def test_every_node_fits_its_place() -> None:
    names = {name for face in range(len(FACE_CODE)) for name in face_nodes(face)}
    assert len(names) > 40
    for name in names:
        for width in (40, 54, 72):  # five players, four, two
            lines = node_lines(name, width)
            assert len(lines) <= 3 and " ".join(lines) == name
            assert all(text_width(words, PRINT) < width + 6 for words in lines), name
