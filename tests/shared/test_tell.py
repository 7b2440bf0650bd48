"""Logs in words: every decision is told to everybody, and nobody is told what is hidden.

What they say, decision by decision, is in `tests/golden`.
"""

from __future__ import annotations

import pytest

import polytrix
from polytrix.agents import RandomPolicy
from polytrix.core.game import Game
from polytrix.core.viewers import SPECTATOR
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
