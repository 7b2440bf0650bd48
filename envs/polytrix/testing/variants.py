"""Option combinations to check a game with."""

from __future__ import annotations

from itertools import product

from polytrix.core.game import PLAYERS, Game
from polytrix.core.options import Choice, Flag, Integer, Value

SHORT = 12
"""A `max_decisions` that almost every game reaches."""


def option_combinations(game: Game) -> list[dict[str, Value]]:
    """Options to test a game with: all combinations of choices and flags, extreme numbers, a short limit.

    Numbers take their lowest and highest value one at a time, with the other options at their defaults.
    The short limit is used once for each number of players.

    >>> import polytrix
    >>> from polytrix.testing import option_combinations
    >>> combinations = option_combinations(polytrix.find("quatrix"))
    >>> len(combinations), combinations[0], combinations[-1]
    (13, {'finish_depth': 1, 'combined_straight': 'both', 'scoring': 'win'}, {'max_decisions': 12})
    """
    values: dict[str, tuple[Value, ...]] = {}
    single: list[dict[str, Value]] = []
    for option in game.options:
        if isinstance(option, Choice):
            values[option.name] = option.values
        elif isinstance(option, Flag):
            values[option.name] = (False, True)
        elif isinstance(option, Integer) and option.name != "max_decisions":
            single += [{option.name: option.low}, {option.name: option.high}]
    combined = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    tables: list[dict[str, Value]] = [{PLAYERS: n} for n in values.get(PLAYERS, ())] or [{}]
    return [*combined, *single, *({**table, "max_decisions": SHORT} for table in tables)]
