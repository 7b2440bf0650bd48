"""Playing by hand: positions built from a line of text, and actions by name, in plain Python.

A row is written from Red's MainFrame to Blue's, each card as its number, the side that lies up and how
it lies: `42a+ 20b-`. In a hand, or just drawn, the letter is the side that faces Red: `36a`.
Actions have the names of the game's page: `F3`, `D`, `Pb`, `Te1`, `S3e2-`, `L4`, `R2`, `U`, `K`.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from polytrix.core import drivers
from polytrix.core.compile.compiler import Mode, program
from polytrix.core.compile.programs import programs
from polytrix.core.state import CHANCE, OVER, new_records
from polytrix.games.resistor import GAME

SEATS = ("red", "blue")
PHASES = ("ACT", "TRASH", "FORCED", "UNDO", "RESOLVE", "LAY", "DEAL", "TIE", "TAKE", "REDRAW", "OVER")
REASONS = ("running", "hit", "short", "deck")

NAMES = (
    *(f"F{p}" for p in range(1, 8)),
    *("D", "Pa", "Pb", "To1", "To2", "Te1", "Te2", "T-"),
    *(f"S{p}{hand}{slot}{way}" for p, hand, slot, way in product(range(1, 8), "oe", "12", "+-")),
    *(f"L{p}" for p in range(1, 8)),
    *(f"R{p}" for p in range(1, 8)),
    *("U", "K"),
)
"""The actions, by number."""

RESISTORS = {*range(16), 49}  # side a shows the diamond

BEGIN = program(drivers.begin, GAME.replacements, Mode.PLAIN, "begin")
RUN = programs(GAME, Mode.PLAIN)


class Board:
    """A game at the start of the set-up.

    >>> board = built("42a+ 44a+ 20b+", turn="blue").play("F1")
    >>> board.row, board.phase, board.left, board.known
    ('42a+ 44a+ 20a-', 'ACT blue', 'DS', '20:RB')
    """

    def __init__(self, **options: Any) -> None:
        self.states = new_records(1, GAME.state)
        self.states["num_players"] = 2
        GAME.options.write(self.states["options"], GAME.options.validate(options))
        BEGIN(self.state)

    @property
    def state(self) -> Any:
        return self.states[0]

    # -- playing --

    def play(self, action: str, draws: str = "") -> Board:
        """Apply an action, which must be legal; then these cards are drawn."""
        assert action in self.legal, f"{action} is not among {self.legal}"
        self.advance(NAMES.index(action))
        return self.happens(draws)

    def happens(self, cards: str) -> Board:
        """Apply outcomes of chance: cards that are laid (`42a+`) or drawn (`46a`), one after the other."""
        for card in cards.split():
            assert self.state.mover == CHANCE, f"{card} cannot come up: {self.phase}"
            self.advance(self.outcomes.index(card))
        return self

    def advance(self, number: int) -> None:
        """Apply an action or an outcome of chance by its number."""
        RUN.advance(self.states, np.array([number]))

    @property
    def outcomes(self) -> list[str]:
        """The outcomes of the pending chance event, by number."""
        deck = [card for card in range(50) if int(self.state.deck) >> card & 1]
        if PHASES[self.state.phase] in ("LAY", "TIE"):
            sides = [f"{card}{side}" for card in deck for side in ("b" if card in RESISTORS else "ab")]
            names = [side + way for side in sides for way in "+-"]
        else:
            names = [f"{card}{side}" for card in deck for side in "ab"]
        assert GAME.chance(self.state) == len(names)
        return names

    # -- looking --

    @property
    def legal(self) -> list[str]:
        """The mover's legal actions; none if no seat is to move."""
        ids = np.zeros(GAME.max_legal, np.int16)
        count = GAME.legal(self.state, ids) if self.state.mover >= 0 else 0
        return [NAMES[i] for i in ids[:count]]

    @property
    def phase(self) -> str:
        """`TRASH red`: the phase and who moves; `REDRAW` while chance is to move; `OVER`."""
        if self.state.mover == OVER:
            return "OVER"
        name = PHASES[self.state.phase]
        return name if self.state.mover == CHANCE else f"{name} {SEATS[self.state.mover]}"

    @property
    def turn(self) -> str:
        return SEATS[self.state.turn]

    @property
    def left(self) -> str:
        return "".join(letter for bit, letter in enumerate("FDSL") if int(self.state.left) >> bit & 1)

    @property
    def row(self) -> str:
        s = self.state
        return " ".join(f"{s.card[i]}{'ab'[s.side[i]]}{'+-'[s.turned[i]]}" for i in range(int(s.length)))

    def hand(self, colour: str) -> str:
        first = 7 + 2 * SEATS.index(colour)
        return " ".join(self._held(place) for place in (first, first + 1))

    @property
    def drawn(self) -> str:
        return self._held(11)

    def _held(self, place: int) -> str:
        card = int(self.state.card[place])
        return "--" if card < 0 else f"{card}{'ab'[self.state.side[place]]}"

    @property
    def pile(self) -> str:
        """Bottom to top."""
        return " ".join(str(card) for card in self.state.pile[: int(self.state.pile_size)])

    @property
    def levels(self) -> tuple[int, int]:
        return int(self.state.defcon[0]), int(self.state.defcon[1])

    @property
    def known(self) -> str:
        """Who knows both sides of which card: `20:RB 36:B`."""
        s = self.state
        flags = {int(s.card[p]): int(s.known[p]) for p in range(12) if s.card[p] >= 0 and s.known[p]}
        return " ".join(f"{card}:{'R' * (flag & 1)}{'B' * (flag >> 1)}" for card, flag in sorted(flags.items()))

    @property
    def locks(self) -> str:
        """`red:40 blue:48`."""
        s = self.state
        return " ".join(
            f"{colour}:{s.card[i]}"
            for seat, colour in enumerate(SEATS)
            for i in range(int(s.length))
            if int(s.lock[i]) >> seat & 1
        )

    @property
    def result(self) -> str:
        """The winner and the reason: `red hit`, `draw short`, `truncated`."""
        s = self.state
        assert s.mover == OVER, self.phase
        if s.truncated:
            return "truncated"
        return f"{(*SEATS, 'draw')[s.winner]} {REASONS[s.reason]}"

    @property
    def payoff(self) -> list[float]:
        out = np.zeros(2, np.float32)
        GAME.payoff(self.state, out)
        return out.tolist()

    def sees(self, colour: str) -> dict[str, Any]:
        """A colour's observation, by block."""
        out = np.zeros(GAME.observations.size, np.int8)
        GAME.observe(self.state, SEATS.index(colour), out)
        return GAME.observations.view(out)


