"""What a seat sees of a position, by the declarations of its fields and by its text."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from polytrix.core.bounds import entries_of
from polytrix.core.game import Game
from polytrix.core.state import RecordArray, Seen, bytes_of


@cache
def places_seen(game: Game, viewer: int) -> npt.NDArray[np.int64]:
    """The bytes of a record that a seat sees."""
    seen = [
        np.arange(entry.offset, entry.offset + entry.type.itemsize)
        for entry in entries_of(game)
        if entry.seen is Seen.PUBLIC or (entry.seen is Seen.PRIVATE and entry.owner == viewer)
    ]
    return np.concatenate(seen)


def look(game: Game, states: RecordArray, viewer: int) -> tuple[bytes, str]:
    """What a seat sees of a position."""
    return bytes_of(states)[0, places_seen(game, viewer)].tobytes(), game.text(states[0], viewer)
