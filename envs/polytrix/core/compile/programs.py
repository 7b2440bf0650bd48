"""The compiled drivers of a game, each compiled (or loaded from the cache) on first use."""

from __future__ import annotations

from collections.abc import Iterator
from threading import RLock
from typing import Any

import numpy as np

from .. import drivers
from ..behaviour import count_behaviour
from ..game import Game
from ..inspection import first_fault
from ..random_play import play_randomly
from ..records import as_records
from ..rules import DISJOINT
from ..search.guided import GUIDED
from ..search.playouts import PLAYOUTS
from ..search.teaching import teach
from ..search.tree import search
from ..state import RecordArray
from ..transition import transition
from .compiler import Function, Mode, program, runs_plain

DRIVERS: dict[str, Function] = {
    driver.__name__: driver
    for driver in (
        drivers.step, drivers.first_illegal, drivers.refresh, drivers.view, drivers.next_keys,
        drivers.potentials, drivers.redeal_rows, drivers.hidden_actions, drivers.answer,
        drivers.pick_random, drivers.outcomes, drivers.advance, drivers.perft, drivers.rollout, count_behaviour,
        first_fault, play_randomly, search, teach, transition,
    )
} | {"guided": search}  # fmt: skip

PARTS: dict[str, dict[Any, Any]] = {"search": PLAYOUTS, "guided": GUIDED, "teach": GUIDED}
"""What replaces further placeholders than the game's, by driver: the parts of a search."""


_MAKING = RLock()
"""Threads that begin at the same time use the same programs: each is made, and compiled, once."""


class Programs:
    """`programs.step`, `programs.view`, ...: the drivers for one game and mode."""

    def __init__(self, game: Game, mode: Mode) -> None:
        self.game = game
        self.mode = mode

    def __getattr__(self, name: str) -> Function:
        if name not in DRIVERS:
            raise AttributeError(name)
        label = f"{self.game.name}: {name}"
        with _MAKING:
            if name not in self.__dict__:
                replacements = self.game.replacements | PARTS.get(name, {})
                self.__dict__[name] = program(DRIVERS[name], replacements, self.mode, label, DISJOINT)
        made: Function = self.__dict__[name]
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(DRIVERS)


_MADE: dict[tuple[Game, Mode], Programs] = {}


def programs(game: Game, mode: Mode = Mode.COMPILED) -> Programs:
    """The drivers of a game, in all threads the same object. `forget_programs` drops them all."""
    with _MAKING:
        if (game, mode) not in _MADE:
            _MADE[game, mode] = Programs(game, mode)
        return _MADE[game, mode]


def forget_programs() -> None:
    """Make all programs anew when they are next asked for."""
    with _MAKING:
        _MADE.clear()


def as_argument(records: RecordArray, mode: Mode) -> RecordArray:
    """View records as the type that programs of this mode take.

    Compiled code takes plain arrays much faster than record arrays; plain Python needs the latter.
    """
    return as_records(records) if runs_plain(mode) else records.view(np.ndarray)
