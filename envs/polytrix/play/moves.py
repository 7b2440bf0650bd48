"""The legal moves as a player sees them: numbered by place, in notation; and why another one is none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TypeAlias

from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.notation import spelt
from polytrix.core.state import Record
from polytrix.core.words import Move

Numbered: TypeAlias = "tuple[int, Move]"
"""A legal move and its place in the list, from 1: what a player may type."""


def matching(moves: Sequence[Move], text: str) -> list[Numbered]:
    """The moves whose notation begins with the text; if there are none, those that contain it."""
    wanted = text.casefold()
    names = [(each, each[1].notation.casefold()) for each in enumerate(moves, start=1)]
    begin = [each for each, name in names if name.startswith(wanted)]
    return begin or [each for each, name in names if wanted in name]


def read_move(game: Game, s: Record, moves: Sequence[Move], answer: str) -> int:
    """The legal action of an answer: a number in the list of moves, or notation; blanks and case do not matter.

    Raises:
        NotationError: the answer is not a legal move.
    """
    if answer.isascii() and answer.isdecimal() and len(answer) < 10:
        number = int(answer)
        if not 1 <= number <= len(moves):
            raise NotationError(f"there is no move {number}; type 1 to {len(moves)}, or ? for the list")
        return moves[number - 1].id
    return game.parse_action(s, spelt(answer, (move.notation for move in moves)))


def why_not(error: NotationError, moves: Sequence[Move], text: str) -> str:
    """What is wrong with a text that names no legal move, and up to where it agrees with one."""
    reason = str(error)
    if not reason.endswith((".", "?")):
        reason += "."
    fits = max((agreeing(text.casefold(), move.notation.casefold()) for move in moves), default=0)
    if fits in (0, len(text)):
        return reason
    return f"{reason} Legal moves begin with {text[:fits]!r}, but none goes on with {text[fits:]!r}."


def agreeing(one: str, other: str) -> int:
    """The number of characters at the beginning that are the same.

    >>> agreeing("Rd1-d9", "Rd1-d4")
    5
    """
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))])
