"""Tables with the same past, in which everything is dealt anew that a viewer cannot know."""

from __future__ import annotations

import numpy as np

from polytrix.core.random import reseed
from polytrix.core.viewers import SPECTATOR
from polytrix.play.log import Drawings, Log
from polytrix.web.table import Table


def twin_of(table: Table, viewer: int, key: int) -> Table:
    """A twin of a table; for spectators it is dealt anew for each seat, one after the other."""
    twin = object.__new__(Table)
    twin.__dict__.update(table.__dict__)
    twin.session = table.session.fork()
    reseed(twin.session.state.generator, np.uint64(key))
    twin.drawings = Drawings(twin.session)
    twin.log = Log(twin.session, twin.drawings)
    for seat in range(len(table.settings.chairs)) if viewer == SPECTATOR else [viewer]:
        twin.session.game.redeal(twin.session.state, seat)
    return twin
