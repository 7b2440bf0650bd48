"""What viewers are told about decisions."""

from __future__ import annotations

import random

from polytrix.core.game import Game
from polytrix.core.viewers import SPECTATOR
from polytrix.play.log import Log, drawing_of
from polytrix.play.session import Session
from tests.every_game import every_game


@every_game
def test_spectators_are_told_which_places_a_decision_touched(game: Game) -> None:
    session, rng = Session(game, game.options.defaults, seed=3), random.Random(3)
    while len(session.actions) < 40 and not session.over:
        session.play(rng.choice(session.legal()))
    log = Log(session)
    told, everything = log.touched_places(SPECTATOR, 0), log.touched_places(None, 0)
    assert any(told)
    assert all(set(places) <= set(full) for places, full in zip(told, everything, strict=True))
    assert game.hides or told == everything


@every_game
def test_drawings_are_those_of_the_position(game: Game) -> None:
    session, rng = Session(game, game.options.defaults, seed=1), random.Random(1)
    for _ in range(12):
        session.play(rng.choice(session.legal()))
        for s in (session.state, session.position(0), session.state):
            for viewer in (0, 1, SPECTATOR, None):
                assert drawing_of(game, s, viewer).svg() == game.draw(s, viewer).svg()
                assert drawing_of(game, s, viewer) is drawing_of(game, s, viewer)
                if game.draw_narrow is not None:
                    narrow = drawing_of(game, s, viewer, narrow=True)
                    assert narrow.svg() == game.draw_narrow(s, viewer).svg()
