"""The legal moves as a player sees them: numbered by place, in notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.notation import spelt
from polytrix.core.state import Record


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
    """The legal action of an answer, which is a number in the list of moves or notation.

    Args:
        game: the game.
        s: the position.
        moves: the legal moves.
        answer: the answer; blanks and case do not matter.

    Raises:
        NotationError: the answer is no legal move.
    """
    if answer.isascii() and answer.isdecimal() and len(answer) < 10:
        number = int(answer)
        if not 1 <= number <= len(moves):
            raise NotationError(f"there is no move {number}; type 1 to {len(moves)}, or ? for the list")
        return moves[number - 1].action
    action = game.parse_action(s, spelt(answer, (move.notation for move in moves)))
    if action not in [move.action for move in moves]:
        raise NotationError(f"{answer!r} is not legal here; type ? for the list of legal moves")
    return action
