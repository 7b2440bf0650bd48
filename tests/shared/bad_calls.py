"""Helpers that make the bad calls of an API one by one."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.errors import ClosedError, GameOverError
from polytrix.core.game import Game
from tests.shared.targets import Bad, Target, bad

SHORT = {"max_decisions": 12}


def begun(kind: type[Target], game: Game) -> Target:
    """A target at the start of a short game."""
    target = kind(game, 5, **SHORT)
    target.reset(5)
    return target


def all_refused(kind: type[Target], game: Game) -> int:
    """Assert that bad calls are refused: all at the start, in the middle and after the end, else some.

    Returns:
        How many there were. A target that begins the next game by itself shows no end.
    """
    target, rng = begun(kind, game), np.random.default_rng(2)
    made = 0
    for events in range(150):
        legal = target.legal()
        calls = list(target.bad_calls())
        if legal and events not in (0, 3, 7, 40):
            calls = [calls[number] for number in rng.integers(len(calls), size=5)]
        for call in calls:
            refuse(target, call)
        made += len(calls)
        if not legal:
            break
        take(target, int(rng.choice(legal)))
    return made


def take(target: Target, action: int) -> None:
    """Take a legal action; AssertionError if it is refused or changes nothing."""
    before = target.memory()
    try:
        target.step(action)
    except Exception as error:
        raise AssertionError(f"{target.name} refused the legal action {action}: {error!r}") from error
    assert target.memory() != before, f"{target.name}: the legal action {action} has changed nothing"


def refuse(target: Target, call: Bad) -> None:
    """Make a bad call; AssertionError unless it is refused as documented and changes nothing."""
    before = target.memory()
    try:
        call.call()
    except call.errors:
        pass
    except Exception as error:
        raise AssertionError(f"{target.name}: {call} raised {error!r:.300}") from error
    else:
        raise AssertionError(f"{target.name}: {call} was taken")
    assert target.memory() == before, f"{target.name}: {call} was refused and has changed something"


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
