"""Whoever looks at a game changes nothing and sees the same again: text, words, picture and places."""

from __future__ import annotations

import pytest

import polytrix
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.core.viewers import Viewer
from polytrix.core.words import moves


def looks(game: Game, s: Record, viewer: Viewer) -> list[object]:
    """What a viewer is shown of a position."""
    words = moves(game, s) if s.mover >= 0 else []
    places = [game.touch(s, move.id) for move in words] if game.touch else []
    return [game.draw(s, viewer).svg(), game.text(s, viewer), words, places]


@pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)
def test_looking_changes_nothing_and_repeats_exactly(game: Game) -> None:
    simulator = Simulator(game, 1, {"max_decisions": 21}, seed=4)
    s = simulator.states[0]
    sizes = set()
    for decisions in range(22):
        if decisions in (2, 21):
            before = s.tobytes()
            for viewer in (None, 0, 1):
                assert looks(game, s, viewer) == looks(game, s, viewer)
                sizes.add(game.draw(s, viewer).rgb().shape)
            assert s.tobytes() == before
        if decisions < 21:
            simulator.step(simulator.random_actions())
    assert simulator.over[0] and len(sizes) == 1
