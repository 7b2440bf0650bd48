"""Lines, points and Resistors in random rows, against the graph of `obvious_row.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode, program
from polytrix.core.compile.substitution import with_tables
from polytrix.core.state import IntArray, Record, RecordArray, new_records
from polytrix.games.resistor import GAME
from polytrix.games.resistor.connections import (
    chips_at,
    connected,
    gap,
    main_frame,
    points,
    visible_diamonds,
)
from polytrix.games.resistor.deck import read_deck
from polytrix.games.resistor.resistors import wired_to
from polytrix.games.resistor.tables import SHIPPED, make_tables

from . import obvious_row

LENGTH = 7
ENTRIES = 4 + 2 * LENGTH
"""Points and need of both colours; for each index the MainFrames reached and the cards flipped."""


# -- what the game says ---------------------------------------------------------------------


def judge(states: RecordArray, out: IntArray) -> None:
    """Write the results of the game's functions for each row."""
    for b in range(states.shape[0]):
        s = states[b]
        out[b] = 0
        for colour in range(2):
            out[b, colour] = points(s, colour)
            out[b, 2 + colour] = gap(s, colour)
        showing = visible_diamonds(s)
        for i in range(s.length):
            if showing >> i & 1:
                out[b, 4 + i] = 16 | frames(s, i)
                out[b, 4 + LENGTH + i] = wired_to(s, i)


def frames(s: Record, i: int) -> int:
    """Bit 2 * colour + seat: whether the Resistor at index i leads to the seat's MainFrame in a colour."""
    found = 0
    for colour in range(2):
        chips = connected(s, colour, chips_at(s, i, colour))
        for seat in range(2):
            if chips & main_frame(s, seat) != 0:
                found |= 1 << (2 * colour + seat)
    return found


def judged(content: dict[str, Any], rows: RecordArray) -> np.ndarray:
    """The results of the compiled game with a deck for each row."""
    pairs = zip(SHIPPED._asdict().items(), make_tables(read_deck(content)), strict=True)
    used = ("diamond", "touched", "linked", "pairs", "entries")
    tables = [(old, new) for (name, old), new in pairs if name in used]
    compiled = program(with_tables({"judge": judge}, tables)["judge"], {}, Mode.COMPILED, "resistor-judge")
    out = np.zeros((len(rows), ENTRIES), np.int64)
    compiled(rows, out)
    return out


# -- what the graph says --------------------------------------------------------------------


def expected(row: obvious_row.Row, locked: set[int]) -> list[int]:
    """The same entries from the graph."""
    out = [0] * ENTRIES
    graphs = [obvious_row.graph_of(row, colour) for colour in obvious_row.COLOURS]
    for colour, graph in enumerate(graphs):
        out[colour] = obvious_row.points(graph)
        out[2 + colour] = obvious_row.need(graph)
    for i in obvious_row.diamonds(row):
        frames = [reached for graph in graphs for reached in obvious_row.reached_frames(graph, i)]
        flipped = set().union(*(obvious_row.wired(graph, i) for graph in graphs)) - locked
        out[4 + i] = 16 | sum(reached << bit for bit, reached in enumerate(frames))
        out[4 + LENGTH + i] = sum(1 << j for j in flipped)
    return out


# -- rows -----------------------------------------------------------------------------------


