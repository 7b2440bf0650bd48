"""Makes games known: to this package, to Gymnasium and to PettingZoo, under one id."""

from __future__ import annotations

import gymnasium
import pettingzoo

from polytrix.core import catalogue
from polytrix.core.game import Game
from polytrix.games import built_in


def register(game: Game) -> None:
    """Make a game known under its id, like those of this package.

    From then on `polytrix.find`, `gymnasium.make`, `gymnasium.make_vec` and, from PettingZoo 1.27
    on, `pettingzoo.make` know it. A game that is registered again takes the place of the former one.

    Args:
        game: the description of the game. Processes that are started afresh must register it too.

    >>> import polytrix
    >>> polytrix.register(polytrix.find("quatrix"))
    >>> gymnasium.spec("polytrix/quatrix-v0").entry_point
    'polytrix.api.single:SingleEnv'
    """
    catalogue.add(game)
    gymnasium.registry.pop(game.id, None)  # or Gymnasium warns that it is replaced
    gymnasium.register(
        game.id,
        entry_point="polytrix.api.single:SingleEnv",
        vector_entry_point="polytrix.api.vector:VectorEnv",
        kwargs={"game": game.id},
    )
    if hasattr(pettingzoo, "register"):
        pettingzoo.aec_registry.pop(game.id, None)
        pettingzoo.register(
            "aec",
            game.id,
            entry_point="polytrix.api.aec:AECGame",
            kwargs={"game": game.id, "illegal_action": "forfeit"},
        )


def register_built_in() -> None:
    """Register the games of this package."""
    for game in built_in():
        register(game)
