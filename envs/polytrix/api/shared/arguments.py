"""Checks of arguments that several APIs share."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from polytrix.core.calls import shown
from polytrix.core.catalogue import find
from polytrix.core.errors import OptionError
from polytrix.core.game import Game
from polytrix.core.options import Value

SeatRule: TypeAlias = "int | Literal['random', 'rotate']"
"""The learner's seat: fixed, drawn for each game, or rotating from game to game."""

IllegalAction: TypeAlias = Literal["forfeit", "raise"]
"""What an illegal action does: end the game with reward -1 for the offender, or raise an error."""

ObservationType: TypeAlias = Literal["int8", "float32"]
"""The type of observations: int8, as games write them, or float32, for code that multiplies them."""

SeenType: TypeAlias = np.dtype[np.int8 | np.float32]
Seen: TypeAlias = npt.NDArray[Any]
"""Observations as an API returns them, int8 or float32."""


def configure_game(
    game: Game | str, options: Mapping[str, Any], api: Callable[..., Any] | None = None
) -> tuple[Game, dict[str, Value]]:
    """A game with its data files replaced as given, and the values of all its options.

    Args:
        game: a game or its name.
        options: options and data files by name.
        api: the class or function that was called; errors may suggest one of its arguments.
    """
    return find(game).configured(options, arguments_of(api))


def arguments_of(api: Callable[..., Any] | None) -> list[str]:
    """The names of an API's own arguments, without those that it passes on to the game."""
    parameters = signature(api).parameters.values() if api is not None else ()
    passed_on = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return [parameter.name for parameter in parameters if parameter.kind not in passed_on]


def configure_rows(
    game: Game | str, options: Mapping[str, Any], rows: int, api: Callable[..., Any] | None = None
) -> tuple[Game, dict[str, Value] | list[dict[str, Value]]]:
    """Like `configure_game`, for so many rows of games. An option may be a list of values for the rows in turn.

    Returns:
        The game, and its option values: one dict for all rows, or one per row if any option is a list.

    >>> _, rows = configure_rows("quatrix", {"finish_depth": [1, 3]}, 3)
    >>> [row["finish_depth"] for row in rows]
    [1, 3, 1]
    """
    found = find(game)
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
    needed = max(rows, *map(len, lists.values()))  # surplus values are checked as well
    each = [
        configured.options.validate(first | {name: values[row % len(values)] for name, values in lists.items()})
        for row in range(needed)
    ]
    return configured, each[:rows]


def whole_number(action: Any) -> int:
    """An action of any integer type as an int; TypeError for anything else, including bools."""
    if not isinstance(action, (bool, np.bool_)):
        try:
            return operator.index(action)
        except TypeError:
            pass
    raise TypeError(f"action is {shown(action)}, of type {type(action).__name__}; allowed: an integer")


def reset_options(options: Any) -> Mapping[str, Any]:
    """The `options` argument of an API's `reset`, {} for None; OptionError unless it is a mapping."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise OptionError(f"reset options are {shown(options)}; allowed: None or a dict")
    return options


def shaping_weights(game: Game, shaping: Any, gamma: Any) -> tuple[float, float]:
    """Weight and discount of potential-based reward shaping, or OptionError for what is not allowed."""
    for name, value, high in (("shaping", shaping, math.inf), ("gamma", gamma, 1.0)):
        number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or not 0 <= value <= high:
            limits = "from 0" if high == math.inf else f"from 0 to {high:g}"
            raise OptionError(f"{name} is {value!r}; allowed: a number {limits}")
    if shaping and game.potential is None:
        raise OptionError(f"shaping is {shaping}; {game.id} has no potential: leave it 0")
    return float(shaping), float(gamma)


def check_dtype(dtype: Any) -> SeenType:
    """The type of observations; OptionError unless it is named as in `ObservationType`."""
    if not isinstance(dtype, str) or dtype not in get_args(ObservationType):
        raise OptionError(f"dtype is {shown(dtype)}; allowed: 'int8' or 'float32'")
    return np.dtype(dtype)


def check_flag(name: str, flag: Any) -> bool:
    """A flag; OptionError unless it is True or False."""
    if not isinstance(flag, (bool, np.bool_)):
        raise OptionError(f"{name} is {shown(flag)}; allowed: True or False")
    return bool(flag)


def check_seat(seat: Any, players: int) -> SeatRule:
    """`seat` as a rule or as a number below `players`; OptionError for anything else."""
    if isinstance(seat, str) and seat in ("random", "rotate"):
        return seat  # type: ignore[return-value]
    try:
        number = operator.index(seat)
    except TypeError:
        number = -1
    if isinstance(seat, bool) or not 0 <= number < players:
        raise OptionError(f"seat is {seat!r}; allowed: 0..{players - 1}, 'random' or 'rotate'")
    return number


def check_illegal_action(rule: Any) -> IllegalAction:
    """The rule; OptionError if it is invalid."""
    if rule not in get_args(IllegalAction):
        raise OptionError(f"illegal_action is {rule!r}; allowed: 'forfeit' or 'raise'")
    return rule  # type: ignore[no-any-return]
