"""Positions and actions in words, for people and for language models.

Everything comes from the description of the game: its text, its notation, its action layout, and its
`legend`, `notes` and `explain` if it has them. Nothing that the seat cannot know is revealed:
`testing.check_no_leak` compares this text, too, between deals that the seat cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .calls import shown
from .errors import NotationError
from .game import Game
from .loaded import refusing
from .notation import as_text, some_of, spelt
from .state import OVER, Record

QUOTES = " \t\r\n`'\"*"
"""Characters that may surround an answer."""


class Move(NamedTuple):
    """A legal action.

    >>> print(Move(37, "F3", "flip the card at position 3"))
      37  F3  flip the card at position 3
    """

    id: int
    notation: str
    words: str

    def __str__(self) -> str:
        return f"{self.id:>4}  {self.notation}  {self.words}"


# -- the position ---------------------------------------------------------------------------------


def seat_text(game: Game, s: Record, seat: int) -> str:
    """Everything that a seat sees of a position, as text that needs only the rules to be understood.

    Args:
        game: the game.
        s: the position; no chance event may be pending.
        seat: the reader, one of the seats that play.

    Raises:
        IndexError: the seat does not play.
    """
    players = int(s.num_players)
    if not 0 <= seat < players:
        raise IndexError(
            f"seat is {shown(seat)}; allowed: 0..{players - 1}, this game of {game.name} has {players} players"
        )
    with refusing(s):
        notes = [] if game.notes is None else game.notes(s, seat)
        parts = [
            "\n".join([who(game, s, seat), situation(game, s, seat), options(game, s)]),
            game.text(s, seat),
            "\n".join(notes),
            f"How to read this: {game.legend}" if game.legend else "",
        ]
    return "\n\n".join(part for part in parts if part)


def who(game: Game, s: Record, seat: int) -> str:
    """Which game it is, and which seat is whose."""
    others = ", ".join(
        f"{game.seats[other]} (seat {other})" for other in range(int(s.num_players)) if other != seat
    )
    return f"{game.title}. You are {game.seats[seat]} (seat {seat}), the others: {others}."


def situation(game: Game, s: Record, seat: int) -> str:
    """Who is to move, or the payoffs."""
    if s.mover == OVER:
        paid = zip(game.seats, game.payoffs(s), strict=False)
        shares = ", ".join(f"{name} {payoff:+g}" for name, payoff in paid)
        return f"The game is over{cut_off(s)}. Payoffs: {shares}."
    mover = "You are" if s.mover == seat else f"{game.seats[int(s.mover)]} is"
    return f"{mover} to move. Decisions made in this game, by all: {int(s.decisions)}."


def cut_off(s: Record) -> str:
    """Which limit truncated the game, if any: games may have limits besides `max_decisions`."""
    if not s.truncated:
        return ""
    if s.decisions >= s.options.max_decisions:
        return ", cut off at the limit of decisions"
    return ", cut off at another limit that its options set"


def options(game: Game, s: Record) -> str:
    """The options of this game."""
    values = game.options.read(s.options)
    return "Options: " + ", ".join(f"{name}={value}" for name, value in values.items()) + "."


# -- the moves ------------------------------------------------------------------------------------


def moves(game: Game, s: Record, ids: Iterable[int] | None = None) -> list[Move]:
    """The legal actions of a position in words, ascending.

    Args:
        game: the game.
        s: the position; it has none unless a seat is to move.
        ids: the legal actions, if already known.
    """
    with refusing(s):
        legal = game.legal_ids(s) if ids is None else ids
        return [Move(action, game.format_action(s, action), explained(game, s, action)) for action in legal]


def listed(moves: Sequence[Move]) -> str:
    """The moves, one per line: number, notation, words.

    >>> print(listed([Move(2, "F3", "flip the card at position 3"), Move(7, "D", "draw a card")]))
       2  F3  flip the card at position 3
       7  D   draw a card
    """
    width = max((len(move.notation) for move in moves), default=0)
    return "\n".join(f"{move.id:>4}  {move.notation:<{width}}  {move.words}" for move in moves)


def explained(game: Game, s: Record, action: int) -> str:
    """What an action does, explained by the game, or else by its layout."""
    if game.explain is not None:
        return game.explain(s, action)
    block, where = game.actions.locate(action)
    return block.meaning + (f" [{', '.join(map(str, where))}]" if block.size > 1 else "")


def parse_move(game: Game, s: Record, text: str, legal: Sequence[Move]) -> int:
    """The legal action that an answer names, by notation or by number.

    Args:
        game: the game.
        s: the position.
        text: the answer; blanks, case, and surrounding quotation marks and backquotes do not matter.
        legal: what `moves` returned.

    Raises:
        NotationError: says what was given, what is allowed, and what may have been meant.
    """
    answer = as_text(text).strip(QUOTES)
    names = [move.notation for move in legal]
    if not legal:
        raise NotationError(f"{shown(text)} cannot be played; {some_of(names)}")
    if not (answer.isascii() and answer.isdecimal() and len(answer) < 10):
        with refusing(s):
            return game.parse_action(s, spelt(answer, names))
    action = int(answer)
    if action in [move.id for move in legal]:
        return action
    exists = action < game.actions.size
    refused = f"{answer} is not a legal action here" if exists else f"there is no action {answer}"
    raise NotationError(f"{refused}; {some_of(names)}")
