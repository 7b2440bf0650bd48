"""Games with the same past, in which everything is dealt anew that a viewer cannot know; also at a table."""

from __future__ import annotations

from copy import copy

import numpy as np

from polytrix.core.random import reseed
from polytrix.core.viewers import SPECTATOR
from polytrix.play.log import Drawings, Log
from polytrix.play.session import Session
from polytrix.web.table import Table


def twin_of(session: Session, viewer: int, key: int) -> Session:
    """A twin of a game; for spectators it is dealt anew for each seat, one after the other."""
    twin = session.fork()
    reseed(twin.state.generator, np.uint64(key))
    for seat in range(len(session.seats)) if viewer == SPECTATOR else [viewer]:
        twin.game.redeal(twin.state, seat)
    return twin


def at_table(table: Table, session: Session) -> Table:
    """The table with another game in the place of its own."""
    made = copy(table)
    made.session, made.drawings = session, Drawings(session)
    made.log = Log(session, made.drawings)
    return made