def built(
    row: str,
    *,
    red: str = "36a 37a",
    blue: str = "34a 35a",
    turn: str = "red",
    left: str = "FDS",
    levels: tuple[int, int] = (1, 1),
    deck: str | None = None,
    pile: str = "",
    locks: str = "",
    known: str = "",
    **options: Any,
) -> Board:
    """A position in which a seat chooses an action.

    Args:
        row, red, blue: the row and the hands.
        turn: whose turn it is.
        left: the actions left in it, letters of FDSL.
        levels: DEFCON levels, Red's first.
        deck: the cards of the deck; by default all that are nowhere else. If it is given, those
            are at the bottom of the pile, ascending.
        pile: the discards, bottom to top.
        locks: `red:40 blue:48`.
        known: who knows both sides of which card, `42:RB 36:B`.
        **options: of the game.
    """
    board = Board(**options)
    s = board.state
    laid = row.split()
    held = [*enumerate(red.split(), 7), *enumerate(blue.split(), 9)]
    for i, text in enumerate(laid):
        s.card[i], s.side[i], s.turned[i] = int(text[:-2]), "ab".index(text[-2]), "+-".index(text[-1])
    for place, text in held:
        s.card[place], s.side[place] = int(text[:-1]), "ab".index(text[-1])
    for text in known.split():
        card, who = text.split(":")
        s.known[s.card.tolist().index(int(card))] = ("R" in who) + 2 * ("B" in who)
    for text in locks.split():
        colour, card = text.split(":")
        s.lock[s.card.tolist().index(int(card))] |= 1 << SEATS.index(colour)
    discards = [int(card) for card in pile.split()]
    used = [card for card in s.card.tolist() if card >= 0] + discards
    free = sorted({*range(50)} - {*used})
    stack = free if deck is None else [int(card) for card in deck.split()]
    discards = [card for card in free if card not in stack] + discards
    assert len(used) == len({*used}) and {*stack} <= {*free}, "a card is at two places"
    s.deck = sum(1 << card for card in stack)
    s.pile[: len(discards)], s.pile_size = discards, len(discards)
    s.length = len(laid)
    s.defcon[:] = levels
    s.turn = s.mover = SEATS.index(turn)
    s.left = sum(1 << "FDSL".index(letter) for letter in left)
    s.phase = PHASES.index("ACT")
    return board
