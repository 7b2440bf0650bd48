"""Bad calls of a face, made one by one."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.errors import ClosedError, GameOverError
from polytrix.core.game import Game
from polytrix.testing.fuzz.actions import refuse, take
from polytrix.testing.fuzz.faces import Face, bad

SHORT = {"max_decisions": 12}


def begun(kind: type[Face], game: Game) -> Face:
    """A face at the opening of a short game."""
    face = kind(game, 5, **SHORT)
    face.reset(5)
    return face


def all_refused(kind: type[Face], game: Game) -> int:
    """Assert that bad calls are refused at the opening, in the middle and after the end of a game.

    Returns:
        How many there were. A face that begins the next game by itself shows no end.
    """
    face, rng = begun(kind, game), np.random.default_rng(2)
    calls = 0
    for events in range(150):
        legal = face.legal()
        if events in (0, 3, 7, 40) or not legal:
            for call in face.bad_calls():
                refuse(face, call)
                calls += 1
        if not legal:
            break
        take(face, int(rng.choice(legal)))
    return calls


def only_while_open(kind: type[Face], game: Game) -> None:
    """Assert that nothing can be done before the first game has begun, nor after `close`."""
    if kind.begins:
        with pytest.raises(GameOverError):
            kind(game, 5, **SHORT).step(0)
    face = begun(kind, game)
    if kind.closes:
        action = face.legal()[0]
        face.close()
        face.close()
        refuse(face, bad(ClosedError, face.step, action))
        refuse(face, bad(ClosedError, face.reset, 1))
