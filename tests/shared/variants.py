"""Fewer option combinations, for checks that are too slow for all."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from polytrix.core.game import Game
from polytrix.core.options import Value
from polytrix.testing import option_combinations


def option_pairs(game: Game) -> list[dict[str, Value]]:
    """A pairwise subset of `option_combinations`: the default, and every pair of values of two options.

    For checks that are too slow for all combinations; most defects depend on one or two options.
    """
    return _covering(game, _pairs)


def option_values(game: Game) -> list[dict[str, Value]]:
    """The smallest such subset: the default, and every value of every option. Some of `option_pairs`."""
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
