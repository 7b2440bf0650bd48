"""The ways to set up a game that checks go through."""

from __future__ import annotations

from itertools import combinations, product

from polytrix.core.game import PLAYERS, Game
from polytrix.core.options import Choice, Flag, Integer, Value

SHORT = 12
"""A `max_decisions` that practically every game reaches."""


def option_combinations(game: Game) -> list[dict[str, Value]]:
    """Options to try a game with: every combination of choices and flags, the ends of numbers, a short limit.

    Numbers are set to their lowest and highest value one at a time, the other options being default.
    The short limit comes once for each number of players.

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


def option_pairs(game: Game) -> list[dict[str, Value]]:
    """Some of `option_combinations`: the default, and every value of each option with every value of any other.

    For checks that take too long to go through all combinations: what goes wrong with an option mostly does
    so by itself or together with one other.

    >>> import polytrix
    >>> from polytrix.testing import option_pairs
    >>> len(option_pairs(polytrix.find("quatrix")))
    7
    """
    every = option_combinations(game)
    left = {number: _pairs(options) for number, options in enumerate(every)}
    default = next(number for number in left if every[number].items() <= game.options.defaults.items())
    chosen: list[int] = []
    while any(left.values()):
        best = max(left, key=lambda number: len(left[number])) if chosen else default
        met = left.pop(best)
        chosen.append(best)
        left = {number: pairs - met for number, pairs in left.items()}
    return [every[number] for number in sorted(chosen)]


def _pairs(options: dict[str, Value]) -> set[tuple[object, ...]]:
    """The values, one and two at a time."""
    return {*combinations(options.items(), 1), *combinations(options.items(), 2)}
