"""A game in words, for language models and for people: what a seat sees, and what it may do.

    text_of(env)         the position as the seat to move sees it
    legal_moves(env)     its legal actions: number, notation, and what each does
    parse(env, answer)   the action that an answer names
    rules_of(game)       what a newcomer has to read

`env` is a PettingZoo environment (`quatrix_v0.env()`), a Gymnasium one (`gym.make`), or a `Simulator`, of
which a row is meant.

>>> from polytrix import resistor_v0
>>> env = resistor_v0.env()
>>> env.reset(seed=7)
>>> text_of(env).splitlines()[0]
'RESISTOR_. You are blue (seat 1), the others: red (seat 0).'
>>> print(legal_moves(env)[7])
   7  D  draw a card from the deck, then put it into a hand or trash it
>>> env.step(parse(env, "D"))
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from polytrix.core import catalogue, words
from polytrix.core.calls import one_row, shown
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
"""A `Simulator`, an `AECGame` or a `SingleEnv`, the latter two also within wrappers."""


class Position(NamedTuple):
    """Where a game stands, whose view is meant, and what the mover may do."""

    game: Game
    record: Record
    seat: int
    legal: list[int]


def text_of(env: Table, seat: int | str | None = None, row: int = 0) -> str:
    """What a seat sees, as text: the position, what the picture of it does not say, and how to read it.

    Args:
        env: a game; see above.
        seat: who reads it: a number, or an agent like "player_0". None: who is to move (once over seat 0), in
            a Gymnasium environment the learner, and no other seat can be asked for there.
        row: of a `Simulator`.

    Raises:
        TypeError: `env` is nothing of that kind.
        IndexError: no such seat or row.
        GameOverError: no game has begun.
    """
    game, record, own, _ = position_of(env, row)
    reader = own if seat is None else seat_number(seat)
    if reader != own and isinstance(getattr(env, "unwrapped", None), SingleEnv):
        raise IndexError(f"seat is {shown(seat)}; allowed: {own}, where the learner sits")
    return words.seat_text(game, record, reader)


def legal_moves(env: Table, row: int = 0) -> list[Move]:
    """The legal actions of the seat to move: (id, notation, words) each, ascending; none once over.

    Args:
        env, row: as for `text_of`.
    """
    game, record, _, legal = position_of(env, row)
    return words.moves(game, record, legal)


def parse(env: Table, answer: str, row: int = 0) -> int:
    """The legal action that an answer names: in notation, or by its number.

    Args:
        env, row: as for `text_of`.
        answer: the text; blanks and quotation marks around it do not matter.

    Raises:
        NotationError: says what was given, what is allowed, and what may have been meant: fit to be told
            to a model that is asked again.
    """
    game, record, _, legal = position_of(env, row)
    return words.parse_move(game, record, answer, words.moves(game, record, legal))


def rules_of(game: Game | str) -> str:
    """The rules of a game in Markdown, from its page, with the payoffs; "" for a game without a page."""
    return rules_text(catalogue.find(game) if isinstance(game, str) else game)


# -- where the game is ----------------------------------------------------------------------------


def position_of(env: Table, row: int) -> Position:
    """Where a game stands."""
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
    """The number of a seat that is given as such or as an agent."""
    number = seat.removeprefix("player_") if isinstance(seat, str) else shown(seat)
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise IndexError(f"seat is {shown(seat)}; allowed: a number, or an agent like 'player_0'")
    return int(number)
