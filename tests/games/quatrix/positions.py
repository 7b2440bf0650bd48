"""Positions drawn or listed in text, and the small language of `worked_positions.txt`.

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
    over red 2                red has won with odds 2; `over truncated`: cut off
    id A 12                   the number of a legal action
    obs blue block=3,5 ...    which entries of a block are not zero, or `none`; the values of `home` and `clock`

`;` starts a comment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polytrix.core import drivers
from polytrix.core.compile.compiler import Mode, program
from polytrix.core.compile.programs import programs
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import PHASES, Phase, board, set_board
from tests.games.scripts import reported

SEATS = {"red": 0, "blue": 1}
KINDS = {"R": 1, "D": 2, "P": 3}
BEGIN = program(drivers.begin, GAME.replacements, Mode.PLAIN, "begin")


class Position:
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
        self.simulator = Simulator(GAME, options=options, seed=0, mode=mode)
        self.programs = programs(GAME, mode)
        BEGIN(self.state)
        if picture is not None:
            set_board(self.state, drawn(picture))

    @property
    def state(self) -> Any:
        return self.simulator.states[0]

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
        assert (self.state.phase, self.state.turn_seat) == (Phase.ROLL, SEATS[colour]), "not at the start of its turn"
        return self.chance(*map(int, dice.split("-")))

    def play(self, *actions: str) -> Position:
        """Carry out actions in notation; each must be legal and named exactly so."""
        for text in actions:
            assert text in self.legal, f"{text} is not among {sorted(self.legal)}"
            self.advance(self.number(text))
        return self

    def advance(self, action: int) -> None:
        self.programs.advance(self.simulator.states, np.array([action]))

    # -- looking --

    @property
    def legal(self) -> set[str]:
        """The legal actions in notation, by the mask; the list must agree with it."""
        self.simulator.refresh()
        ids = np.flatnonzero(self.simulator.mask[0])
        assert list(ids) == list(self.simulator.legal_ids[0, : self.simulator.num_legal[0]])
        return {GAME.format_action(self.state, int(action)) for action in ids}

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
        return f"{PHASES[self.state.phase]} {('red', 'blue')[self.state.turn_seat]}"

    @property
    def result(self) -> str:
        """`red 3`: winner and odds; `truncated`."""
        assert self.state.mover == OVER
        return (
            "truncated" if self.state.truncated else f"{('red', 'blue')[self.state.winner]} {self.state.odds}"
        )

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


def listed(text: str) -> np.ndarray:
    """The board of a list: `red:Rd1,Pa2 blue:Dd3`."""
    units = np.zeros((11, 7), np.int8)
    for part in text.split():
        colour, _, names = part.partition(":")
        for name in names.split(","):
            units[int(name[2:]) - 1, "abcdefg".index(name[1])] = 3 * SEATS[colour] + KINDS[name[0]]
    return units


# -- the script language --------------------------------------------------------------------


def run(lines: list[str], mode: Mode) -> None:
    """Run a block; AssertionError names the line that does not hold."""
    table = Position(mode=mode)
    for line in lines:
        command, _, rest = line.partition(" ")
        with reported(line, lambda: GAME.text(table.state, None)):
            COMMANDS[command](table, rest)


def set_options(table: Position, rest: str) -> None:
    table.set(**dict(pair.split("=") for pair in rest.split()))


def start(table: Position, rest: str) -> None:
    BEGIN(table.state)


def place_units(table: Position, rest: str) -> None:
    BEGIN(table.state)
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
}
