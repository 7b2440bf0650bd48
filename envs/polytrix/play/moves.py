"""The legal moves as a player sees them: numbered by place, in notation; and why another one is none."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.notation import spelt
from polytrix.core.state import Record
from polytrix.core.words import explained

NEAR = 3
"""The most moves that are suggested in place of an illegal one."""


class Numbered(NamedTuple):
    """A legal move."""

    number: int
    """Its place in the list, from 1: what a player may type."""
    action: int
    notation: str


def number_moves(game: Game, s: Record, legal: Sequence[int]) -> list[Numbered]:
    """The legal moves in the order of the actions, numbered from 1."""
    return [Numbered(i, action, game.format_action(s, action)) for i, action in enumerate(legal, start=1)]


def matching(moves: Sequence[Numbered], text: str) -> list[Numbered]:
    """The moves whose notation begins with the text; if there are none, those that contain it."""
    wanted = text.casefold()
    names = [(move, move.notation.casefold()) for move in moves]
    begin = [move for move, name in names if name.startswith(wanted)]
    return begin or [move for move, name in names if wanted in name]


def read_move(game: Game, s: Record, moves: Sequence[Numbered], answer: str) -> int:
    """The legal action of an answer: a number in the list of moves, or notation; blanks and case do not matter.

    Raises:
        NotationError: the answer is not a legal move.
    """
    if answer.isascii() and answer.isdecimal() and len(answer) < 10:
        number = int(answer)
        if not 1 <= number <= len(moves):
            raise NotationError(f"there is no move {number}; type 1 to {len(moves)}, or ? for the list")
        return moves[number - 1].action
    return game.parse_action(s, spelt(answer, (move.notation for move in moves)))


def why(game: Game, s: Record, moves: Sequence[Numbered], text: str) -> list[str]:
    """Lines about what a player typed: that it is legal, or what is wrong, and the nearest legal moves."""
    try:
        action = read_move(game, s, moves, text)
    except NotationError as error:
        return [f"{str(error).rstrip('.')}.", *what_fits(moves, text), "The nearest legal moves:"] + [
            f"{move.number:>3} {move.notation}: {explained(game, s, move.action)}"
            for move in nearest(moves, text)
        ]
    return [f"{text} is legal: {explained(game, s, action)}."]


def what_fits(moves: Sequence[Numbered], text: str) -> list[str]:
    """Up to where the text agrees with a legal move, if it does at all."""
    fits = max((agreeing(text.casefold(), move.notation.casefold()) for move in moves), default=0)
    if fits in (0, len(text)):
        return []
    return [f"Legal moves begin with {text[:fits]!r}, but none goes on with {text[fits:]!r}."]


def agreeing(one: str, other: str) -> int:
    """The number of characters at the beginning that are the same.

    >>> agreeing("Rd1-d9", "Rd1-d4")
    5
    """
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))])


def nearest(moves: Sequence[Numbered], text: str) -> list[Numbered]:
    """The legal moves whose notation is most like the text."""
    wanted = text.casefold()

    def likeness(move: Numbered) -> float:
        return SequenceMatcher(None, wanted, move.notation.casefold()).ratio()

    return sorted(moves, key=likeness, reverse=True)[:NEAR]
