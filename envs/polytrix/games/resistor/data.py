"""The deck as a data file that users may replace."""

from __future__ import annotations

from typing import Any

import numpy as np

from polytrix.core.data import DataFile, Replacement

from . import tables
from .deck import MICRO_FILE, SHIPPED_FILE, Seat, read_deck, settings_of
from .observation import observations


def replace_deck(content: Any) -> Replacement:
    """Tables and observation layout for another deck; DataError if the content is no deck."""
    cards = read_deck(content)
    made = tables.make_tables(cards, settings_of(content))
    kinds, most = int(made.kinds[0]), int(np.bincount(made.kind[Seat.RED, : len(cards)]).max())
    pairs = list(zip(tables.SHIPPED, made, strict=True))
    return Replacement(pairs, {"observations": observations(kinds, most)})


DECK = DataFile(
    name="deck",
    help="the cards, lines and diamonds of both sides; and how large the game is",
    source=SHIPPED_FILE,
    build=replace_deck,
    samples=(MICRO_FILE,),
)
