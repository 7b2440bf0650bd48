"""Logs in words: every decision is told to everybody, and nobody is told what is hidden.

What they say, decision by decision, is in `tests/golden`.
"""

from __future__ import annotations

import pytest

import polytrix
from polytrix.agents import RandomPolicy
from polytrix.core.game import Game
from polytrix.core.viewers import SPECTATOR
from polytrix.play.known import HIDDEN, following
from polytrix.play.log import Log
from polytrix.play.session import Session

GAMES = polytrix.all_games()
DECISIONS = 60
TELLING = [game for game in GAMES if game.tell is not None]


def played(game: Game, seed: int) -> Session:
    session = Session(game, game.options.defaults, seed)
    policy = RandomPolicy(game)
    while not session.over and len(session.actions) < DECISIONS:
        session.play(session.choose(policy))
    return session


@pytest.mark.parametrize("game", TELLING, ids=lambda game: game.name)
def test_every_decision_is_told_to_every_viewer(game: Game) -> None:
    session = played(game, seed=5)
    log = Log(session)
    general = {block.meaning for block in game.actions.blocks}
    for viewer in (*range(len(session.seats)), SPECTATOR, None):
        for entry in log.entries(viewer, 0):
            lines = [*entry.words, *entry.chance]
            assert all(line.strip() for line in lines) and not general & set(lines)
            assert lines or entry.move == "roll"  # the dice are told by their number, once all have fallen


@pytest.mark.parametrize("game", [game for game in TELLING if game.hides], ids=lambda game: game.name)
def test_a_hidden_move_is_told_as_any_other_that_looks_the_same(game: Game) -> None:
    assert game.tell is not None and game.secret is not None
    hidden = 0
    for seed in (5, 6, 7):
        session = played(game, seed)
        for number, action in enumerate(session.actions):
            s = session.position(number)
            seats = [seat for seat in range(len(session.seats)) if seat != s.mover]
            for viewer in seats:
                if session.turn(number, viewer).move != HIDDEN:
                    continue
                after = following(game, s, [action])[0]
                for other in legal(session, number):
                    reached = following(game, s, [other])[0]
                    if game.text(reached, viewer) == game.text(after, viewer):
                        hidden += other != action
                        assert game.tell(s, other, reached, viewer) == game.tell(s, action, after, viewer)
    assert hidden > 0 or game.name == "resistor"  # which hides no actions


def legal(session: Session, number: int) -> list[int]:
    fork = session.fork()
    fork.back_to(number)
    return fork.legal()
