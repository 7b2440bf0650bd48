"""Arguments that several APIs take, checked."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from polytrix.core.calls import shown
from polytrix.core.catalogue import find
from polytrix.core.errors import OptionError
from polytrix.core.game import Game
from polytrix.core.options import Value

SeatRule: TypeAlias = "int | Literal['random', 'rotate']"
"""The learner's seat: always the same, drawn for each game, or taking turns."""

IllegalAction: TypeAlias = Literal["forfeit", "raise"]
"""What an illegal action does: end the game with reward -1 for its seat, or raise an error."""

FORFEIT = -1.0
"""What an illegal action costs its seat, where it ends the game."""


def chosen_game(
    game: Game | str, options: Mapping[str, Any], api: Callable[..., Any] | None = None
) -> tuple[Game, dict[str, Value]]:
    """The game that is to be played, its data files replaced as asked, and all its options with their values.

    Args:
        game: a game or the name of one.
        options: options and data files by name.
        api: the class or function that was called; an error may suggest one of its arguments.

    Raises:
        UnknownGameError, OptionError, DataError: for what is not allowed.
    """
    found = find(game) if isinstance(game, str) else game
    return found.configured(options, arguments_of(api))


def arguments_of(api: Callable[..., Any] | None) -> list[str]:
    """The names of the arguments that an API takes itself, without those that it passes on to the game."""
    parameters = signature(api).parameters.values() if api is not None else ()
    passed_on = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return [parameter.name for parameter in parameters if parameter.kind not in passed_on]


def chosen_rows(
    game: Game | str, options: Mapping[str, Any], rows: int, api: Callable[..., Any] | None = None
) -> tuple[Game, dict[str, Value] | list[dict[str, Value]]]:
    """As `chosen_game`, for games side by side that may have different options.

    Args:
        game: a game or the name of one.
        options: as for `chosen_game`, or for an option a list of values, which the rows take in turns:
            `players=(2, 4)` gives rows 0, 2, ... two players and rows 1, 3, ... four.
        rows: how many games.
        api: as for `chosen_game`.

    Returns:
        The game, and its options with their values: for all rows, or if any is a list one by one.

    Raises:
        UnknownGameError, OptionError, DataError: for what is not allowed.

    >>> _, rows = chosen_rows("quatrix", {"finish_depth": [1, 3]}, 3)
    >>> [row["finish_depth"] for row in rows]
    [1, 3, 1]
    """
    found = find(game) if isinstance(game, str) else game
    files = [file.name for file in found.data]  # their content may be a list
    lists = {
        name: value for name, value in options.items() if isinstance(value, (list, tuple)) and name not in files
    }
    if any(len(values) == 0 for values in lists.values()):
        raise OptionError(f"an empty list in {lists}; give a value, or a list of values for the rows in turn")
    firsts = {**options, **{name: values[0] for name, values in lists.items()}}
    configured, first = found.configured(firsts, arguments_of(api))
    if not lists:
        return configured, first
    needed = max(rows, *map(len, lists.values()))  # the values of rows that do not exist are checked as well
    each = [
        configured.options.validate(first | {name: values[row % len(values)] for name, values in lists.items()})
        for row in range(needed)
    ]
    return configured, each[:rows]


def whole_number(action: Any) -> int:
    """An action of any integer type as an int.

    Raises:
        TypeError: for anything else, True and False included.
    """
    if not isinstance(action, (bool, np.bool_)):
        try:
            return operator.index(action)
        except TypeError:
            pass
    raise TypeError(f"action is {shown(action)}, of type {type(action).__name__}; allowed: an integer")


def options_given(options: Any) -> Mapping[str, Any]:
    """The argument `options` of an API's `reset`, {} for None, or OptionError if it is no mapping."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise OptionError(f"reset options are {shown(options)}; allowed: None or a dict")
    return options


def shaping_weights(game: Game, shaping: Any, gamma: Any) -> tuple[float, float]:
    """Weight and discount of the potential-based term of rewards, as floats.

    Raises:
        OptionError: a value that is not allowed, or a weight for a game that has no potential.
    """
    for name, value, high in (("shaping", shaping, math.inf), ("gamma", gamma, 1.0)):
        number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or not 0 <= value <= high:
            limits = "from 0" if high == math.inf else f"from 0 to {high:g}"
            raise OptionError(f"{name} is {value!r}; allowed: a number {limits}")
    if shaping and game.potential is None:
        raise OptionError(f"shaping is {shaping}; {game.id} has no potential: leave it 0")
    return float(shaping), float(gamma)


def checked_seat(seat: Any, players: int) -> SeatRule:
    """`seat` as a number, which must be below that of the players, or as a rule; else OptionError."""
    if isinstance(seat, str) and seat in ("random", "rotate"):
        return seat  # type: ignore[return-value]
    try:
        number = operator.index(seat)
    except TypeError:
        number = -1
    if isinstance(seat, bool) or not 0 <= number < players:
        raise OptionError(f"seat is {seat!r}; allowed: 0..{players - 1}, 'random' or 'rotate'")
    return number


def checked_illegal_action(rule: Any) -> IllegalAction:
    """The rule, or OptionError."""
    if rule not in get_args(IllegalAction):
        raise OptionError(f"illegal_action is {rule!r}; allowed: 'forfeit' or 'raise'")
    return rule  # type: ignore[no-any-return]
