"""Everything that a reader of a game may be shown, for tests of the disguise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polytrix
from polytrix.agents import HeuristicPolicy, RandomPolicy
from polytrix.api.words import rules_of
from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.pages import notation_text
from polytrix.core.state import Record
from polytrix.core.viewers import SPECTATOR
from polytrix.core.words import Move, listed, moves, parse_move, seat_text
from polytrix.llm.prompts import log_line
from polytrix.play.log import Log
from polytrix.play.session import Session
from polytrix.testing import option_combinations

WRONG = ("I pass", "500", "S9o1+", "a1-a2", "move e1", "")
"""Answers that get an error."""

GAMES = tuple(polytrix.all_games())


def sessions(game: Game, count: int, decisions: int) -> Iterator[Session]:
    """Games with several options: by turns at random, and by the greedy policy, which gets further."""
    combinations = option_combinations(game)
    for number, given in enumerate(combinations[:: max(1, len(combinations) // count)][:count]):
        session = Session(game, game.options.validate(given), 11 + number)
        policy = HeuristicPolicy(game) if number % 2 else RandomPolicy(game)
        while not session.over and len(session.actions) < decisions:
            session.play(session.choose(policy))
        yield session


def texts_of(game: Game, count: int, decisions: int, every: int = 7) -> Iterator[str]:
    """The rules, and positions, moves, logs and errors of some games.

    Args:
        game: the game.
        count: how many games.
        decisions: the most decisions of each.
        every: the position before each so many decisions is shown.
    """
    yield rules_of(game)
    yield notation_text(game)
    for session in sessions(game, count, decisions):
        log = Log(session)
        for viewer in (*range(len(session.seats)), SPECTATOR):
            yield "\n".join(log.opening(viewer))
            for entry in log.entries(viewer, 0):
                yield "\n".join([log_line(game, entry, viewer), *entry.chance])
        for number in (*range(0, len(session.actions), every), len(session.actions)):
            s = session.position(number)
            for seat in range(len(session.seats)):
                yield seat_text(game, s, seat)
            legal = moves(game, s)
            yield listed(legal)
            yield from (error_of(game, s, answer, legal) for answer in WRONG)


def error_of(game: Game, s: Record, answer: str, legal: Sequence[Move]) -> str:
    """What a player is told who gives a wrong answer."""
    try:
        return f"{answer} is action {parse_move(game, s, answer, legal)}"
    except NotationError as error:
        return str(error)
