"""Files of games for tests."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from polytrix.arena import Tournament, contestants, play_all
from polytrix.arena.records import Records
from polytrix.core.game import Game


def played(file: Path, game: Game, agents: tuple[str, ...], deals: int = 2, **options: Any) -> Path:
    """A file of games in which several agents meet, or one plays all seats."""
    values = game.options.validate(options)
    one = Tournament(game, values, contestants(game, agents), deals, keep_moves=True)
    with closing(Records(game, values, 0, file, game.replaced)) as records:
        play_all(one, records)
    return file
