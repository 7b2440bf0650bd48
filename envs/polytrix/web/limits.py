"""How much of everything there may be."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_TABLES = 1000
"""Tables that are kept."""

MOST_OPEN = 250
"""Tables in memory; those that nobody looks at leave it."""

MOST_PAGES = 1000
"""Pages that are connected."""

PAGES_OF_A_LINK = 8

CONNECTIONS_OF_AN_ADDRESS = 100
"""Connections of one address that ask for something, and as many that have not joined a table yet."""

LONGEST_BODY = 2_000_000
"""Bytes of a form, with data files."""

LONGEST_NETWORK = 32_000_000
"""Bytes of a saved network."""

MOST_NETWORKS = 100
"""Saved networks that are kept."""

SECONDS_TO_ASK = 10
"""Seconds for the headers of a request, from the connection or the answer before it."""

SLOWEST_LINE = 50_000
"""Bytes a second at which a body has to come, after `SECONDS_TO_ASK`."""

SECONDS_TO_JOIN = 10

SLOWEST = 10.0
"""Seconds before an agent's decision, at most."""

MOST_DECISIONS = 2000
"""Decisions of a game that the page shows again."""

MOST_REPLAYS = 8
"""Replays, and thoughts about games, that are kept; as many may be waited for."""

MOST_THINKING = 4
"""Agents that think about finished games at the same time."""


class Rate:
    """Allows so many events a second in the long run, and so many at once.

    >>> rate = Rate(per_second=1, burst=2, clock=lambda: 0.0)
    >>> rate.allows(), rate.allows(), rate.allows()
    (True, True, False)
    """

    def __init__(self, per_second: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._burst, self._clock = per_second, burst, clock
        self._left, self._at = burst, clock()

    def allows(self) -> bool:
        """Whether another event is allowed now; it counts."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
