"""Registers games with this package, Gymnasium and PettingZoo, under one id."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from polytrix.core import catalogue
from polytrix.core.game import Game
from polytrix.games import built_in

if TYPE_CHECKING:
    from polytrix.api.aec import AECGame


def register(game: Game) -> None:
    """Register a game under its id, like those of this package.

    `polytrix.find`, `gymnasium.make`, `gymnasium.make_vec` and, since PettingZoo 1.27, `pettingzoo.make` will
    find it. It replaces a game with the same id.

    Args:
        game: the description of the game. New processes must register it again.

    >>> import polytrix
    >>> polytrix.register(polytrix.find("quatrix"))
    >>> gymnasium.spec("polytrix/quatrix-v0").entry_point
    'polytrix.api.single:SingleEnv'
    """
    catalogue.add(game)
    gymnasium.registry.pop(game.id, None)  # else Gymnasium warns
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


def pettingzoo_module(name: str) -> tuple[Callable[..., AECGame], Callable[..., AECGame]]:
    """The functions `env` and `raw_env` of a module like `polytrix.quatrix_v0`.

    Args:
        name: name of the module; it must end with the game's name and version, as in `quatrix_v0`.

    >>> env, raw_env = pettingzoo_module("polytrix.quatrix_v0")
    >>> str(env(finish_depth=2))
    'quatrix_v0'
    """
    game = catalogue.find(name.rpartition(".")[2])

    def env(**arguments: Any) -> AECGame:
        return raw_env(**{"illegal_action": "forfeit", **arguments})

    def raw_env(**arguments: Any) -> AECGame:
        from polytrix.api.aec import AECGame

        return AECGame(game.id, **arguments)

    env.__doc__ = f"{game.title}, where an illegal action loses the game. Arguments as for `AECGame`."
    raw_env.__doc__ = (
        f"{game.title}, where an illegal action is an error and changes nothing. Arguments as for `AECGame`."
    )
    for function in (env, raw_env):
        function.__module__, function.__qualname__ = name, function.__name__  # for pickle and documentation
    return env, raw_env