def random_rows(content: dict[str, Any], count: int, seed: int) -> RecordArray:
    """Rows of any length; half of them of faces with a certain colour, so that long lines occur."""
    rng = np.random.default_rng(seed)
    faces = obvious_row.faces_of(content)
    sides = [(card, side) for card in range(len(faces)) for side in range(2)]
    coloured = {
        colour: [
            n for n, (card, side) in enumerate(sides) if any(token[0] == colour for token in faces[card][side])
        ]
        for colour in obvious_row.COLOURS
    }
    choices = [range(len(sides)), range(len(sides)), *coloured.values()]
    rows = new_records(count, GAME.state)
    kind = rng.integers(4, size=count)
    for k, chosen in enumerate(choices):
        which = np.flatnonzero(kind == k)
        picked = np.array(sides)[np.array(chosen)[rng.integers(len(chosen), size=(len(which), LENGTH))]]
        rows["card"][which, :LENGTH] = picked[..., 0]
        rows["side"][which, :LENGTH] = picked[..., 1]
    rows["length"] = rng.integers(1, LENGTH + 1, size=count)
    rows["turned"][:, :LENGTH] = rng.integers(2, size=(count, LENGTH))
    rows["lock"] = rng.integers(1, 4, size=(count, LENGTH)) * (rng.random((count, LENGTH)) < 0.05)
    return rows


def compare(content: dict[str, Any], count: int, seed: int) -> np.ndarray:
    """Assert that game and graph agree on random rows; return what they say."""
    rows = random_rows(content, count, seed)
    found = judged(content, rows)
    faces = obvious_row.faces_of(content)
    columns = (rows[name].tolist() for name in ("length", "card", "side", "turned", "lock"))
    for said, length, card, side, turned, lock in zip(found.tolist(), *columns, strict=True):
        row = [(faces[card[i]][side[i]], bool(turned[i])) for i in range(length)]
        assert said == expected(row, {i for i in range(length) if lock[i]}), row
    return found


def dense_deck(seed: int) -> dict[str, Any]:
    """A deck whose faces have many lines of a colour: every pattern of four lines, and of four stubs.

    Its cards are shuffled, as in the shipped deck the first ones all show a diamond.
    """
    rng = np.random.default_rng(seed)
    faces: dict[str, list[str]] = {}
    for number in range(100):
        diamond = number < 32
        ends = ["L0", "L1", "R0", "R1"] if diamond else ["00", "01", "10", "11"]
        patterns = (number % 16, int(rng.integers(16)))
        tokens = [
            c + end
            for c, bits in zip("rb", patterns, strict=True)
            for k, end in enumerate(ends)
            if bits >> k & 1
        ]
        faces[str(number)] = ["*"] * diamond + tokens
    return {"faces": faces, "cards": [[str(number), str(99 - number)] for number in rng.permutation(50)]}


# -- tests ----------------------------------------------------------------------------------


@pytest.mark.clause("RS-05", "RS-06", "RS-07", "RS-08", "RS-34", "RS-36", "RS-37", "RS-42", "RS-43", "RS-60")
@pytest.mark.parametrize("count", [12_000, pytest.param(80_000, marks=pytest.mark.slow)])
def test_rows_of_the_shipped_deck(count: int) -> None:
    found = compare(obvious_row.shipped_content(), count, seed=1)
    assert_all_sorts(found)


@pytest.mark.clause("RS-05", "RS-06", "RS-07", "RS-08", "RS-34", "RS-36", "RS-37", "RS-42", "RS-43")
@pytest.mark.parametrize("count", [12_000, pytest.param(25_000, marks=pytest.mark.slow)])
def test_rows_of_dense_decks(count: int) -> None:
    """Where lines branch and come back, one sweep over the row would not find everything."""
    found = compare(dense_deck(seed=2), count, seed=3)
    assert_all_sorts(found)


def assert_all_sorts(found: np.ndarray) -> None:
    """There are rows of each value, lines home and away, and Resistors that flip far cards."""
    for column in (0, 1):
        assert np.bincount(found[:, column]).min() > len(found) // 100
    for column in (2, 3):
        assert np.bincount(found[:, column])[:5].min() > len(found) // 300
    reached = found[:, 4 : 4 + LENGTH]
    for bit in range(4):
        assert np.count_nonzero(reached >> bit & 1) > len(found) // 100
    flipped = found[:, 4 + LENGTH :]
    assert np.count_nonzero(flipped >> 3 & flipped & 1) > len(found) // 300  # cards that are three apart
