"""What the log of a game tells."""

from __future__ import annotations

from collections.abc import Iterator

from polytrix.agents import RandomPolicy
from polytrix.core.game import Game
from polytrix.core.state import Record
from polytrix.core.viewers import Viewer
from polytrix.play.known import following
from polytrix.play.log import Log
from polytrix.play.session import Session


def told(game: Game, s: Record, event: int, viewer: Viewer = None) -> list[str]:
    """What a viewer is told of one action or chance outcome."""
    assert game.tell is not None
    return game.tell(s, event, following(game, s, [event])[0], viewer)


def random_log(
    game: Game, seed: int, viewer: Viewer, decisions: int
) -> Iterator[tuple[tuple[str, ...], Record]]:
    """For each decision of a random game, the lines that tell of it, and the position after it."""
    session = Session(game, game.options.defaults, seed)
    policy = RandomPolicy(game)
    log = Log(session)
    for number in range(decisions):
        if session.over:
            return
        session.play(session.choose(policy))
        yield tuple(log.entries(viewer, number)[0].words), session.state
