"""Explains why a move is illegal: what of its notation fits a legal move, and which moves come near."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.state import Record
from polytrix.core.words import explained

from .moves import Numbered, read_move

NEAR = 3
"""The most moves that are suggested."""


def why(game: Game, s: Record, moves: Sequence[Numbered], text: str) -> list[str]:
    """Lines about a move: that it is legal, or what is wrong with it, and the nearest legal moves.

    Args:
        game: the game.
        s: the position.
        moves: the legal moves.
        text: what a player typed.
    """
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
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def nearest(moves: Sequence[Numbered], text: str) -> list[Numbered]:
    """The legal moves whose notation is most like the text."""
    wanted = text.casefold()

    def likeness(move: Numbered) -> float:
        return SequenceMatcher(None, wanted, move.notation.casefold()).ratio()

    return sorted(moves, key=likeness, reverse=True)[:NEAR]
