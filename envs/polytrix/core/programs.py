"""The compiled drivers of a game, each made (or loaded from the cache) when first used."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from . import drivers
from .compiler import Function, Mode, program
from .game import Game

NAMES = (
    "step", "first_illegal", "refresh", "view", "next_keys", "potentials",
    "redeal_rows", "answer", "pick_random", "outcomes", "advance", "perft", "rollout",
)  # fmt: skip


class Programs:
    """`programs.step`, `programs.start`, ...: the functions of `drivers.py` for one game and mode."""

    def __init__(self, game: Game, mode: Mode) -> None:
        self.game = game
        self.mode = mode

    def __getattr__(self, name: str) -> Function:
        if name not in NAMES:
            raise AttributeError(name)
        made = program(getattr(drivers, name), self.game.replacements, self.mode, f"{self.game.name}-{name}")
        setattr(self, name, made)
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)


@cache
def programs(game: Game, mode: Mode = Mode.COMPILED) -> Programs:
    """The drivers of a game, always the same object. `programs.cache_clear()` forgets them all."""
    return Programs(game, mode)
