"""Helpers that make the bad calls of an API one by one."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.errors import ClosedError, GameOverError
from polytrix.core.game import Game
from tests.fuzz.actions import refuse, take
from tests.fuzz.targets import Target, bad

SHORT = {"max_decisions": 12}


def begun(kind: type[Target], game: Game) -> Target:
    """A target at the start of a short game."""
    target = kind(game, 5, **SHORT)
    target.reset(5)
    return target


def all_refused(kind: type[Target], game: Game) -> int:
    """Assert that bad calls are refused at the start, in the middle and after the end of a game.

    Returns:
        How many there were. A target that begins the next game by itself shows no end.
    """
    target, rng = begun(kind, game), np.random.default_rng(2)
    calls = 0
    for events in range(150):
        legal = target.legal()
        if events in (0, 3, 7, 40) or not legal:
            for call in target.bad_calls():
                refuse(target, call)
                calls += 1
        if not legal:
            break
        take(target, int(rng.choice(legal)))
    return calls


def only_while_open(kind: type[Target], game: Game) -> None:
    """Assert that calls are refused before the first `reset` and after `close`."""
    if kind.begins:
        with pytest.raises(GameOverError):
            kind(game, 5, **SHORT).step(0)
    target = begun(kind, game)
    if kind.closes:
        action = target.legal()[0]
        target.close()
        target.close()
        refuse(target, bad(ClosedError, target.step, action))
        refuse(target, bad(ClosedError, target.reset, 1))
