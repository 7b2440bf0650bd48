"""Games in words, for language models and people: a seat's view, its legal actions and the rules.

    text_of(env)         the position as the seat to move sees it
    legal_moves(env)     its legal actions: number, notation, and what each does
    parse(env, answer)   the action that an answer names
    rules_of(game)       the rules, for newcomers

`env` is a PettingZoo environment (`quatrix_v0.env()`), a Gymnasium one (`gym.make`), or a row of a
`Simulator`.

>>> from polytrix import resistor_v0
>>> env = resistor_v0.env()
>>> env.reset(seed=7)
>>> text_of(env).splitlines()[0]
'RESISTOR_. You are blue (seat 1), the others: red (seat 0).'
>>> print(legal_moves(env)[7])
   7  D  draw a card from the deck, then put it into a hand or discard it
>>> env.step(parse(env, "D"))
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from polytrix.core import words
from polytrix.core.calls import is_whole, one_row, shown
from polytrix.core.catalogue import find
from polytrix.core.errors import GameOverError
from polytrix.core.game import Game
from polytrix.core.pages import rules_text
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.core.words import Move, listed

from .aec import AECGame
from .single import SingleEnv

__all__ = ["Move", "legal_moves", "listed", "parse", "rules_of", "text_of"]

Table: TypeAlias = Any
"""A `Simulator`, an `AECGame` or a `SingleEnv`; the latter two may be wrapped."""


class Position(NamedTuple):
    """A game's state, the seat whose view is meant, and the mover's legal actions."""

    game: Game
    record: Record
    seat: int
    legal: list[int]


def text_of(env: Table, seat: int | str | None = None, row: int = 0) -> str:
    """A seat's view as text: the position, facts that a picture would not show, and how to read it.

    Args:
        env: a game; see above.
        seat: a number, or an agent like "player_0". None is the seat to move (seat 0 once the game is over),
            or in a Gymnasium environment the learner, the only seat allowed there.
        row: the row of a `Simulator`.

    Raises:
        TypeError: `env` is none of these.
        IndexError: no such seat or row.
        GameOverError: no game has begun.
    """
    game, record, own, _ = position_of(env, row)
    reader = own if seat is None else seat_number(seat)
    if reader != own and isinstance(getattr(env, "unwrapped", None), SingleEnv):
        raise IndexError(f"seat is {shown(seat)}; allowed: {own}, where the learner sits")
    return words.seat_text(game, record, reader)


def legal_moves(env: Table, row: int = 0) -> list[Move]:
    """The legal actions of the seat to move in ascending order, as (id, notation, words); empty once over.

    Args:
        env, row: as for `text_of`.
    """
    game, record, _, legal = position_of(env, row)
    return words.moves(game, record, legal)


def parse(env: Table, answer: str, row: int = 0) -> int:
    """The legal action that an answer names: in notation, or by its number.

    Args:
        env, row: as for `text_of`.
        answer: the text; surrounding blanks and quotation marks are ignored.

    Raises:
        NotationError: its message says what was given, what is allowed and what may have been meant; show
            it to a model to let it try again.
    """
    game, record, _, legal = position_of(env, row)
    return words.parse_move(game, record, answer, words.moves(game, record, legal))


def rules_of(game: Game | str) -> str:
    """The rules and payoffs of a game in Markdown, from its documentation page; "" if it has none."""
    return rules_text(find(game))


# -- reading environments -------------------------------------------------------------------------


def position_of(env: Table, row: int) -> Position:
    """The position of an environment, or of a simulator's row."""
    inner = env if isinstance(env, Simulator) else getattr(env, "unwrapped", None)
    if isinstance(inner, Simulator):
        row = one_row(row, inner.num_envs)
        legal = inner.legal_ids[row, : inner.num_legal[row]].tolist()
        return Position(inner.game, inner.states[row], max(0, int(inner.mover[row])), legal)
    one_row(row, 1)  # an environment has one game
    if isinstance(inner, (AECGame, SingleEnv)) and not inner.begun:
        raise GameOverError("no game has begun; call reset() first")
    if isinstance(inner, AECGame):
        return Position(inner.game, inner.record, max(0, int(inner.record.mover)), inner.legal_actions())
    if isinstance(inner, SingleEnv):
        legal = np.flatnonzero(inner.action_masks()).tolist()
        return Position(inner.game, inner.record, inner.seat, legal)
    raise TypeError(
        f"env is {type(env).__name__}; allowed: a Simulator, or an environment of polytrix for PettingZoo or "
        "Gymnasium (gym.make)"
    )


def seat_number(seat: int | str) -> int:
    """The number of a seat given as a number or as an agent."""
    if is_whole(seat):
        return int(seat)
    number = seat.removeprefix("player_") if isinstance(seat, str) else ""
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise IndexError(f"seat is {shown(seat)}; allowed: a number, or an agent like 'player_0'")
    return int(number)
