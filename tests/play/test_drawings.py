"""Drawings are remembered, and are those of the position."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import polytrix
from polytrix.core.viewers import SPECTATOR, Viewer
from polytrix.play.log import REMEMBERED, Drawings
from polytrix.play.session import Session

VIEWERS: tuple[Viewer, ...] = (0, 1, SPECTATOR, None)


def test_they_are_those_of_the_position_also_after_moves_are_taken_back() -> None:
    game = polytrix.find("resistor")
    session, rng = Session(game, game.options.defaults, seed=1), random.Random(1)
    drawings = Drawings(session)
    for _ in range(60):
        count = len(session.actions)
        if (count > 6 and rng.random() < 0.2) or session.over:
            session.back_to(count - rng.randrange(1, 4))
            drawings.forget(len(session.actions))
        else:
            session.play(rng.choice(session.legal()))
        number = max(0, len(session.actions) - rng.randrange(4))
        for viewer in VIEWERS:
            expected = game.draw(session.position(number), viewer).svg()
            assert drawings.at(number, viewer).svg() == expected


def test_the_last_ones_of_each_viewer_are_remembered() -> None:
    made: list[Viewer] = []

    def counted(s: Any, viewer: Viewer) -> Any:
        made.append(viewer)
        return game.draw(s, viewer)

    game = polytrix.find("quatrix")
    session = Session(replace(game, draw=counted), game.options.defaults, seed=1)
    for _ in range(REMEMBERED):
        session.play(session.legal()[0])
    drawings = Drawings(session)
    for _ in range(2):
        for number in range(1, REMEMBERED + 1):
            drawings.at(number, 0)
    assert made == [0] * REMEMBERED
    drawings.at(0, 0)
    drawings.at(1, 0)  # the one that was not used for the longest time is forgotten
    drawings.at(REMEMBERED, 1)
    assert made == [0] * (REMEMBERED + 2) + [1]
