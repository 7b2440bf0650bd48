"""Option combinations to check a game with."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

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


def option_pairs(game: Game) -> list[dict[str, Value]]:
    """A pairwise subset of `option_combinations`: the default, and every pair of values of two options.

    For checks that are too slow for all combinations; most defects depend on one or two options.

    >>> import polytrix
    >>> from polytrix.testing import option_pairs
    >>> len(option_pairs(polytrix.find("quatrix")))
    7
    """
    return _covering(game, _pairs)


def option_values(game: Game) -> list[dict[str, Value]]:
    """The smallest such subset: the default, and every value of every option. Some of `option_pairs`.

    >>> import polytrix
    >>> from polytrix.testing import option_values
    >>> len(option_values(polytrix.find("quatrix")))
    4
    """
    return _covering(game, _values, option_pairs(game))


def _covering(
    game: Game,
    parts_of: Callable[[dict[str, Value]], set[tuple[object, ...]]],
    among: list[dict[str, Value]] | None = None,
) -> list[dict[str, Value]]:
    """The default and, in their order, some combinations of options that have all parts of all of them."""
    every = option_combinations(game) if among is None else among
    left = {number: parts_of(options) for number, options in enumerate(every)}
    default = next(number for number in left if every[number].items() <= game.options.defaults.items())
    chosen: list[int] = []
    while any(left.values()):
        best = max(left, key=lambda number: len(left[number])) if chosen else default
        met = left.pop(best)
        chosen.append(best)
        left = {number: parts - met for number, parts in left.items()}
    return [every[number] for number in sorted(chosen)]


def _values(options: dict[str, Value]) -> set[tuple[object, ...]]:
    return set(options.items())


def _pairs(options: dict[str, Value]) -> set[tuple[object, ...]]:
    """All single values and pairs of values."""
    return {*combinations(options.items(), 1), *combinations(options.items(), 2)}
