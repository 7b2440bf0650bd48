"""The language of `worked_positions.txt`.

    set option=value ...      for the rest of the block
    start                     a fresh game          pos red:Rd1,Pa2 blue:Dd3   only these units
    opening 3 4 2 5           the dice of the opening roll
    roll red 4-2              red starts a turn with these dice
    legal A B ...             exactly these actions are legal
    has A ... / no A ...      these are legal / are not
    play A B ...              carry out these legal actions
    same red                  red chooses its second die move
    next blue                 the turn is over and blue is to roll
    phase NAME                board red:... blue:...  exactly these units
    over red 2                red has won with odds 2; `over truncated`: nobody has
    id A 12                   the number of a legal action
    obs blue block=3,5 ...    which entries of a block are not zero, or `none`; the values of `home` and `clock`

`;` starts a comment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.games.quatrix import GAME
from tests.games.scripts import COMMON, blocks, reported

from .play import SEATS, Position, set_board

KINDS = {"R": 1, "D": 2, "P": 3}


def listed(text: str) -> np.ndarray:
    """The board of a list: `red:Rd1,Pa2 blue:Dd3`."""
    units = np.zeros((11, 7), np.int8)
    for part in text.split():
        colour, _, names = part.partition(":")
        for name in names.split(","):
            units[int(name[2:]) - 1, "abcdefg".index(name[1])] = 3 * SEATS[colour] + KINDS[name[0]]
    return units


POSITIONS = [*blocks(__file__, "worked", comment=";")]
IN_PYTHON = [*blocks(__file__, "told", "broken")]


def run(lines: list[str], mode: Mode) -> None:
    """Run a block; AssertionError names the line that does not hold."""
    table = Position(mode=mode)
    for line in lines:
        command, _, rest = line.partition(" ")
        with reported(line, lambda: GAME.text(table.state, None)):
            COMMANDS[command](table, rest)


def set_options(table: Position, rest: str) -> None:
    pairs = (pair.partition("=") for pair in rest.split())
    table.set(**{name: int(value) if value.isdigit() else value for name, _, value in pairs})


def start(table: Position, rest: str) -> None:
    table.set_up()


def place_units(table: Position, rest: str) -> None:
    table.set_up()
    set_board(table.state, listed(rest))


def opening(table: Position, rest: str) -> None:
    table.chance(*map(int, rest.split()))


def legal(table: Position, rest: str) -> None:
    assert table.legal == set(rest.split()), sorted(table.legal)


def has(table: Position, rest: str) -> None:
    assert table.legal >= set(rest.split()), sorted(table.legal)


def has_not(table: Position, rest: str) -> None:
    assert not table.legal & set(rest.split()), sorted(table.legal)


def play(table: Position, rest: str) -> None:
    table.play(*rest.split())


def next_turn(table: Position, rest: str) -> None:
    assert table.turn == f"ROLL {rest}", table.turn


def same(table: Position, rest: str) -> None:
    assert table.turn == f"MOVE {rest}", table.turn
    assert table.state.used.sum() == 1


def phase(table: Position, rest: str) -> None:
    assert table.turn.split()[0] == rest, table.turn


def units(table: Position, rest: str) -> None:
    assert (table.units == listed(rest)).all()


def over(table: Position, rest: str) -> None:
    assert table.result == rest, table.result


def number(table: Position, rest: str) -> None:
    text, expected = rest.split()
    assert text in table.legal
    assert table.number(text) == int(expected), table.number(text)


def observed(table: Position, rest: str) -> None:
    colour, *wanted = rest.split()
    seen = table.observation(colour)
    for pair in wanted:
        name, _, expected = pair.partition("=")
        entries = seen[name].reshape(-1)
        found = entries if name in ("home", "clock") else np.flatnonzero(entries)
        assert (",".join(map(str, found)) or "none") == expected, f"{name}: {found}"


COMMANDS: dict[str, Callable[[Position, str], Any]] = {
    "set": set_options,
    "start": start,
    "pos": place_units,
    "opening": opening,
    "roll": Position.roll,
    "legal": legal,
    "has": has,
    "no": has_not,
    "play": play,
    "same": same,
    "next": next_turn,
    "phase": phase,
    "board": units,
    "over": over,
    "id": number,
    "obs": observed,
    **COMMON,
}
