"""Positions drawn as text, and a game that is set up and played by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.state import CHANCE, OVER
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.bitboard import LAST_SQUARE
from polytrix.games.quatrix.ending import odds
from polytrix.games.quatrix.state import Kind, Phase, Seat, State, board, clear_board, toggle_disc, toggle_ring
from tests.games.by_hand import ByHand

SEATS = {"red": 0, "blue": 1}
COLOURS = tuple(SEATS)


def set_board(s: State, units: np.ndarray) -> None:
    """Replace all units by those of `units`, coded as `board` does."""
    clear_board(s)
    for square, unit in enumerate(units.flat):
        if unit:
            seat, kind = divmod(int(unit) - 1, 3)
            own = square if seat == Seat.RED else LAST_SQUARE - square
            if kind + 1 != Kind.DISC:
                toggle_ring(s, seat, own)
            if kind + 1 != Kind.RING:
                toggle_disc(s, seat, own)


class Position(ByHand):
    """One game, set up and played by hand, in plain Python or compiled.

    Args:
        picture: the units, see `drawn`; without one the opening position.
        mode: how the rules are run.
        options: of the game.

    >>> table = Position('''
    ...     5 . . . R . . .
    ...     1 . . . d . . .''').roll("red 4-2")
    >>> sorted(table.legal)
    ['Dd1-b1', 'Dd1-d3', 'Dd1-f1', 'Dd1xd5']
    """

    def __init__(self, picture: str | None = None, mode: Mode = Mode.PLAIN, **options: Any) -> None:
        super().__init__(GAME, mode, **options)
        self.set_up()
        if picture is not None:
            set_board(self.state, drawn(picture))

    def set(self, **options: Any) -> None:
        """Change options of the running game."""
        values = GAME.options.read(self.state.options) | options
        GAME.options.write(self.state.options, GAME.options.validate(values))

    # -- playing --

    def chance(self, *numbers: int) -> Position:
        """Throw dice."""
        for number in numbers:
            assert self.state.mover == CHANCE
            self.advance(number - 1)
        return self

    def roll(self, text: str) -> Position:
        """`red 4-2`: that colour begins its turn with these dice."""
        colour, dice = text.split()
        if self.state.phase == Phase.OPENING:
            self.chance(*((6, 6, 1, 1) if colour == "red" else (1, 1, 6, 6)))
        assert self.turn == f"ROLL {colour}", "not at the start of its turn"
        return self.chance(*map(int, dice.split("-")))

    def play(self, *actions: str) -> Position:
        """Carry out actions in notation; each must be legal and named exactly so."""
        for text in actions:
            self.act(text)
        return self

    # -- looking --

    def number(self, text: str) -> int:
        return GAME.parse_action(self.state, text)

    @property
    def units(self) -> np.ndarray:
        return board(self.state)

    def shows(self, picture: str) -> bool:
        """Whether exactly these units are on the board."""
        return bool((self.units == drawn(picture)).all())

    @property
    def turn(self) -> str:
        """`MOVE red`, `ROLL blue`, `OVER`, ...: the phase and whose turn it is."""
        if self.state.mover == OVER:
            return "OVER"
        return f"{Phase.name_of(self.state.phase)} {COLOURS[self.state.turn_seat]}"

    @property
    def result(self) -> str:
        """`red 3`: winner and odds; `truncated`."""
        assert self.state.mover == OVER
        return "truncated" if self.state.truncated else f"{COLOURS[self.state.winner]} {odds(self.state)}"

    def observation(self, colour: str) -> dict[str, np.ndarray]:
        """The blocks of what a colour sees."""
        return GAME.observations.view(self.simulator.view(SEATS[colour])[0][0])


def drawn(picture: str) -> np.ndarray:
    """The board of a picture: lines of a row's number and its squares a-g; other rows are empty.

    Red ring, disc, pip are r d p, blue ones R D P.
    """
    units = np.zeros((11, 7), np.int8)
    for line in picture.strip().splitlines():
        number, *squares = line.split()
        assert len(squares) == 7, f"row {number} has {len(squares)} squares"
        units[int(number) - 1] = [".rdpRDP".index(sign) for sign in squares]
    return units
